// An account with a partner: inputs are an object with what it leads to, a number and a string.
//@ method: withdraw
//@ paths: 14
//@ complete: yes
//@ method: idle
//@ paths: 2
//@ complete: yes

class Account {
    int balance;
    Account partner;

    int withdraw(int amount, String note) {
        if (amount <= 0) throw new IllegalArgumentException("amount must be positive"); //! uncaught-exception if withdraw
        if (note.length() > 3 && note.startsWith("VIP")) balance += 100; //! null-access if withdraw
        balance -= amount;
        if (partner != null && partner.balance == balance) {
            // Seven is nobody's balance.
            return 100 / (balance - 7); //! division-by-zero if withdraw
        }
        return balance;
    }

    static void idle(int seconds) {
        if (seconds > 3) new Thread(() -> {}).start();
    }

    static int twice(int x) {
        return 2 * x;
    }

    static long twice(long x) {
        return 2 * x;
    }
}
