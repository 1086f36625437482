// A reader of JSON, for sequence files. Numbers stay text, so that 64 bits are exact.
#pragma once

#include "base.h"

namespace xm {

struct Json {
    enum Kind { NONE, FALSE, TRUE, NUMBER, TEXT, ARRAY, OBJECT } kind = NONE;
    const char *key = nullptr;   // of a member of an object
    const char *text = nullptr;  // of a number or text
    size_t length = 0;           // of a text
    Json *first = nullptr;       // of an array or object
    Json *next = nullptr;

    // The member of this name; none if there is none.
    const Json *get(const char *name) const {
        for (const Json *member = first; member; member = member->next)
            if (member->key && !strcmp(member->key, name)) return member;
        return nullptr;
    }
    const char *string(const char *otherwise) const { return kind == TEXT ? text : otherwise; }
    long long integer() const { return kind == NUMBER ? strtoll(text, nullptr, 10) : kind == TRUE; }
};

class JsonReader {
public:
    explicit JsonReader(const char *text) : at(text), start(text) {}

    Json *document() {
        Json *value = this->value(0);
        space();
        if (*at) fail("text after the end");
        return value;
    }

private:
    const char *at;
    const char *start;

    [[noreturn]] void fail(const char *what) {
        int line = 1;
        for (const char *c = start; c < at; c++) line += *c == '\n';
        refuse("line %d of the sequence file: %s", line, what);
    }

    void space() { while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') at++; }

    bool word(const char *text) {
        size_t length = strlen(text);
        if (strncmp(at, text, length)) return false;
        at += length;
        return true;
    }

    Json *value(int depth) {
        if (depth > 200) fail("values are nested too deep");
        space();
        Json *value = new Json();
        if (*at == '{' || *at == '[') {
            value->kind = *at == '{' ? Json::OBJECT : Json::ARRAY;
            members(value, depth, *at == '{' ? '}' : ']');
        } else if (*at == '"') {
            value->kind = Json::TEXT;
            value->text = text(&value->length);
        } else if (word("true")) {
            value->kind = Json::TRUE;
        } else if (word("false")) {
            value->kind = Json::FALSE;
        } else if (word("null")) {
            value->kind = Json::NONE;
        } else {
            const char *begin = at;
            while (*at == '-' || *at == '+' || *at == '.' || *at == 'e' || *at == 'E' || (*at >= '0' && *at <= '9')) at++;
            if (at == begin) fail("expected a value");
            value->kind = Json::NUMBER;
            value->text = strndup(begin, static_cast<size_t>(at - begin));
        }
        return value;
    }

    void members(Json *of, int depth, char end) {
        at++;
        Json **next = &of->first;
        for (;;) {
            space();
            if (*at == end && next == &of->first) break;
            const char *key = nullptr;
            if (end == '}') {
                if (*at != '"') fail("expected a name");
                size_t length;
                key = text(&length);
                space();
                if (*at++ != ':') fail("expected ':'");
            }
            *next = value(depth + 1);
            (*next)->key = key;
            next = &(*next)->next;
            space();
            if (*at == end) break;
            if (*at++ != ',') fail("expected ','");
        }
        at++;
    }

    static char *utf8(char *to, unsigned code) {
        if (code < 0x80) {
            *to++ = static_cast<char>(code);
        } else if (code < 0x800) {
            *to++ = static_cast<char>(0xc0 | code >> 6);
            *to++ = static_cast<char>(0x80 | (code & 0x3f));
        } else {
            *to++ = static_cast<char>(0xe0 | code >> 12);
            *to++ = static_cast<char>(0x80 | (code >> 6 & 0x3f));
            *to++ = static_cast<char>(0x80 | (code & 0x3f));
        }
        return to;
    }

    const char *text(size_t *length) {
        at++;
        size_t longest = 0;
        while (at[longest] && at[longest] != '"') longest += at[longest] == '\\' && at[longest + 1] ? 2 : 1;
        char *text = static_cast<char *>(malloc(longest + 1)), *to = text;
        for (; *at != '"'; at++) {
            if (!*at) fail("a text has no end");
            if (*at != '\\') {
                *to++ = *at;
                continue;
            }
            switch (*++at) {
            case 'n': *to++ = '\n'; break;
            case 't': *to++ = '\t'; break;
            case 'r': *to++ = '\r'; break;
            case 'b': *to++ = '\b'; break;
            case 'f': *to++ = '\f'; break;
            case 'u': {
                char digits[5] = {};
                for (int i = 0; i < 4 && at[1]; i++) digits[i] = *++at;
                unsigned code = static_cast<unsigned>(strtoul(digits, nullptr, 16));
                // Characters below 256 stand for bytes: a text may hold any.
                if (code < 0x100) *to++ = static_cast<char>(code);
                else to = utf8(to, code);
                break;
            }
            default: *to++ = *at;
            }
        }
        at++;
        *to = 0;
        *length = static_cast<size_t>(to - text);
        return text;
    }
};

} // namespace xm
