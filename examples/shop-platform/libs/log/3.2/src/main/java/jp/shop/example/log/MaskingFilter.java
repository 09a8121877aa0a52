package jp.shop.example.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * 文字列に含まれる個人情報を、規則に従って伏せます。
 *
 * <p>{@link LogManager#setMaskingFilter(MaskingFilter)} に渡すと、出力する行のすべてに効きます。
 */
public final class MaskingFilter {
    private final List<MaskingRule> rules;

    /** 標準の規則（メールアドレスと電話番号）で伏せるフィルタを作ります。 */
    public MaskingFilter() {
        this(List.of(MaskingRule.email(), MaskingRule.phone()));
    }

    private MaskingFilter(List<MaskingRule> rules) {
        this.rules = List.copyOf(rules);
    }

    /**
     * 規則を選んでフィルタを組み立てます。
     *
     * @return 規則を 1 つも持たない組み立て器
     * @since 3.2
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * 規則を加えた順に当て、伏せ字にした文字列を返します。
     *
     * @param text 元の文字列
     * @return 伏せ字にした文字列
     * @since 3.2
     */
    public String mask(String text) {
        String masked = text;
        for (MaskingRule rule : rules) {
            masked = rule.pattern().matcher(masked).replaceAll(rule.replacement());
        }
        return masked;
    }

    /**
     * メールアドレスと電話番号を伏せ字にします。
     *
     * @param text 元の文字列
     * @return 伏せ字にした文字列
     * @deprecated 組み立てた規則が効きません。{@link #mask(String)} を使ってください。
     */
    @Deprecated(since = "3.2", forRemoval = true)
    public String maskPersonal(String text) {
        return new MaskingFilter().mask(text);
    }

    /**
     * フィルタの組み立て器。スレッドをまたいで使わないでください。
     *
     * @since 3.2
     */
    public static final class Builder {
        private final List<MaskingRule> rules = new ArrayList<>();

        private Builder() {}

        /**
         * 規則を最後に加えます。
         *
         * @param rule 規則
         * @return この組み立て器
         */
        public Builder add(MaskingRule rule) {
            rules.add(Objects.requireNonNull(rule, "rule"));
            return this;
        }

        /**
         * フィルタを作ります。
         *
         * @return 加えた規則だけを持つフィルタ
         */
        public MaskingFilter build() {
            return new MaskingFilter(rules);
        }
    }
}
