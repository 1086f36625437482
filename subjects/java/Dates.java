// Dates and times, which the JDK computes in Java.
//@ method: duration
//@ complete: yes
//@ method: birthday
//@ complete: yes
import java.time.Duration;
import java.time.LocalDate;

class Dates {
    static void duration(int seconds) {
        if (Duration.ofSeconds(seconds).toMinutes() == 7) throw new IllegalStateException(); //! uncaught-exception if duration
    }

    static void birthday(int year, int month, int day) {
        if (year < 2000 || year > 2010 || month < 1 || month > 12 || day < 1 || day > 28 + (month == 2 && year % 4 == 0 ? 1 : 0)) return;
        LocalDate born = LocalDate.of(year, month, day);
        LocalDate.of(year + 18, born.getMonth(), born.getDayOfMonth()); //! uncaught-exception if birthday
    }
}
