package java.util;

import java.time.ZoneId;

/** What copies of the JDK's classes ask for the time zone. */
public final class XcuteZone {
    private XcuteZone() {}

    public static ZoneId of(TimeZone zone) {
        return ZoneId.of(zone.getID(), ZoneId.SHORT_IDS);
    }
}
