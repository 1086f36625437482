//@ args: --entry f
//@ complete: yes
// Types with the names of the C library's, which are others: the program is a translation unit of its own.
typedef unsigned int size_t;
typedef struct { int left; } FILE;
typedef char bool;
extern void abort(void);

static size_t half(FILE *file) { return (size_t)file->left / 2; }

void f(int left, bool now) {
  FILE file = {left};
  if (now && half(&file) == 21) abort(); //! abort
}
