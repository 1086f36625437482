// What a fuzzer of Java calls: a byte array is the only input, so a corpus can be one as well.
//@ method: fuzzerTestOneInput
//@ args: --elements 5
//@ complete: yes

class Fuzzed {
    static void fuzzerTestOneInput(byte[] data) {
        if (data == null || data.length < 4 || data[0] != 'X' || data[1] != (byte) 0xFE) return;
        int sum = 0;
        for (int i = 3; i < data.length; i++) sum += data[i] & 0xFF;
        if (data[2] == 3 && sum == 300) throw new IllegalStateException("a sum"); //! uncaught-exception
    }

    static int number(int n) {
        return n;
    }
}
