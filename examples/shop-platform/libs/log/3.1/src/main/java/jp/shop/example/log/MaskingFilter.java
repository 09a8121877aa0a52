package jp.shop.example.log;

import java.util.regex.Pattern;

/**
 * 文字列に含まれる個人情報を伏せます。
 *
 * <p>この部品はログを自動では伏せません。個人情報を含みうる値は、{@link #maskPersonal(String)} を通してから
 * ロガーに渡してください。
 */
public final class MaskingFilter {
    private static final Pattern EMAIL = Pattern.compile("[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9.-]{1,255}");
    private static final Pattern PHONE = Pattern.compile(
            "(?<![0-9A-Za-z-])0(?:[0-9]{9,10}|[0-9]{1,4}-[0-9]{1,4}-[0-9]{3,4})(?![0-9-])");

    /**
     * メールアドレスと電話番号を伏せ字にします。
     *
     * @param text 元の文字列
     * @return 伏せ字にした文字列
     */
    public String maskPersonal(String text) {
        String masked = EMAIL.matcher(text).replaceAll("***@***");
        return PHONE.matcher(masked).replaceAll("***-****-****");
    }
}
