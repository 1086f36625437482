//@ args: --entry account
//@ paths: 5
//@ complete: yes
// Caught across frames, rethrown, uncaught; what is thrown stays symbolic.
#include <stdexcept>

struct overdrawn { int by; };

static int withdraw(int balance, int sum) {
  if (sum < 0) throw std::invalid_argument("negative sum");  //! uncaught-exception
  if (sum > balance) throw overdrawn{sum - balance};
  return balance - sum;
}

int account(int sum) {
  try {
    return withdraw(100, sum);
  } catch (const overdrawn &o) {
    if (o.by == 77) throw;  //! uncaught-exception
    return o.by > 1000 ? 1 : 0;
  }
}
