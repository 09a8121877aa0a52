package jp.shop.example.log;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * 出力する前の 1 件のログ。
 *
 * @param time 書かれた時刻
 * @param level 重要度
 * @param logger ロガーの名前
 * @param message 引数を埋め込んだ本文
 * @param context {@link MdcScope} で付けた項目
 * @param cause 原因の例外。なければ {@code null}
 */
public record LogRecord(
        Instant time, LogLevel level, String logger, String message, Map<String, String> context, Throwable cause) {
    /** 項目の写しを持ち、後から変わらないようにします。 */
    public LogRecord {
        context = Collections.unmodifiableMap(new LinkedHashMap<>(context));
    }
}
