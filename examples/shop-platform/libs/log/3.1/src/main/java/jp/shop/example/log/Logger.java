package jp.shop.example.log;

/**
 * ログの書き込み口。{@link LogManager#getLogger(Class)} で取得し、定数として持ちます。
 *
 * <p>本文の {@code {}} は、引数の値で左から順に置き換わります。文字列の連結は、出力しない重要度でも
 * 評価されてしまうため使わないでください。
 */
public interface Logger {
    /**
     * ロガーの名前を返します。
     *
     * @return 名前。クラスから取得した場合は完全修飾名
     */
    String getName();

    /**
     * 指定した重要度のログが出力されるかを返します。
     *
     * @param level 調べる重要度
     * @return 出力されるなら {@code true}
     */
    boolean isEnabled(LogLevel level);

    /**
     * ログを 1 件書きます。
     *
     * @param level 重要度
     * @param cause 原因の例外。なければ {@code null}
     * @param message 本文
     * @param arguments 本文の {@code {}} に入れる値
     */
    void log(LogLevel level, Throwable cause, String message, Object... arguments);

    /**
     * {@link LogLevel#DEBUG} で書きます。
     *
     * @param message 本文
     * @param arguments 本文の {@code {}} に入れる値
     */
    default void debug(String message, Object... arguments) {
        log(LogLevel.DEBUG, null, message, arguments);
    }

    /**
     * {@link LogLevel#INFO} で書きます。
     *
     * @param message 本文
     * @param arguments 本文の {@code {}} に入れる値
     */
    default void info(String message, Object... arguments) {
        log(LogLevel.INFO, null, message, arguments);
    }

    /**
     * {@link LogLevel#WARN} で書きます。
     *
     * @param message 本文
     * @param arguments 本文の {@code {}} に入れる値
     */
    default void warn(String message, Object... arguments) {
        log(LogLevel.WARN, null, message, arguments);
    }

    /**
     * {@link LogLevel#ERROR} で、原因の例外とともに書きます。スタックトレースも出力されます。
     *
     * @param cause 原因の例外
     * @param message 本文
     * @param arguments 本文の {@code {}} に入れる値
     */
    default void error(Throwable cause, String message, Object... arguments) {
        log(LogLevel.ERROR, cause, message, arguments);
    }
}
