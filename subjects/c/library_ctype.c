//@ args: --entry token
//@ complete: yes
// Classes of characters are exact, and none of them is a decision by itself.
#include <ctype.h>
#include <stdlib.h>

int token(unsigned char a, unsigned char b) {
  if (!isalpha(a)) return 0;
  if (toupper(a) == a) return 1;
  if (isspace(b) || b == a + 1) return 2;
  if (ispunct(b) && tolower(a) == 'q' && b > 'z' && isgraph(b) && b != '~') abort(); //! abort
  return 3;
}
