//! The ways on which a value leaves what is followed and comes back: each is a C function from `int` to `int`, the identity on small numbers.
//!
//! **Invariant.** For every `x` from 0 to 15 a channel returns `x`, in every process and however often it was called before; it needs no file that is there.

/// A channel: its C text, with `NAME` for its name. It may use what [`super::generate::PRELUDE`] includes.
pub(super) const CHANNELS: &[&str] = &[
    // Memory that foreign code writes, through pointers and pointers to them.
    "static struct { void *(*copy)(void *, const void *, size_t); } NAME_hooks = { memcpy };\nstatic int NAME(int x) { int y = -1; NAME_hooks.copy(&y, &x, sizeof y); return y; }",
    "static int NAME(int x) { void *(*move)(void *, const void *, size_t) = memmove; int y[2] = { -1, -1 }; move(&y[1], &x, sizeof x); return y[1]; }",
    "static int NAME(int x) { char s[8] = { 'a' + x, 0 }, *list[3] = { \"p\", s, 0 }; optind = 0; int c = getopt(2, list, \"ab:c\"); (void)c; return list[1][0] - 'a'; }",
    "static int NAME(int x) { char word[4] = { '-', 'a' + x, 0 }, *list[3] = { \"p\", word, 0 }; optind = 0; opterr = 0; int c = getopt(2, list, \"abcdefghijklmnop\"); return c - 'a'; }",
    "static int NAME(int x) { char from[2] = { 'A' + x, 0 }; const char *p = from; wchar_t to[2] = { 0 }; mbstate_t s = { 0 }; mbsrtowcs(to, &p, 2, &s); return to[0] - 'A'; }",
    "static int NAME(int x) { int y; unsigned char a[2] = { 0, (unsigned char)x }, b[2]; swab(a, b, 2); y = b[0]; return y; }",
    // Streams, files and pipes of the program's own.
    "static int NAME(int x) { FILE *p = tmpfile(); int y = -1; fprintf(p, \"%d\", x); rewind(p); if (fscanf(p, \"%d\", &y) != 1) y = -2; fclose(p); return y; }",
    "static int NAME(int x) { char *text = 0; size_t n = 0; FILE *p = open_memstream(&text, &n); fprintf(p, \"%d\", x); fclose(p); int y = atoi(text); free(text); return y; }",
    "static int NAME(int x) { char room[16] = { 0 }; FILE *p = fmemopen(room, sizeof room, \"w\"); fputc('a' + x, p); fclose(p); return room[0] - 'a'; }",
    "static int NAME(int x) { int ends[2], y = -1; if (pipe(ends)) return x; if (write(ends[1], &x, sizeof x) < 0) y = -2; if (read(ends[0], &y, sizeof y) < 0) y = -3; close(ends[0]); close(ends[1]); return y; }",
    "static int NAME(int x) { int f = memfd_create(\"m\", 0); char c = (char)x, d = -1; if (pwrite(f, &c, 1, 3) != 1) d = -2; if (pread(f, &d, 1, 3) != 1) d = -3; close(f); return d; }",
    // Children and memory that is shared with them.
    "static int NAME(int x) { int status = 0; pid_t child = fork(); if (child == 0) _exit(x); waitpid(child, &status, 0); return WEXITSTATUS(status); }",
    "static int NAME(int x) { int *m = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); *m = -1; pid_t child = fork(); if (child == 0) { *m = x; _exit(0); } waitpid(child, 0, 0); int y = *m; munmap(m, 4096); return y; }",
    // Inline assembly with operands in memory and in registers.
    "static int NAME(int x) { int y = -1; __asm__ volatile(\"movl %1, %%eax; movl %%eax, (%2)\" : : \"i\"(0), \"m\"(x), \"r\"(&y) : \"eax\", \"memory\"); return y; }",
    "static int NAME(int x) { int y; __asm__(\"leal 1(%1), %0\" : \"=r\"(y) : \"r\"(x)); return y - 1; }",
    // State of the library.
    "static int NAME(int x) { char text[8]; snprintf(text, sizeof text, \"%d\", x); setenv(\"NAME\", text, 1); const char *y = getenv(\"NAME\"); return y ? atoi(y) : -1; }",
    "static int NAME(int x) { char text[8] = \"0,\"; text[2] = (char)('a' + x); strtok(text, \",\"); const char *y = strtok(0, \",\"); return y ? *y - 'a' : -1; }",
    "static int NAME_seen; static void NAME_on(int s) { NAME_seen++; (void)s; }\nstatic int NAME(int x) { NAME_seen = 0; signal(SIGUSR1, NAME_on); for (int i = 0; i < (x & 3); i++) raise(SIGUSR1); return NAME_seen + (x & ~3); }",
    "static int NAME(int x) { errno = x; int y = errno; errno = 0; return y; }",
    "static int NAME(int x) { srand(1); random(); div_t d = div(x * 7 + 3, 7); return d.quot; }",
    // Callbacks from foreign code.
    "static int NAME_order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\nstatic int NAME(int x) { int list[3] = { 20, x, -5 }; qsort(list, 3, sizeof *list, NAME_order); return list[1]; }",
    "static int NAME_like(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\nstatic int NAME(int x) { int list[16]; for (int i = 0; i < 16; i++) list[i] = i; int *y = bsearch(&x, list, 16, sizeof *list, NAME_like); return y ? *y : -1; }",
    "static int NAME_last; static int NAME_each(const void *a, const void *b) { NAME_last = *(const int *)b; return *(const int *)a != *(const int *)b; }\nstatic int NAME(int x) { int list[16]; size_t n = 16; for (int i = 0; i < 16; i++) list[i] = i; lfind(&x, list, &n, sizeof *list, NAME_each); return NAME_last; }",
    // Text and numbers.
    "static int NAME(int x) { char text[16]; snprintf(text, sizeof text, \"%04d\", x); return (int)strtol(text, 0, 10); }",
    "static int NAME(int x) { char text[16]; sprintf(text, \"%x,%c\", x, 'q'); int y = -1; char c; sscanf(text, \"%x,%c\", (unsigned *)&y, &c); return c == 'q' ? y : -2; }",
    "static int NAME(int x) { char all[] = \"abcdefghijklmnop\"; char *at = strchr(all, 'a' + x); return at ? (int)(at - all) : -1; }",
    "static int NAME(int x) { char s[20]; memset(s, 'z', sizeof s); s[x] = 0; return (int)strlen(s); }",
    "static int NAME(int x) { double d = x / 3.0; float f = (float)x * 0.5f; return (int)(d * 3 + 0.5) == x && f * 2 == (float)x ? x : -1; }",
    "static int NAME(int x) { wchar_t w[8]; swprintf(w, 8, L\"%d\", x); return (int)wcstol(w, 0, 10); }",
    "static int NAME(int x) { int e; double m = frexp(x + 1.0, &e); return (int)ldexp(m, e) - 1; }",
    // The language itself.
    "static int NAME(int x) { union { int i; unsigned char c[4]; struct { unsigned low : 3, high : 29; } s; } u = { .i = x }; return u.c[0] == x ? (int)(u.s.low | u.s.high << 3) : -1; }",
    "static int NAME_a(int x) { return x; } static int NAME_b(int x) { return x ^ 0; }\nstatic int NAME(int x) { int (*const table[2])(int) = { NAME_a, NAME_b }; return table[x & 1](x); }",
    "static int NAME(int x) { return x <= 0 ? x : 1 + NAME(x - 1); }",
    "static int NAME(int x) { int y = 0; switch (x & 3) { again: case 3: y++; case 2: y++; case 1: y++; break; default: if (y) break; y = -3; goto again; } return x - (x & 3) + y; }",
    "static jmp_buf NAME_out;\nstatic int NAME(int x) { int y = setjmp(NAME_out); if (!y) longjmp(NAME_out, x + 1); return y - 1; }",
    "static int NAME_sum(int n, ...) { va_list all; va_start(all, n); int y = 0; for (int i = 0; i < n; i++) y += va_arg(all, int); va_end(all); return y; }\nstatic int NAME(int x) { return NAME_sum(3, x, 9, -9); }",
    "struct NAME_pair { char c; int i; }; static struct NAME_pair NAME_make(int x) { struct NAME_pair p = { 'c', x }; return p; }\nstatic int NAME(int x) { struct NAME_pair p = NAME_make(x), q = p; return q.i; }",
    "static int NAME(int x) { int n = x + 1, list[n]; for (int i = 0; i < n; i++) list[i] = i; return list[n - 1]; }",
    "static int NAME(int x) { int *p = malloc(sizeof *p); *p = x; p = realloc(p, 64); int y = p[0]; free(p); return y; }",
    "static int NAME(int x) { static const void *const to[2] = { &&even, &&odd }; goto *to[x & 1]; even: return x; odd: return x | 1; }",
    "static int NAME(int x) { int y; if (__builtin_add_overflow(x, 2147483640, &y)) return y == x + (-2147483647 - 1) + 2147483640u ? x : x; return y - 2147483640; }",
    "static _Atomic int NAME_word;\nstatic int NAME(int x) { NAME_word = x; int old = 0; atomic_compare_exchange_strong(&NAME_word, &old, old); return atomic_fetch_add(&NAME_word, 0); }",
    "#define NAME_TWICE(x) ((x) + (x))\n#define NAME_HALF(x) (NAME_TWICE(x) / 2)\nstatic int NAME(int x) { return NAME_HALF(x) + NAME_TWICE(0); }",
];

/// Ways to fail beside `FAIL`: accesses whose values nobody needs. `COND` is when it fails, `LINE` the line; the brute force sees it as `DEREF`.
pub(super) const DEAD: &[&str] = &[
    "{ int here = 1, *q = &here; if (COND) q = 0; int y = DEREF(q); (void)y; }",
    "{ struct { int key; } here = { 1 }, *q = (COND) ? 0 : &here; int y = DEREF(&q->key); (void)y; }",
];
