package jp.shop.example.log.internal;

/** 本文の {@code {}} を値で置き換える。値が足りない分は、そのまま残す。 */
final class MessageText {
    private MessageText() {}

    static String fill(String message, Object... arguments) {
        StringBuilder filled = new StringBuilder(message.length() + 32);
        int start = 0;
        for (Object argument : arguments) {
            int hole = message.indexOf("{}", start);
            if (hole < 0) {
                break;
            }
            filled.append(message, start, hole).append(argument);
            start = hole + 2;
        }
        return filled.append(message, start, message.length()).toString();
    }
}
