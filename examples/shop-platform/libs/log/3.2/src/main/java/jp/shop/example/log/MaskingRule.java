package jp.shop.example.log;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * 何を、どのような伏せ字に置き換えるかの規則。
 *
 * @param name 規則の名前。伏せ方を見直すときの手がかりになります
 * @param pattern 伏せる部分
 * @param replacement 代わりに出力する文字列
 * @since 3.2
 */
public record MaskingRule(String name, Pattern pattern, String replacement) {
    private static final Pattern EMAIL = Pattern.compile("[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9.-]{1,255}");
    private static final Pattern PHONE = Pattern.compile(
            "(?<![0-9A-Za-z-])0(?:[0-9]{9,10}|[0-9]{1,4}-[0-9]{1,4}-[0-9]{3,4})(?![0-9-])");
    private static final Pattern CUSTOMER_ID = Pattern.compile("\\bC[0-9]{8}\\b");

    /** 名前、伏せる部分、置き換える文字列は、どれも省略できません。 */
    public MaskingRule {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(pattern, "pattern");
        Objects.requireNonNull(replacement, "replacement");
    }

    /**
     * 正規表現から規則を作ります。
     *
     * @param name 規則の名前
     * @param regex 伏せる部分の正規表現
     * @param replacement 代わりに出力する文字列
     * @return 規則
     */
    public static MaskingRule of(String name, String regex, String replacement) {
        return new MaskingRule(name, Pattern.compile(regex), replacement);
    }

    /**
     * メールアドレスを伏せる規則を返します。
     *
     * @return 規則
     */
    public static MaskingRule email() {
        return new MaskingRule("email", EMAIL, "***@***");
    }

    /**
     * 国内の電話番号を伏せる規則を返します。ハイフンの有無は問いません。
     *
     * @return 規則
     */
    public static MaskingRule phone() {
        return new MaskingRule("phone", PHONE, "***-****-****");
    }

    /**
     * 顧客番号を伏せる規則を返します。標準の規則には含まれません。社外に渡すログで使います。
     *
     * @return 規則
     */
    public static MaskingRule customerId() {
        return new MaskingRule("customerId", CUSTOMER_ID, "C********");
    }
}
