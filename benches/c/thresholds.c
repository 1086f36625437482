/* N independent conditions: 2^N paths. */
#include "bench.h"
#ifndef N
#define N 16
#endif

int main(void) {
  int above = 0;
  for (int i = 0; i < N; i++) {
    int reading;
    INPUT(reading);
    if (reading > 25 * i)
      above++;
  }
  return above > N;
}
