// Strings as inputs: lengths and characters are found.
//@ method: equal
//@ paths: 3
//@ complete: yes
//@ method: chars
//@ complete: yes
//@ method: parts
//@ args: --elements 5
//@ complete: yes
//@ method: search
//@ args: --elements 4
//@ complete: yes
//@ method: order
//@ args: --elements 3
//@ complete: yes
//@ method: joins
//@ args: --elements 4
//@ complete: yes
//@ method: builder
//@ complete: yes
//@ method: piece
//@ args: --elements 4
//@ complete: yes
//@ method: decimal
//@ args: --elements 3
//@ complete: yes
//@ method: choice
//@ args: --elements 4
//@ complete: yes
//@ method: numbers
//@ args: --elements 3
//@ complete: yes
//@ method: shows
//@ complete: yes
//@ method: letters
//@ complete: yes

class Strings {
    static void equal(String s) {
        if ("magic".equals(s)) throw new IllegalStateException(); //! uncaught-exception if equal
    }

    static void chars(String s) {
        if (s == null || s.length() < 3) return;
        if (s.charAt(2) == 'x' && s.charAt(0) > s.charAt(2)) throw new IllegalStateException(); //! uncaught-exception if chars
    }

    static void parts(String s) {
        if (s == null) return;
        if (s.startsWith("ab") && s.endsWith("ba") && s.length() == 3) throw new IllegalStateException("aba"); //! uncaught-exception if parts
        if (s.startsWith("-") && s.substring(1).equals("v")) throw new IllegalStateException("-v"); //! uncaught-exception if parts
    }

    static void search(String s) {
        if (s == null) return;
        int at = s.indexOf('=');
        if (at > 0 && s.indexOf("=", at + 1) < 0 && s.substring(at + 1).equals("1")) throw new IllegalStateException(); //! uncaught-exception if search
    }

    static void order(String s) {
        if (s != null && s.compareTo("m") > 0 && s.compareTo("mb") < 0 && s.length() == 2) throw new IllegalStateException(); //! uncaught-exception if order
    }

    static void joins(String s, int n) {
        if (s == null) return;
        String t = "<" + s + ">" + n;
        if (t.equals("<ok>-17")) throw new IllegalStateException(); //! uncaught-exception if joins
        if (t.length() < 3) throw new Error("at least three");
    }

    static void builder(char a, char b) {
        StringBuilder text = new StringBuilder("x");
        text.append(a).append("--").append(b);
        text.setCharAt(2, 'y');
        text.reverse();
        if (text.toString().equals("q-yzx")) throw new IllegalStateException(); //! uncaught-exception if builder
        if (text.length() != 5) throw new Error("five");
    }

    static void piece(String s) {
        if (s == null || s.length() < 3) return;
        String made = new StringBuilder("<").append(s, 1, 3).append('>').toString();
        if (made.equals("<ok>")) throw new IllegalStateException(); //! uncaught-exception if piece
    }

    static void decimal(String s) {
        try {
            if (Long.parseLong(s, 10) == -37) throw new IllegalStateException(); //! uncaught-exception if decimal
        } catch (NumberFormatException e) {
            return;
        }
    }

    static int choice(String s) {
        switch (s) { //! null-access if choice
            case "one":
                return 1;
            case "two":
                return 2;
            case "four":
                throw new IllegalStateException(); //! uncaught-exception if choice
            default:
                return 0;
        }
    }

    static int numbers(String s) {
        int n = Integer.parseInt(s); //! uncaught-exception if numbers
        if (n == -42) throw new IllegalStateException(); //! uncaught-exception if numbers
        return n;
    }

    static void shows(int n) {
        String s = String.valueOf(n);
        if (s.equals("12345")) throw new IllegalStateException(); //! uncaught-exception if shows
        if (s.length() > 11) throw new Error("at most eleven");
    }

    static void letters(char c) {
        if (Character.isDigit(c) && c > '9') throw new IllegalStateException("another script"); //! uncaught-exception if letters
        if (Character.isLetter(c) && Character.toUpperCase(c) == 'Q' && c != 'Q') throw new IllegalStateException("q"); //! uncaught-exception if letters
    }
}
