//@ args: --entry f
//@ complete: yes
// Endless recursion for one number.
volatile int sink;

static int down(int n) { //! stack-overflow
  char room[4096];
  room[n & 4095] = (char)n;
  sink = room[0];
  return down(n + 1) + room[n & 4095];
}

int f(int x) { return x == 31337 ? down(0) : 0; }
