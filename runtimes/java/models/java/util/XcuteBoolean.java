package java.util;

/** Static methods of {@link Boolean} that are followed because they are written in Java. */
public final class XcuteBoolean {
    private XcuteBoolean() {}

    public static Boolean valueOf(String text) {
        return Boolean.parseBoolean(text);
    }
}
