package java.util;

import java.util.regex.Pattern;

/** Methods of {@link String} that are followed because they are written in Java: each has the string as its first argument, unless the original is static. */
public final class XcuteText {
    private XcuteText() {}

    public static boolean matches(String text, String regex) {
        exists(text, "matches(String)");
        return Pattern.matches(regex, text);
    }

    public static String replaceAll(String text, String regex, String by) {
        exists(text, "replaceAll(String, String)");
        return Pattern.compile(regex).matcher(text).replaceAll(by);
    }

    public static String replaceFirst(String text, String regex, String by) {
        exists(text, "replaceFirst(String, String)");
        return Pattern.compile(regex).matcher(text).replaceFirst(by);
    }

    public static String[] split(String text, String regex) {
        exists(text, "split(String)");
        return split(text, regex, 0);
    }

    public static String[] split(String text, String regex, int limit) {
        exists(text, "split(String, int)");
        int literal = literal(regex);
        if (literal < 0) return Pattern.compile(regex).split(text, limit);
        int count = 1;
        for (int at = text.indexOf(literal); at >= 0 && (limit <= 0 || count < limit); at = text.indexOf(literal, at + 1)) count++;
        if (count == 1) return new String[] {text};
        String[] parts = new String[count];
        int from = 0, filled = 0;
        for (int part = 0; part < count; part++) {
            int to = part == count - 1 ? text.length() : text.indexOf(literal, from);
            parts[part] = text.substring(from, to);
            if (to > from) filled = part + 1;
            from = to + 1;
        }
        if (limit != 0 || filled == count) return parts;
        String[] shorter = new String[filled];
        for (int part = 0; part < filled; part++) shorter[part] = parts[part];
        return shorter;
    }

    /** The character that a regular expression stands for, if it is one: -1 where it is more. */
    private static int literal(String regex) {
        int length = regex.length();
        if (length == 1) {
            char c = regex.charAt(0);
            return ".$|()[{^?*+\\".indexOf(c) < 0 && !Character.isSurrogate(c) ? c : -1;
        }
        if (length != 2 || regex.charAt(0) != '\\') return -1;
        char c = regex.charAt(1);
        boolean special = c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || Character.isSurrogate(c);
        return special ? -1 : c;
    }

    public static String replace(String text, CharSequence old, CharSequence by) {
        exists(text, "replace(java.lang.CharSequence, java.lang.CharSequence)");
        String wanted = old.toString(), instead = by.toString();
        StringBuilder all = new StringBuilder();
        int from = 0;
        if (wanted.isEmpty()) {
            for (; from < text.length(); from++) all.append(instead).append(text.charAt(from));
            return all.append(instead).toString();
        }
        for (int at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, from)) {
            all.append(text.substring(from, at)).append(instead);
            from = at + wanted.length();
        }
        return from == 0 ? text : all.append(text.substring(from)).toString();
    }

    public static String repeat(String text, int count) {
        exists(text, "repeat(int)");
        if (count == 1) return text;
        if (count < 0) throw new IllegalArgumentException("count is negative: " + count);
        // Only the JVM knows whether it has the memory.
        if (count > 10_000) return text.repeat(count);
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < count; i++) all.append(text);
        return all.toString();
    }

    public static String join(CharSequence between, CharSequence[] parts) {
        String by = between.toString();
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < parts.length; i++) {
            if (i > 0) all.append(by);
            all.append(String.valueOf(parts[i]));
        }
        return all.toString();
    }

    public static String join(CharSequence between, Iterable<? extends CharSequence> parts) {
        exists(between);
        exists(parts);
        String by = between.toString();
        StringBuilder all = new StringBuilder();
        boolean more = false;
        for (CharSequence part : parts) {
            if (more) all.append(by);
            more = true;
            all.append(String.valueOf(part));
        }
        return all.toString();
    }

    public static boolean isBlank(String text) {
        exists(text, "isBlank()");
        return first(text) == text.length();
    }

    public static String strip(String text) {
        exists(text, "strip()");
        int from = first(text);
        return text.substring(from, last(text, from));
    }

    public static String stripLeading(String text) {
        exists(text, "stripLeading()");
        return text.substring(first(text));
    }

    public static String stripTrailing(String text) {
        exists(text, "stripTrailing()");
        return text.substring(0, last(text, 0));
    }

    private static int first(String text) {
        int from = 0;
        while (from < text.length() && Character.isWhitespace(text.charAt(from))) from++;
        return from;
    }

    private static int last(String text, int from) {
        int to = text.length();
        while (to > from && Character.isWhitespace(text.charAt(to - 1))) to--;
        return to;
    }

    public static int compareToIgnoreCase(String text, String other) {
        exists(text, "compareToIgnoreCase(String)");
        int common = Math.min(text.length(), other.length());
        for (int i = 0; i < common; i++) {
            char a = text.charAt(i), b = other.charAt(i);
            // Two characters may be one letter.
            if (Character.isSurrogate(a) || Character.isSurrogate(b)) return text.compareToIgnoreCase(other);
            int difference = folded(a) - folded(b);
            if (difference != 0) return difference;
        }
        return text.length() - other.length();
    }

    private static char folded(char c) {
        return Character.toLowerCase(Character.toUpperCase(c));
    }

    public static boolean regionMatches(String text, int from, String other, int at, int length) {
        exists(text, "regionMatches(int, String, int, int)");
        exists(other);
        if (at < 0 || from < 0 || from > (long) text.length() - length || at > (long) other.length() - length) return false;
        for (int i = 0; i < length; i++) {
            if (text.charAt(from + i) != other.charAt(at + i)) return false;
        }
        return true;
    }

    private static void exists(Object object) {
        if (object == null) throw new NullPointerException();
    }

    private static void exists(String text, String method) {
        if (text == null) throw new NullPointerException("Cannot invoke \"String." + method + "\"");
    }
}
