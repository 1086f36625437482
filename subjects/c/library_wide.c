//@ args: --entry decoded
//@ complete: yes
//@ args: --entry plain
//@ complete: yes
//@ args: --entry encoded
//@ complete: yes
//@ args: --entry kinds
//@ complete: yes
//@ args: --entry words
//@ complete: yes
// Wide characters, in the C locale and in one of UTF-8.
#define _GNU_SOURCE
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

void decoded(char a, char b, char c) {
  char text[4] = {a, b, c, 0};
  const char *rest = text;
  wchar_t one = 0, all[4];
  mbstate_t state;
  memset(&state, 0, sizeof state);
  if (!setlocale(LC_ALL, "C.UTF-8")) return;
  if (mbrtowc(&one, text, 3, &state) == 3 && one == 0x20ac) abort(); //! abort if decoded
  if (!mbsinit(&state) && mbrlen("", 1, &state) != (size_t)-1) abort();
  if (mbtowc(&one, text, 3) == 2 && one == 0xe9) abort(); //! abort if decoded
  mbtowc(NULL, NULL, 0);
  if (mblen(text, 3) > 3) abort();
  memset(&state, 0, sizeof state);
  if (mbsrtowcs(all, &rest, 4, &state) == 2 && all[1] == 0x3b1) abort(); //! abort if decoded
  rest = text;
  memset(&state, 0, sizeof state);
  if (mbsnrtowcs(all, &rest, 1, 4, &state) > 1 && rest) abort(); //! abort if decoded
  if (mbstowcs(all, text, 4) > 3 && mbstowcs(NULL, text, 0) != (size_t)-1) abort();
}

void plain(char a) {
  wchar_t one = 0;
  if (mbrtowc(&one, &a, 1, NULL) == (size_t)-1 && (signed char)a >= 0) abort();
  if (one == L'k') abort(); //! abort if plain
  if (btowc((unsigned char)a) == 'm') abort(); //! abort if plain
  if (wctob((wint_t)(unsigned char)a) == 'n') abort(); //! abort if plain
}

void encoded(wchar_t c) {
  char text[8] = {0};
  const wchar_t line[2] = {c, 0}, *rest = line;
  if (!setlocale(LC_ALL, "C.UTF-8")) return;
  size_t n = wcrtomb(text, c, NULL);
  if (n == 2 && text[0] == (char)0xc3 && text[1] == (char)0xa9) abort(); //! abort if encoded
  if (n == (size_t)-1 && c >= 0 && c < 0xd800) abort();
  if (n == 4 && (unsigned)c == 0x1f600) abort(); //! abort if encoded
  if (wctomb(text, c) != (int)n) abort();
  if (wcsrtombs(text, &rest, 8, NULL) != (c ? n : 0)) abort();
  rest = line;
  if (wcsnrtombs(NULL, &rest, 1, 0, NULL) != (c ? n : 0) || wcstombs(text, line, 8) != (c ? n : 0)) abort();
}

void kinds(wchar_t c) {
  if (iswalpha(c) && !iswlower(c) && towlower(c) == 'q') abort(); //! abort if kinds
  if (iswdigit(c) && !iswxdigit(c)) abort();
  if (iswspace(c) && !iswblank(c) && c == '\v') abort(); //! abort if kinds
  if (iswupper(c) && towupper(c) != (wint_t)c) abort();
  if (iswpunct(c) && c == '}') abort(); //! abort if kinds
  if (iswalnum(c) != (iswalpha(c) || iswdigit(c)) * 8) abort();
  if (iswcntrl(c) && iswprint(c)) abort();
  if (iswgraph(c) && iswctype(c, wctype("space"))) abort();
}

void words(wchar_t a, wchar_t b) {
  wchar_t text[8] = {a, L'x', b, 0}, copy[8], *other;
  if (a == 0 || b == 0) return;
  if (wcslen(text) != 3 || wcsnlen(text, 2) != 2) abort();
  if (wcscmp(text, L"axb") == 0) abort(); //! abort if words
  if (wcsncmp(text, L"kx", 2) == 0) abort(); //! abort if words
  if (wcschr(text, L'z') == text + 2) abort(); //! abort if words
  if (wcsrchr(text, L'x') != text + 1) return;
  wcscpy(copy, text);
  wcsncpy(copy + 4, text, 3);
  if (wmemcmp(copy, copy + 4, 3)) abort();
  if (wcsstr(text, L"xy") || wmemchr(text, L'w', 3)) abort(); //! abort if words
  wmemset(copy, L'o', 3);
  wmemcpy(copy, text, 1);
  wmemmove(copy + 1, copy, 1);
  copy[2] = 0;
  wcscat(copy, L"-");
  wcsncat(copy, text, 1);
  other = wcsdup(copy);
  if (other && other[3] != a) abort();
  free(other);
}
