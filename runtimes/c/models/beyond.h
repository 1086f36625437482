/* What models ask of the runtime (`runtimes/c/beyond.c`).
 *
 * The instrumenter turns the first three into hooks, which see whether what they are given is symbolic.
 *
 * **Invariant.** What goes out from `__xcute_print` to `__xcute_send` never comes back to the program: they are for the standard streams and
 * descriptors only. */
#ifndef XCUTE_MODELS_OUTSIDE_H
#define XCUTE_MODELS_OUTSIDE_H

#include "models.h"

#include <stdarg.h>
#include <stdio.h>

/* The value, which is one number from here on. Each number is a path of its own. */
unsigned long __xcute_choose(unsigned long value);

/* Checks that these bytes can be read (written), and decides how many they are. */
unsigned long __xcute_block(const void *at, unsigned long bytes, int write);

/* Checks that a text ends, within its object or after `most` bytes. */
void __xcute_text(const char *text, unsigned long most);

/* Whether this is the stream that standard output or standard error is at the start. */
int __xcute_standard(const FILE *stream);

/* vfprintf, vdprintf, fputs, perror, fwrite and write, for what never comes back. */
int __xcute_print(FILE *stream, const char *format, va_list list);
int __xcute_print_to(int descriptor, const char *format, va_list list);
int __xcute_say(const char *text, FILE *stream);
void __xcute_complain(const char *text);
unsigned long __xcute_output(const void *from, unsigned long bytes, FILE *stream);
long __xcute_send(int descriptor, const void *from, unsigned long bytes);

/* System calls that write to the program's memory, and fread: at most the number of bytes that the argument after the buffer says. What came is
 * checked to fit. */
long __xcute_receive(long number, const long *arguments, int buffer);
unsigned long __xcute_fetch(void *to, unsigned long bytes, FILE *stream);

/* Copies the bytes of a name as they are in this run; 0: it is too long. A symbolic name is a limit. */
int __xcute_name(const char *name, char *to, unsigned long room);

/* Names what is not modelled (`enum xc_lost` of wire.h, without its high bits): the search is not complete. */
void __xcute_lost(unsigned what);
enum { LOST_FILE = 2, LOST_NAME = 7, LOST_MAPPING, LOST_DIRECTORY, LOST_SIZE, LOST_WIDE, LOST_BUFFERED, LOST_PROCESS };

/* Tells the runtime which streams are models' own (foreign code sees them empty), and that files hold what the disk does not. */
void __xcute_stream(const FILE *stream, int own);
void __xcute_touched(void);

/* A file is mapped and shared: what is stored there, now or after mprotect, does not come to the file. */
void __xcute_maps(int access);

#endif
