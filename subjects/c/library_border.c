//@ args: --entry f -- -DN=1
//@ complete: yes
//@ args: --entry f -- -DN=2
//@ complete: yes
//@ args: --entry f -- -DN=3
//@ complete: yes
//@ args: --entry f -- -DN=4
//@ complete: yes
//@ args: --entry f -- -DN=5
//@ complete: yes
//@ args: --entry f -- -DN=6
//@ complete: yes
// What functions of the library that run as they are get to read and to write is checked like the program's own accesses.
#include <arpa/inet.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

int f(unsigned char room) {
  if (room > 200) return 0;
  char *buffer = malloc(room < 100 ? 3 : 600);
  if (!buffer) return 0;
  memset(buffer, 1, 3);
  const time_t day = 86400;
  const unsigned char address[4] = {192, 168, 100, 100};
  struct tm time = {.tm_mday = 1};
  if (N == 1) getcwd(buffer, 600); //! out-of-bounds if N=1
  if (N == 2) inet_ntop(AF_INET, address, buffer, 600); //! out-of-bounds if N=2
  if (N == 3) gmtime_r(&day, (struct tm *)(void *)buffer); //! out-of-bounds if N=3
  if (N == 4) frexp(8.0, (int *)(void *)buffer); //! out-of-bounds if N=4
  if (N == 5) uname((struct utsname *)(void *)buffer); //! out-of-bounds if N=5
  if (N == 6) asctime_r(&time, buffer); //! out-of-bounds if N=6
  free(buffer);
  return 1;
}
