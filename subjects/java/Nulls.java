// Methods of the JDK that throw what their callers did not think of: for null, for a size or a place that is not there. And those that may give back the very
// string that they got.
//@ method: reversed
//@ args: --elements 2
//@ complete: yes
//@ method: found
//@ args: --elements 2
//@ complete: yes
//@ method: compared
//@ complete: yes
//@ method: characters
//@ args: --elements 2
//@ complete: yes
//@ method: some
//@ complete: yes
//@ method: sized
//@ complete: yes
//@ method: cut
//@ complete: yes
//@ method: inserted
//@ args: --elements 2
//@ complete: yes
//@ method: replaced
//@ args: --elements 2
//@ complete: yes
//@ method: lower
//@ args: --elements 2
//@ complete: no
//@ limit: uninstrumented
//@ limit: unsupported
//@ method: appended
//@ args: --elements 2
//@ complete: yes
//@ method: regardless
//@ args: --elements 2
//@ complete: yes
class Nulls {
    static void reversed(String text) {
        StringBuilder all = new StringBuilder(text); //! null-access if reversed
        if (all.reverse().toString().equals("ab")) throw new IllegalStateException("ba"); //! uncaught-exception if reversed
    }

    static void found(String part) {
        int at = "abc".indexOf(part); //! null-access if found
        if (at == 2) throw new IllegalStateException("c"); //! uncaught-exception if found
    }

    static void compared(Integer other) {
        int order = Integer.valueOf(3).compareTo(other); //! null-access if compared
        if (order > 0 && other > 1) throw new IllegalStateException("2"); //! uncaught-exception if compared
    }

    static void characters(char[] all) {
        String text = String.valueOf(all); //! null-access if characters
        if (text.equals("x")) throw new IllegalStateException("x"); //! uncaught-exception if characters
    }

    static void some(int from, int count) {
        String text = new String(new char[] {'a', 'b'}, from, count); //! out-of-bounds if some
        if (text.equals("b")) throw new IllegalStateException("b"); //! uncaught-exception if some
    }

    static void sized(int size) {
        if (size > 100) return;
        StringBuilder all = new StringBuilder(size); //! uncaught-exception if sized
        if (size == 7) throw new IllegalStateException("7"); //! uncaught-exception if sized
    }

    static void cut(int from, int to) {
        StringBuilder all = new StringBuilder("ab");
        all.delete(from, to); //! out-of-bounds if cut
        if (all.toString().equals("b")) throw new IllegalStateException("b"); //! uncaught-exception if cut
    }

    static void inserted(String text) {
        StringBuilder all = new StringBuilder();
        if (all.insert(0, text).toString().equals("null")) throw new IllegalStateException("null"); //! uncaught-exception if inserted
    }

    static void replaced(String text) {
        String other = text.replace('x', 'y'); //! null-access if replaced
        if (other.equals("yy") && !text.equals("yy")) throw new IllegalStateException("x"); //! uncaught-exception if replaced
    }

    static void lower(String text) {
        String other = text.toLowerCase(); //! null-access if lower
        if (other.equals("ab") && !text.equals("ab")) throw new IllegalStateException("A"); //! uncaught-exception if lower
    }

    static void appended(String text, String more) {
        String all = text.concat(more); //! null-access if appended
        if (all.equals("ab") && text.isEmpty()) throw new IllegalStateException("empty"); //! uncaught-exception if appended
    }

    static void regardless(String text) {
        if ("aK".equalsIgnoreCase(text) && text.charAt(1) > 127) throw new IllegalStateException("Kelvin"); //! uncaught-exception if regardless
    }
}
