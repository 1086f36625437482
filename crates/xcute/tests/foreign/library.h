/* A library that is not instrumented, and all that one can do with memory. */
#include <stdint.h>

struct node { struct node *next; int value; };
struct pair { int *first, *second; };

int first_letter(char **words);       /* behind a pointer to a pointer */
int last_of(struct node *list);       /* behind any number of them */
void keep(int *number);               /* for later */
int kept(void);
void keep_next(struct node *list);    /* what is found is for later */
int kept_next(void);
int named(void);                      /* a variable of the program */
char *buffer(void);                   /* its own memory */
int buffered(void);
struct node *anchor(void);            /* its own memory, with a pointer in it */
int anchored(void);
int ask(int (*question)(void));       /* calls back */
int ask_by_name(void);                /* a function of the program */
int fill(int *number, void (*how)(int *));
int at_address(uintptr_t address);    /* a number that is an address */
int (*reader(void))(int *);           /* a function that only it knows */
int second_of(struct pair pair);      /* pointers by value */
int letter(const char *text, long at);
void set_behind(int **number);        /* writes */
int nothing(const int *number);       /* looks at one number */
