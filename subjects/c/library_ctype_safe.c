//@ args: --entry token
//@ complete: yes
// The corrected form, and what C says of the classes.
#include <ctype.h>
#include <stdlib.h>

int token(unsigned char c) {
  if (!isalnum(c) != !(isalpha(c) || isdigit(c))) abort();
  if (isdigit(c) && !isxdigit(c)) abort();
  if (isprint(c) && (iscntrl(c) || (!isgraph(c) && c != ' '))) abort();
  if (isupper(c) && !islower(tolower(c))) abort();
  return toupper(c);
}
