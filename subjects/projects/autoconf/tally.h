struct tally { int lines, words; };
int tally_read(const char *text, struct tally *to);
int tally_mean(const struct tally *of);
