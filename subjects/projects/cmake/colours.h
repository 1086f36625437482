int colour_of(const char *name);
int colour_hex(const char *digits);
