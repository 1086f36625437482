package java.util;

/** What copies of the JDK's streams ask. */
public final class XcuteStreams {
    private XcuteStreams() {}

    /** Whether a stream works with several threads: it never does. */
    public static boolean isParallel(boolean parallel) {
        if (parallel) XcuteThreads.coarse("java.util.stream: a parallel stream is followed on one thread, in the order of its elements");
        return false;
    }

    /** What {@code toList} makes of its array; the object that does so in the JDK is left out. */
    public static List<Object> list(Object access, Object[] all) {
        return Collections.unmodifiableList(Arrays.asList(all));
    }
}
