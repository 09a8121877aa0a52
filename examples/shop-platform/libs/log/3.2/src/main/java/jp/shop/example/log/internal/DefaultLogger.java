package jp.shop.example.log.internal;

import java.time.Instant;
import jp.shop.example.log.LogLevel;
import jp.shop.example.log.LogManager;
import jp.shop.example.log.LogRecord;
import jp.shop.example.log.Logger;
import jp.shop.example.log.MdcScope;

/** 標準出力に書くロガー。 */
public final class DefaultLogger implements Logger {
    private final String name;

    public DefaultLogger(String name) {
        this.name = name;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public boolean isEnabled(LogLevel level) {
        return level.isAtLeast(LogManager.getThreshold());
    }

    @Override
    public void log(LogLevel level, Throwable cause, String message, Object... arguments) {
        if (!isEnabled(level)) {
            return;
        }
        String text = MessageText.fill(message, arguments);
        LogRecord record = new LogRecord(Instant.now(), level, name, text, MdcScope.current(), cause);
        String line = LogManager.getFormatter().format(record);
        System.out.println(LogManager.getMaskingFilter().mask(line));
    }
}
