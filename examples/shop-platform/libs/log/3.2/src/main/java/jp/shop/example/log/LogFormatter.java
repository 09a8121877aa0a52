package jp.shop.example.log;

import jp.shop.example.log.internal.JsonFormatter;
import jp.shop.example.log.internal.LineFormatter;

/** ログ 1 件を、出力する文字列に整えます。実装は複数のスレッドから同時に呼ばれます。 */
@FunctionalInterface
public interface LogFormatter {
    /**
     * 1 件を文字列にします。末尾に改行は付けません。
     *
     * @param record 出力するログ
     * @return 出力する文字列
     */
    String format(LogRecord record);

    /**
     * 人が読むための 1 行の書式を返します。手元での開発に向きます。
     *
     * @return 1 行の書式
     */
    static LogFormatter line() {
        return new LineFormatter();
    }

    /**
     * ログ基盤が取り込む JSON の書式を返します。検証環境と本番ではこちらを使います。
     *
     * @return JSON の書式
     */
    static LogFormatter json() {
        return new JsonFormatter();
    }
}
