package java.util;

import java.util.regex.Matcher;
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
        return replaced(text, Pattern.compile(regex).matcher(text), by, true);
    }

    public static String replaceFirst(String text, String regex, String by) {
        exists(text, "replaceFirst(String, String)");
        return replaced(text, Pattern.compile(regex).matcher(text), by, false);
    }

    private static String replaced(String text, Matcher found, String by, boolean all) {
        if (by == null || by.indexOf('$') >= 0 || by.indexOf('\\') >= 0) return all ? found.replaceAll(by) : found.replaceFirst(by);
        if (!found.find()) return text;
        StringBuilder parts = new StringBuilder();
        int from = 0;
        do {
            parts.append(text.substring(from, found.start())).append(by);
            from = found.end();
        } while (all && found.find());
        return parts.append(text.substring(from)).toString();
    }

    public static String formatted(String format, Object[] arguments) {
        exists(format, "formatted(Object[])");
        return format(format, arguments);
    }

    /** Numbers, texts, characters and booleans, with a width at most; for others it asks the JDK. */
    public static String format(String format, Object[] arguments) {
        if (format == null || arguments == null || !isSimple(format, arguments)) return String.format(format, arguments);
        StringBuilder all = new StringBuilder();
        int next = 0;
        for (int at = 0; at < format.length(); at++) {
            char c = format.charAt(at);
            if (c != '%') {
                all.append(c);
                continue;
            }
            c = format.charAt(++at);
            boolean left = c == '-', zeros = c == '0';
            int width = 0;
            for (; c == '-' || isDigit(c); c = format.charAt(++at)) {
                if (c != '-') width = 10 * width + c - '0';
            }
            String text = c == '%' ? "%" : c == 'n' ? "\n" : c == 'x' ? hex(arguments[next++]) : String.valueOf(arguments[next++]);
            // The JDK appends it as it is, unless it has to know its length.
            if (text == null && width == 0) text = "null";
            boolean negative = zeros && text.charAt(0) == '-';
            if (negative) all.append('-');
            for (int i = text.length(); i < width && !left; i++) all.append(zeros ? '0' : ' ');
            all.append(negative ? text.substring(1) : text);
            for (int i = text.length(); i < width && left; i++) all.append(' ');
        }
        return all.toString();
    }

    private static boolean isSimple(String format, Object[] arguments) {
        int next = 0;
        for (int at = 0; at < format.length(); at++) {
            if (format.charAt(at) != '%') continue;
            int begin = ++at;
            boolean flagged = at < format.length() && (format.charAt(at) == '-' || format.charAt(at) == '0');
            boolean zeros = flagged && format.charAt(at) == '0';
            if (flagged) at++;
            int digits = at;
            while (at < format.length() && isDigit(format.charAt(at))) at++;
            // A width begins with another digit, has few of them, and has to be there if a flag is.
            if (at >= format.length() || at > digits && format.charAt(digits) == '0' || at > digits + 3 || flagged && at == digits) return false;
            char c = format.charAt(at);
            if (c == '%' || c == 'n') {
                if (at > begin) return false;
            } else if (next == arguments.length || !fits(c, arguments[next++], zeros)) {
                return false;
            }
        }
        return true;
    }

    private static boolean fits(char conversion, Object argument, boolean zeros) {
        boolean number = argument instanceof Integer || argument instanceof Long;
        return switch (conversion) {
            case 's' -> !zeros && !(argument instanceof Formattable);
            case 'd' -> number || argument instanceof Short || argument instanceof Byte;
            case 'x' -> number;
            case 'c' -> !zeros && argument instanceof Character;
            case 'b' -> !zeros && argument instanceof Boolean;
            default -> false;
        };
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static String hex(Object number) {
        boolean wide = number instanceof Long;
        long value = wide ? (Long) number : (Integer) number;
        int digits = wide ? 16 : 8;
        while (digits > 1 && (value >>> 4 * (digits - 1) & 15) == 0) digits--;
        StringBuilder all = new StringBuilder();
        for (int digit = digits - 1; digit >= 0; digit--) {
            int four = (int) (value >>> 4 * digit) & 15;
            // The letters are 39 characters after what would follow the digit 9; a branch would double the paths.
            all.append((char) ('0' + four + (9 - four >> 31 & 39)));
        }
        return all.toString();
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
        exists(wanted);
        exists(instead);
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
            String part = String.valueOf(parts[i]);
            exists(part);
            all.append(part);
        }
        return all.toString();
    }

    public static String join(CharSequence between, Iterable<? extends CharSequence> parts) {
        exists(between);
        exists(parts);
        String by = between.toString();
        StringBuilder all = new StringBuilder();
        boolean more = false;
        for (CharSequence next : parts) {
            String part = String.valueOf(next);
            exists(part);
            if (more) all.append(by);
            more = true;
            all.append(part);
        }
        return all.toString();
    }

    /** For {@link StringJoiner}; the object that does so in the JDK is left out. */
    public static String joined(Object access, String before, String after, String between, String[] parts, int size) {
        StringBuilder all = new StringBuilder();
        all.append(before);
        for (int i = 0; i < size; i++) {
            if (i > 0) all.append(between);
            all.append(parts[i]);
        }
        return all.append(after).toString();
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
