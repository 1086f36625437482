package cute;

import xcute.Inputs;

/** The interface of jCUTE: what a program asks for is an input. */
public class Cute {
    public static int N;
    public static Input input = new Inputs();

    public static void Assume(boolean holds) {
        if (!holds) Inputs.reject();
    }

    public static void Assert(boolean holds) {
        if (!holds) Inputs.fail();
    }
}
