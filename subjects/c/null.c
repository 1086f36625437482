//@ args: --entry f
//@ paths: 3
//@ complete: yes
// A pointer that may be NULL.
struct s { int pad, x; };

int f(struct s *p) {
  if (p->x > 5) //! null-access
    return 1;
  return 0;
}
