package org.sosy_lab.sv_benchmarks;

import xcute.Inputs;

/** The interface of the Java tasks of SV-COMP. */
public final class Verifier {
    private Verifier() {}

    public static void assume(boolean condition) {
        if (!condition) Inputs.reject();
    }

    public static boolean nondetBoolean() {
        return Inputs.next(0) != 0;
    }

    public static byte nondetByte() {
        return (byte) Inputs.next(1);
    }

    public static char nondetChar() {
        return (char) Inputs.next(2);
    }

    public static short nondetShort() {
        return (short) Inputs.next(3);
    }

    public static int nondetInt() {
        return (int) Inputs.next(4);
    }

    public static long nondetLong() {
        return Inputs.next(5);
    }

    public static float nondetFloat() {
        return Float.intBitsToFloat((int) Inputs.next(6));
    }

    public static double nondetDouble() {
        return Double.longBitsToDouble(Inputs.next(7));
    }

    public static String nondetString() {
        Object found = Inputs.object();
        return found == null ? "" : (String) found;
    }
}
