//@ args: --entry main --schedules dpor -- -DN=2
//@ paths: 2
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=2
//@ paths: 2
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DN=3
//@ paths: 6
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=3
//@ paths: 6
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DN=4
//@ paths: 24
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=4
//@ paths: 24
//@ complete: yes
// N writers: every order counts, N! of them.
#include "run.h"

int x;

THREAD(writer) { x = NUMBER; return 0; } //! data-race

int main(void) { run_same(writer, N); }
