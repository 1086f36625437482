/* Models of getenv and its like: the environment may hold strings of the program (putenv), which it can change afterwards. */
#include "models.h"

extern char **environ;

char *MODEL(getenv)(const char *name) {
  for (char **at = environ; at && *at; at++) {
    size_t i = 0;
    while (name[i] && (*at)[i] == name[i]) i++;
    if (!name[i] && (*at)[i] == '=') return *at + i + 1;
  }
  return NULL;
}

char *MODEL(secure_getenv)(const char *name) { return MODEL(getenv)(name); }
