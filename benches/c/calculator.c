/* Evaluates an expression of 8 characters. The failure is an answer of 42 with parentheses inside parentheses. */
#include "bench.h"
#define LENGTH 8

static unsigned char text[LENGTH + 1];
static int at, nesting, deepest, wrong;

static int sum(void);

static int number(void) {
  int value = 0;
  if (text[at] < '0' || text[at] > '9')
    wrong = 1;
  while (text[at] >= '0' && text[at] <= '9')
    value = 10 * value + text[at++] - '0';
  return value;
}

static int atom(void) {
  int value;
  if (wrong)
    return 0;
  if (text[at] == '-') {
    at++;
    return -atom();
  }
  if (text[at] != '(')
    return number();
  at++;
  if (++nesting > deepest)
    deepest = nesting;
  value = sum();
  nesting--;
  if (text[at] == ')')
    at++;
  else
    wrong = 1;
  return value;
}

static int product(void) {
  int value = atom();
  while (!wrong && (text[at] == '*' || text[at] == '/')) {
    int times = text[at++] == '*', right = atom();
    if (times)
      value *= right;
    else if (right != 0)
      value /= right;
    else
      wrong = 1;
  }
  return value;
}

static int sum(void) {
  int value = product();
  while (!wrong && (text[at] == '+' || text[at] == '-')) {
    int plus = text[at++] == '+', right = product();
    value = plus ? value + right : value - right;
  }
  return value;
}

int main(void) {
  unsigned char c;
  int value;
  for (int i = 0; i < LENGTH; i++) {
    INPUT(c);
    text[i] = c;
  }
  value = sum();
  if (!wrong && text[at] == 0)
    if (deepest >= 2 && value == 42)
      FAIL();
  return 0;
}
