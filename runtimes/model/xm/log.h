// Log ports: what they show becomes events of the trace, line by line.
#pragma once

#include "system.h"

namespace xm {

class LogPort : public Port {
public:
    LogPort &operator()() { return *this; }

    int log(const char *text) const { return shown(text), ended(); }
    template <class First, class... Rest> int log(const char *format, First first, Rest... rest) const {
        return show(format, first, rest...), ended();
    }
    int show(const char *text) const { return shown(text); }
    template <class First, class... Rest> int show(const char *format, First first, Rest... rest) const {
        // A search does not format: that would be a path for every number of digits.
        if (!XM_TRACING) return 1;
        char text[1024];
        snprintf(text, sizeof text, format, first, rest...);
        return shown(text);
    }

    int log(char c) const { return show("%c", c), ended(); }
    int log(bool b) const { return log(static_cast<int>(b)); }
    int log(short v) const { return log(static_cast<long long>(v)); }
    int log(int v) const { return log(static_cast<long long>(v)); }
    int log(long v) const { return log(static_cast<long long>(v)); }
    int log(long long v) const { return show("%lld", v), ended(); }
    int log(unsigned char v) const { return log(static_cast<unsigned long long>(v)); }
    int log(unsigned short v) const { return log(static_cast<unsigned long long>(v)); }
    int log(unsigned int v) const { return log(static_cast<unsigned long long>(v)); }
    int log(unsigned long v) const { return log(static_cast<unsigned long long>(v)); }
    int log(unsigned long long v) const { return show("%llu", v), ended(); }
    int log(double v) const { return show("%g", v), ended(); }
    int show(char c) const { return show("%c", c); }
    int show(int v) const { return show("%d", v); }
    int show(long v) const { return show("%ld", v); }
    int show(long long v) const { return show("%lld", v); }
    int show(unsigned int v) const { return show("%u", v); }
    int show(unsigned long v) const { return show("%lu", v); }
    int show(unsigned long long v) const { return show("%llu", v); }
    int show(double v) const { return show("%g", v); }
    template <class T> int log(const T *data, const struct ObjectClass *) const { return show("%p", static_cast<const void *>(data)), ended(); }
    // Whatever is like a std::string.
    template <class T> auto log(const T &text) const -> decltype(text.c_str(), 0) { return log(text.c_str()); }
    template <class T> auto show(const T &text) const -> decltype(text.c_str(), 0) { return show(text.c_str()); }

    int cr(int count = 1) const {
        for (int i = 0; i < count; i++) ended();
        return 1;
    }
    int crtab(int count = 1) const { return ended(), tab(count); }
    int space(int count = 1) const { return repeated(" ", count); }
    int tab(int count = 1) const { return repeated("\t", count); }
    int commit() const { return world.line_length ? ended() : 1; }
    void open() const {}
    void close() const {}
    void clear() const { world.line_length = 0; }

private:
    int repeated(const char *text, int count) const {
        for (int i = 0; i < count; i++) shown(text);
        return 1;
    }
    int shown(const char *text) const {
        for (; XM_TRACING && text && *text; text++) {
            if (*text == '\n') ended();
            else if (world.line_length + 1 < sizeof world.line) world.line[world.line_length++] = *text;
        }
        return 1;
    }
    int ended() const {
        world.line[world.line_length] = 0;
        world.line_length = 0;
        Event("log", xm_end ? xm_end->owner : nullptr).text("text", world.line);
        return 1;
    }
};

} // namespace xm
