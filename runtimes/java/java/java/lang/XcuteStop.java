package java.lang;

/** Ends a run from within. It is thrown again at every further event, so a program that catches everything ends as well. */
final class XcuteStop extends Error {
    static final XcuteStop STOP = new XcuteStop();

    private XcuteStop() {
        super("xcute ends the run", null, false, false);
    }
}
