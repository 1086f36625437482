//@ args: --entry f
//@ complete: no
//@ limit: unsupported
// A union whose largest member is a pointer is NULL or an object, not any number: what the search cannot reach, it names.
#include <stdlib.h>

union value {
  int number;
  struct cell { int v; } *cell;
};

void f(union value u, int is_cell) {
  if (is_cell && u.cell && u.cell->v == 77) abort(); //! abort
  if (!is_cell && u.number == 5000) abort();
}
