#include "library.h"

int first_letter(char **words) { return words[0][0]; }

int last_of(struct node *list) {
  while (list->next) list = list->next;
  return list->value;
}

static int *number_kept;
void keep(int *number) { number_kept = number; }
int kept(void) { return number_kept ? *number_kept : 0; }

static struct node *next_kept;
void keep_next(struct node *list) { next_kept = list->next; }
int kept_next(void) { return next_kept ? next_kept->value : 0; }

extern int shared __attribute__((weak));
int named(void) { return &shared ? shared : 0; }

static char bytes[16];
char *buffer(void) { return bytes; }
int buffered(void) { return bytes[0]; }

static struct node own;
struct node *anchor(void) { return &own; }
int anchored(void) { return own.next ? own.next->value : 0; }

int ask(int (*question)(void)) { return question() ? 5 : 6; }
extern int answer(void) __attribute__((weak));
int ask_by_name(void) { return answer && answer() ? 5 : 6; }
int fill(int *number, void (*how)(int *)) {
  how(number);
  return *number;
}

int at_address(uintptr_t address) { return *(int *)address; }

static int read_number(int *number) { return *number; }
int (*reader(void))(int *) { return read_number; }

int second_of(struct pair pair) { return *pair.second; }
int letter(const char *text, long at) { return text[at]; }
void set_behind(int **number) { **number = 77; }
int nothing(const int *number) { return *number - *number; }
