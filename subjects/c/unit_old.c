//@ args: --entry f -- -std=gnu89
//@ complete: yes
// Functions in the manner of K&R, and a function that nobody declared.
extern abort();

static int sum(x, y)
  int x;
  short y;
{
  return x + y;
}

f(x, y)
  int x;
  short y;
{
  if (sum(x, y) == 12 && y == 5) abort(); //! abort
  return 0;
}
