package jp.shop.example.log.internal;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import jp.shop.example.log.LogFormatter;
import jp.shop.example.log.LogRecord;

/** 人が読むための 1 行。 */
public final class LineFormatter implements LogFormatter {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneId.of("Asia/Tokyo"));

    @Override
    public String format(LogRecord record) {
        String line = "%s %-5s [%s] %s %s".formatted(
                TIME.format(record.time()), record.level(), record.logger(), record.message(), record.context());
        return record.cause() == null ? line : line + System.lineSeparator() + StackTraces.of(record.cause());
    }
}
