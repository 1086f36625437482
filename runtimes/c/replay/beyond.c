/* What models ask of the runtime (models/beyond.h), where they are compiled as they are: nothing is symbolic, and nothing is checked. */
#define _GNU_SOURCE
#include "../models/beyond.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

unsigned long __xcute_choose(unsigned long value) { return value; }
unsigned long __xcute_block(const void *at, unsigned long bytes, int write) { (void)at, (void)write; return bytes; }
void __xcute_text(const char *text, unsigned long most) { (void)text, (void)most; }
int __xcute_standard(const FILE *stream) { return stream == stdout || stream == stderr; }
int __xcute_print(FILE *stream, const char *format, va_list list) { return vfprintf(stream, format, list); }
int __xcute_print_to(int descriptor, const char *format, va_list list) { return vdprintf(descriptor, format, list); }
int __xcute_say(const char *text, FILE *stream) { return fputs(text, stream); }
void __xcute_complain(const char *text) { perror(text); }
unsigned long __xcute_output(const void *from, unsigned long bytes, FILE *stream) { return fwrite(from, 1, bytes, stream); }
long __xcute_send(int descriptor, const void *from, unsigned long bytes) { return write(descriptor, from, bytes); }
long __xcute_receive(long number, const long *a, int buffer) { (void)buffer; return syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]); }
unsigned long __xcute_fetch(void *to, unsigned long bytes, FILE *stream) { return fread(to, 1, bytes, stream); }
void __xcute_lost(unsigned what) { (void)what; }
void __xcute_stream(const FILE *stream, int own) { (void)stream, (void)own; }
void __xcute_touched(void) {}
void __xcute_maps(int access) { (void)access; }

int __xcute_name(const char *name, char *to, unsigned long room) {
  if (strlen(name) >= room) return 0;
  strcpy(to, name);
  return 1;
}
