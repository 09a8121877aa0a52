package jp.shop.example.log.internal;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import jp.shop.example.log.LogFormatter;
import jp.shop.example.log.LogRecord;

/** ログ基盤が取り込む 1 行の JSON。 */
public final class JsonFormatter implements LogFormatter {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ISO_OFFSET_DATE_TIME.withZone(ZoneId.of("Asia/Tokyo"));

    @Override
    public String format(LogRecord record) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("time", TIME.format(record.time()));
        fields.put("level", record.level().name());
        fields.put("logger", record.logger());
        fields.put("message", record.message());
        record.context().forEach((key, value) -> fields.putIfAbsent(key, value));
        if (record.cause() != null) {
            fields.put("stack", StackTraces.of(record.cause()));
        }
        return fields.entrySet().stream()
                .map(field -> quoted(field.getKey()) + ":" + quoted(field.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(character -> {
            switch (character) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> quoted.append(character < ' ' ? "\\u%04x".formatted(character) : (char) character);
            }
        });
        return quoted.append('"').toString();
    }
}
