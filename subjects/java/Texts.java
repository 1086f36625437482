// Methods of strings that are written in Java: splitting, replacing, regular expressions.
//@ method: pair
//@ args: --elements 3
//@ complete: yes
//@ method: limited
//@ args: --elements 3
//@ complete: yes
//@ method: address
//@ args: --elements 3
//@ complete: yes
//@ method: spaces
//@ args: --elements 3
//@ complete: yes
//@ method: groups
//@ args: --elements 3
//@ complete: yes
//@ method: replaced
//@ args: --elements 3
//@ complete: yes
//@ method: built
//@ args: --elements 2
//@ complete: yes
//@ method: bare
//@ args: --elements 2
//@ complete: yes
//@ method: shown
//@ args: --elements 2
//@ complete: yes
//@ method: nothing
//@ complete: yes
//@ method: hexed
//@ complete: yes
//@ method: wide
//@ complete: no
//@ limit: uninstrumented
//@ limit: unsupported
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

class Texts {
    static int pair(String line) {
        if (line == null) return -1;
        String[] parts = line.split("=");
        if (parts.length != 2) return 0;
        assert !(parts[0].equals("n") && parts[1].equals("7")); //! assertion if pair
        return 1;
    }

    static int limited(String line) {
        if (line == null) return -1;
        String[] all = line.split("\\.", -1), some = line.split("\\.", 2);
        assert all.length >= some.length;
        assert all.length < 4; //! assertion if limited
        return some.length;
    }

    static boolean address(String text) {
        if (text == null) return false;
        boolean fits = text.matches("[a-c]+@\\d");
        assert !fits || text.charAt(0) != 'b'; //! assertion if address
        return fits;
    }

    static String spaces(String text) {
        if (text == null) return null;
        String one = text.replaceAll(" +", "_");
        assert !one.equals("a_b"); //! assertion if spaces
        return one;
    }

    private static final Pattern RANGE = Pattern.compile("(\\d)-(\\d)");

    static int groups(String text) {
        if (text == null) return -1;
        Matcher matcher = RANGE.matcher(text);
        if (!matcher.matches()) return 0;
        int from = Integer.parseInt(matcher.group(1)), to = Integer.parseInt(matcher.group(2));
        if (from > to) throw new IllegalArgumentException(); //! uncaught-exception if groups
        return to - from;
    }

    static String replaced(String text) {
        if (text == null) return null;
        String other = text.replace("ab", "x").replace("", "-");
        assert !other.equals("-x-c-"); //! assertion if replaced
        return other;
    }

    static int built(String text) {
        if (text == null) return 0;
        StringBuilder one = new StringBuilder(text).append('!'), all = new StringBuilder("<");
        all.append((Object) one).append(one, 0, 1).append((CharSequence) one);
        assert !all.toString().equals("<a!aa!"); //! assertion if built
        return all.length();
    }

    static int bare(String text) {
        if (text == null) return 0;
        if (text.isBlank()) return text.length();
        String inside = text.strip();
        assert text.length() == inside.length() || !inside.equals("x"); //! assertion if bare
        assert !String.join(",", List.of(inside, "b")).equals("a,b"); //! assertion if bare
        return inside.repeat(2).length();
    }

    static String shown(int number, String name) {
        if (number < -99 || number > 999) return null;
        String line = String.format("%s=%03d%n", name, number);
        assert !line.equals("ab=-07\n"); //! assertion if shown
        assert !line.equals("null=123\n"); //! assertion if shown
        return line;
    }

    static String hexed(int number) {
        String text = "<%x>".formatted(number);
        assert !text.equals("<cafe>"); //! assertion if hexed
        return text;
    }

    static String wide(int number) {
        String text = String.format("%,d", number);
        return text.length() > 3 ? text : null;
    }

    /** Shows itself as nothing. */
    static final class Silent implements CharSequence {
        public int length() {
            return 0;
        }

        public char charAt(int at) {
            throw new IndexOutOfBoundsException();
        }

        public CharSequence subSequence(int from, int to) {
            return this;
        }

        public String toString() {
            return null;
        }
    }

    static String nothing(int x) {
        Silent silent = new Silent();
        assert String.format("<%s %d>", silent, 1).equals("<null 1>") && ("" + silent).equals("null");
        if (x == 1) return String.format("%5s", silent); //! null-access if nothing
        if (x == 2) return String.join(",", "a", silent); //! null-access if nothing
        if (x == 3) return "ab".replace("b", silent); //! null-access if nothing
        if (x == 4) return String.join(",", List.of("a", silent)); //! null-access if nothing
        return "";
    }
}
