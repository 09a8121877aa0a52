package jp.shop.example.log;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * 決まった範囲のログすべてに、受付番号などの項目を付けます。
 *
 * <p>項目はスレッドごとに持ちます。{@code try} 文で使うと、範囲を抜けたときに必ず元へ戻ります。
 *
 * <pre>{@code
 * try (MdcScope scope = MdcScope.open("requestId", requestId)) {
 *     LOG.info("注文を受け付けました。orderId={}", orderId);
 * }
 * }</pre>
 */
public final class MdcScope implements AutoCloseable {
    private static final ThreadLocal<Map<String, String>> CURRENT = ThreadLocal.withInitial(Map::of);

    private final Map<String, String> before;

    private MdcScope(Map<String, String> before) {
        this.before = before;
    }

    /**
     * 項目を 1 つ付けた範囲を始めます。同じ名前の項目があれば、範囲の間だけ上書きします。
     *
     * @param key 項目の名前
     * @param value 項目の値
     * @return 閉じると元へ戻る範囲
     */
    public static MdcScope open(String key, String value) {
        MdcScope scope = new MdcScope(CURRENT.get());
        return scope.and(key, value);
    }

    /**
     * この範囲に項目を加えます。
     *
     * @param key 項目の名前
     * @param value 項目の値
     * @return この範囲
     */
    public MdcScope and(String key, String value) {
        Map<String, String> next = new LinkedHashMap<>(CURRENT.get());
        next.put(key, value);
        CURRENT.set(next);
        return this;
    }

    /**
     * 今のスレッドに付いている項目を返します。別のスレッドへ引き継ぐときに使います。
     *
     * @return 変更できない写し
     */
    public static Map<String, String> current() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(CURRENT.get()));
    }

    /** 範囲を終え、項目を始める前の状態に戻します。 */
    @Override
    public void close() {
        CURRENT.set(before);
    }
}
