package jp.shop.example.log.internal;

import java.io.PrintWriter;
import java.io.StringWriter;

/** 例外を文字列にする。 */
final class StackTraces {
    private StackTraces() {}

    static String of(Throwable cause) {
        StringWriter text = new StringWriter();
        cause.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }
}
