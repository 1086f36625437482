//@ args: --entry main --schedules dpor
//@ paths: 4
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 4
//@ complete: yes
// A writer that starts first, and two readers. The paper's third algorithm as it is printed finds three of the four.
#include "run.h"

int x;

THREAD(writer) { x = 0; return 0; }
THREAD(reader) { int v = x; (void)v; return 0; } //! data-race

int main(void) { RUN(writer, reader, reader); }
