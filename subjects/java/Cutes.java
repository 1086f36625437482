// Inputs that a program asks for: jCUTE's interface and SV-COMP's.
//@ method: main
//@ complete: yes
//@ method: verifier
//@ complete: yes
//@ method: objects
//@ complete: yes
//@ method: text
//@ args: --elements 3
//@ complete: yes

import cute.Cute;
import org.sosy_lab.sv_benchmarks.Verifier;

class Cutes {
    int v;

    public static void main(String[] args) {
        int x = Cute.input.Integer();
        int y = Cute.input.Integer();
        Cute.Assume(x > 0);
        if (x * 2 == y) Cute.Assert(y != 14); //! assertion if main
        if (x < 0) throw new Error("assumed");
    }

    static void verifier() {
        int n = 0;
        while (Verifier.nondetBoolean() && n < 3) n++;
        long l = Verifier.nondetLong();
        Verifier.assume(l > 5);
        assert !(n == 2 && l == 6); //! assertion if verifier
    }

    static void objects() {
        Cutes c = (Cutes) Cute.input.Object("Cutes");
        if (c != null && c.v == Cute.input.Short() && c.v < -1000) throw new IllegalStateException(); //! uncaught-exception if objects
    }

    static void text() {
        String s = Verifier.nondetString();
        if (s.length() == 2 && s.charAt(1) == '!') throw new IllegalStateException(); //! uncaught-exception if text
    }
}
