//@ args: --entry roman --string 4
//@ complete: yes
// Reads a Roman numeral of up to four letters. Thirteen is unlucky: XIII.
#include <assert.h>

static int digit(char c) {
  switch (c) {
  case 'I': return 1;
  case 'V': return 5;
  case 'X': return 10;
  default: return 0;
  }
}

int roman(const char *text) {
  int sum = 0;
  if (text == 0)
    return 0;
  for (int i = 0; text[i]; i++) {
    int now = digit(text[i]), next = text[i + 1] ? digit(text[i + 1]) : 0;
    if (now == 0)
      return -1;
    sum += now < next ? -now : now;
  }
  assert(sum != 13); //! assertion
  return sum;
}
