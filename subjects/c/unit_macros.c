//@ args: --entry f
//@ complete: yes
// Macros with the names of keywords and of functions that a test could need.
#define char int
#define main another
#define memcpy(a, b, c) nothing
#define calloc 1 +
#define abort() __builtin_trap()

void f(char x) {
  if (x == 70000) abort(); //! trap
}

int main(void) { return 0; }
