package jp.shop.example.log;

import java.util.Locale;

/** ログの重要度。宣言の順に重くなります。 */
public enum LogLevel {
    /** 処理の細かな足取り。本番では出力しません。 */
    TRACE,
    /** 開発中の調査に使う情報。 */
    DEBUG,
    /** 業務上の節目。受注した、退会した、など。 */
    INFO,
    /** 処理は続けられるが、放置すると障害になる事象。 */
    WARN,
    /** 処理を続けられなかった事象。当番に通知されます。 */
    ERROR;

    /**
     * この重要度が、しきい値と同じかそれより重いかを返します。
     *
     * @param threshold しきい値
     * @return 出力の対象であれば {@code true}
     */
    public boolean isAtLeast(LogLevel threshold) {
        return compareTo(threshold) >= 0;
    }

    /**
     * 設定ファイルや環境変数の値から重要度を得ます。大文字と小文字は区別しません。
     *
     * @param text {@code "info"} などの名前
     * @return 対応する重要度
     * @throws IllegalArgumentException 該当する重要度がないとき
     */
    public static LogLevel parse(String text) {
        return valueOf(text.strip().toUpperCase(Locale.ROOT));
    }
}
