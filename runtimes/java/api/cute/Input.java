package cute;

/** Inputs of each type, as jCUTE has them. */
public interface Input {
    boolean Boolean();

    short Short();

    int Integer();

    long Long();

    float Float();

    double Double();

    char Character();

    byte Byte();

    Object Object(String type);

    Object ObjectShallow(String type);
}
