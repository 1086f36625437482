// Values of messages: how they are written to traces and read from sequence files.
//
// Enumerations and structures of the model get specialisations with the generated code; a type that nobody knows is written as "?".
#pragma once

#include "json.h"

namespace xm {

inline void quote(FILE *to, const char *text, size_t length) {
    fputc('"', to);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = static_cast<unsigned char>(text[i]);
        if (c == '"' || c == '\\') fprintf(to, "\\%c", c);
        else if (c < 0x20 || c >= 0x7f) fprintf(to, "\\u%04x", c);
        else fputc(c, to);
    }
    fputc('"', to);
}

inline void quote(FILE *to, const char *text) { text ? quote(to, text, strlen(text)) : (void)fputs("null", to); }

template <class T> struct Value {
    static constexpr bool known = false;
    static void write(FILE *to, const T &) { fputs("\"?\"", to); }
    static void read(const Json *from, T &, const char *what) {
        if (from->kind != Json::NONE) refuse("%s has a type without known fields (leave it out, or write null)", what);
    }
};

#define XM_INTEGER(T, FORMAT, WIDE)                                                                                                        \
    template <> struct Value<T> {                                                                                                          \
        static constexpr bool known = true;                                                                                                \
        static void write(FILE *to, const T &value) { fprintf(to, FORMAT, static_cast<WIDE>(value)); }                                     \
        static void read(const Json *from, T &to, const char *what) {                                                                      \
            if (from->kind == Json::TEXT && from->length == 1) to = static_cast<T>(from->text[0]);                                         \
            else if (from->kind == Json::TRUE || from->kind == Json::FALSE) to = static_cast<T>(from->kind == Json::TRUE);                 \
            else if (from->kind != Json::NUMBER) refuse("%s must be a number", what);                                                      \
            else if (from->text[0] == '-') to = static_cast<T>(strtoll(from->text, nullptr, 10));                                          \
            else to = static_cast<T>(strtoull(from->text, nullptr, 10));                                                                   \
        }                                                                                                                                  \
    }

XM_INTEGER(char, "%lld", long long);
XM_INTEGER(signed char, "%lld", long long);
XM_INTEGER(short, "%lld", long long);
XM_INTEGER(int, "%lld", long long);
XM_INTEGER(long, "%lld", long long);
XM_INTEGER(long long, "%lld", long long);
XM_INTEGER(unsigned char, "%llu", unsigned long long);
XM_INTEGER(unsigned short, "%llu", unsigned long long);
XM_INTEGER(unsigned int, "%llu", unsigned long long);
XM_INTEGER(unsigned long, "%llu", unsigned long long);
XM_INTEGER(unsigned long long, "%llu", unsigned long long);
XM_INTEGER(wchar_t, "%lld", long long);

template <> struct Value<bool> {
    static constexpr bool known = true;
    static void write(FILE *to, const bool &value) { fputs(value ? "true" : "false", to); }
    static void read(const Json *from, bool &to, const char *what) {
        if (from->kind != Json::TRUE && from->kind != Json::FALSE && from->kind != Json::NUMBER) refuse("%s must be true or false", what);
        to = from->integer() != 0;
    }
};

// Numbers that JSON cannot express are texts: "nan", "inf", "-inf".
#define XM_FLOAT(T, FORMAT)                                                                                                                \
    template <> struct Value<T> {                                                                                                          \
        static constexpr bool known = true;                                                                                                \
        static void write(FILE *to, const T &value) {                                                                                      \
            bool finite = value - value == 0;                                                                                              \
            fprintf(to, finite ? FORMAT : "\"" FORMAT "\"", static_cast<double>(value));                                                   \
        }                                                                                                                                  \
        static void read(const Json *from, T &to, const char *what) {                                                                      \
            if (from->kind != Json::NUMBER && from->kind != Json::TEXT) refuse("%s must be a number", what);                               \
            to = static_cast<T>(strtod(from->text, nullptr));                                                                              \
        }                                                                                                                                  \
    }

XM_FLOAT(float, "%.9g");
XM_FLOAT(double, "%.17g");
XM_FLOAT(long double, "%.17g");

// Texts outlive the message they are read for: models keep pointers to them.
#define XM_TEXT(T)                                                                                                                         \
    template <> struct Value<T> {                                                                                                          \
        static constexpr bool known = true;                                                                                                \
        static void write(FILE *to, T const &value) { quote(to, value); }                                                                  \
        static void read(const Json *from, T &to, const char *what) {                                                                      \
            if (from->kind != Json::TEXT && from->kind != Json::NONE) refuse("%s must be a text or null", what);                           \
            to = from->kind == Json::TEXT ? const_cast<char *>(from->text) : nullptr;                                                      \
        }                                                                                                                                  \
    }

XM_TEXT(char *);
XM_TEXT(const char *);

template <class T, size_t N> struct Value<T[N]> {
    static constexpr bool known = Value<T>::known;
    static void write(FILE *to, const T (&value)[N]) {
        for (size_t i = 0; i < N; i++) {
            fputc(i ? ',' : '[', to);
            Value<T>::write(to, value[i]);
        }
        fputc(']', to);
    }
    static void read(const Json *from, T (&to)[N], const char *what) {
        if (from->kind != Json::ARRAY) refuse("%s must be an array", what);
        size_t i = 0;
        for (const Json *element = from->first; element; element = element->next, i++) {
            if (i >= N) refuse("%s has more than %zu elements", what, N);
            Value<T>::read(element, to[i], what);
        }
    }
};

// An array of characters may be a text, too.
template <size_t N> struct Value<char[N]> {
    static constexpr bool known = true;
    static void write(FILE *to, const char (&value)[N]) { quote(to, value, strnlen(value, N)); }
    static void read(const Json *from, char (&to)[N], const char *what) {
        if (from->kind != Json::TEXT) refuse("%s must be a text", what);
        if (from->length > N) refuse("%s has more than %zu characters", what, N);
        memset(to, 0, N);
        memcpy(to, from->text, from->length);
    }
};

// The value of a field: by its name in an object, by its place in an array; none if it is left out.
inline const Json *argument(const Json *from, int at, const char *name) {
    if (!from || from->kind == Json::NONE) return nullptr;
    if (from->kind == Json::OBJECT) return name ? from->get(name) : nullptr;
    const Json *element = from->kind == Json::ARRAY ? from->first : nullptr;
    for (; element && at; at--) element = element->next;
    return element;
}

// Whatever is given must be a field.
inline void check_names(const Json *from, const char *const *names, int count, const char *what) {
    if (!from || from->kind == Json::NONE) return;
    if (from->kind != Json::OBJECT && from->kind != Json::ARRAY) refuse("%s must be an object or an array", what);
    int given = 0;
    for (const Json *member = from->first; member; member = member->next, given++) {
        if (from->kind == Json::ARRAY) continue;
        int at = 0;
        while (at < count && !(names[at] && !strcmp(names[at], member->key))) at++;
        if (at == count) refuse("%s has no \"%s\"", what, member->key);
    }
    if (from->kind == Json::ARRAY && given > count) refuse("%s has more than %d values", what, count);
}

// What a parameter of a message is passed as when it is sent, and how it is kept.
template <class T> struct Passed { using Type = const T &; };
template <> struct Passed<char *> { using Type = const char *; };

template <class T> const T &kept(const T &value) { return value; }
inline char *kept(const char *text) { return const_cast<char *>(text); }

template <class T> void take(T &to, const T &from) { to = from; }
template <class T, size_t N> void take(T (&to)[N], const T (&from)[N]) {
    for (size_t i = 0; i < N; i++) take(to[i], from[i]);
}

} // namespace xm
