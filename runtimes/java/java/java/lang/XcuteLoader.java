package java.lang;

/**
 * Loads classes out of memory. There is one loader for copies of classes of the JDK and one for the program; each is used for as long as what its
 * classes hold in static fields is as it was, and then replaced.
 */
final class XcuteLoader extends ClassLoader {
    private final int group;
    /** What its classes have in static fields at first. */
    final XcuteStatics statics;

    XcuteLoader(ClassLoader parent, int group) {
        super(parent);
        this.group = group;
        statics = new XcuteStatics(parent instanceof XcuteLoader copies ? copies.statics : null);
        setDefaultAssertionStatus(group == XcuteHost.PROGRAM);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> found = findLoadedClass(name);
            if (found != null) return found;
            byte[] bytes = XcuteHost.bytes(name, group);
            if (bytes == null) return super.loadClass(name, resolve);
            found = defineClass(name, bytes, 0, bytes.length, null);
            statics.loaded(found);
            return found;
        }
    }
}
