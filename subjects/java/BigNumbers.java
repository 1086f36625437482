// Numbers of any size, which the JDK computes in Java.
//@ method: sum
//@ complete: yes
//@ method: price
//@ complete: yes
//@ method: read
//@ args: --elements 2
//@ complete: yes
import java.math.BigDecimal;
import java.math.BigInteger;

class BigNumbers {
    static void sum(int a) {
        BigInteger sum = BigInteger.valueOf(a).add(BigInteger.valueOf(2000000000));
        if (sum.equals(BigInteger.valueOf(4000000000L))) throw new IllegalStateException(); //! uncaught-exception if sum
        if (sum.compareTo(BigInteger.ONE.shiftLeft(32)) > 0) throw new Error("it is less");
    }

    static void price(int cents) {
        BigDecimal price = BigDecimal.valueOf(cents, 2).multiply(new BigDecimal("1.10"));
        if (price.compareTo(new BigDecimal("11.00")) == 0) throw new IllegalStateException(); //! uncaught-exception if price
        if (price.scale() != 4) throw new Error("two and two");
    }

    static void read(String text) {
        if (text == null) return;
        BigInteger value;
        try {
            value = new BigInteger(text);
        } catch (NumberFormatException e) {
            return;
        }
        if (value.intValue() == 42) throw new IllegalStateException(); //! uncaught-exception if read
        if (value.bitLength() > 7) throw new Error("two digits are not enough");
    }
}
