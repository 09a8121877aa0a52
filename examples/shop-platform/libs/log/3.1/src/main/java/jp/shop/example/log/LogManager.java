package jp.shop.example.log;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import jp.shop.example.log.internal.DefaultLogger;

/** ロガーの取得と、部品全体の設定の入口。設定は起動時に一度だけ行います。 */
public final class LogManager {
    private static final ConcurrentMap<String, Logger> LOGGERS = new ConcurrentHashMap<>();

    private static volatile LogLevel threshold = LogLevel.parse(System.getenv().getOrDefault("SHOP_LOG_LEVEL", "info"));
    private static volatile LogFormatter formatter = LogFormatter.json();

    private LogManager() {}

    /**
     * クラスのロガーを返します。同じクラスには同じロガーを返します。
     *
     * @param type ログを書くクラス
     * @return ロガー
     */
    public static Logger getLogger(Class<?> type) {
        return getLogger(type.getName());
    }

    /**
     * 名前を指定してロガーを返します。監査ログのように、クラスによらない名前が決まっている場合に使います。
     *
     * @param name ロガーの名前
     * @return ロガー
     */
    public static Logger getLogger(String name) {
        return LOGGERS.computeIfAbsent(name, DefaultLogger::new);
    }

    /**
     * 出力する重要度のしきい値を変えます。既定値は環境変数 {@code SHOP_LOG_LEVEL}、なければ {@link LogLevel#INFO} です。
     *
     * @param level しきい値
     */
    public static void setThreshold(LogLevel level) {
        threshold = Objects.requireNonNull(level, "level");
    }

    /**
     * 出力する重要度のしきい値を返します。
     *
     * @return しきい値
     */
    public static LogLevel getThreshold() {
        return threshold;
    }

    /**
     * 書式を変えます。既定は {@link LogFormatter#json()} です。
     *
     * @param newFormatter 書式
     */
    public static void setFormatter(LogFormatter newFormatter) {
        formatter = Objects.requireNonNull(newFormatter, "newFormatter");
    }

    /**
     * 今の書式を返します。
     *
     * @return 書式
     */
    public static LogFormatter getFormatter() {
        return formatter;
    }
}
