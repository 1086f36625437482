#define MOST 4
struct pair { char key[8], value[8]; };
int ini_line(const char *line, struct pair *to);
int ini_store(const struct pair *pair);
const char *ini_find(const char *key);
unsigned checksum(const char *text);
