// The trace of a run: one JSON object for each event, each in a line of its own.
#pragma once

#include "structure.h"

namespace xm {

inline void write_path(FILE *to, const Capsule *capsule);

#if !XM_TRACE
// Nothing is written.
struct Event {
    Event(const char *, const Capsule *) {}
    Event &text(const char *, const char *) { return *this; }
    Event &number(const char *, long long) { return *this; }
    Event &truth(const char *, bool) { return *this; }
    Event &port(const Endpoint *, int) { return *this; }
    Event &message(const char *, const MessageType *, const void *) { return *this; }
    Event &far(const Endpoint *, int) { return *this; }
};
#else
// An event under construction; it is written when it ends.
class Event {
public:
    Event(const char *kind, const Capsule *capsule) {
        if (!XM_TRACING) return;
        fprintf(world.trace, "{\"event\":\"%s\"", kind);
        if (!capsule) return;
        fputs(",\"capsule\":\"", world.trace);
        write_path(world.trace, capsule);
        fputc('"', world.trace);
    }
    ~Event() {
        if (!XM_TRACING) return;
        fputs("}\n", world.trace);
        fflush(world.trace);
    }
    Event(const Event &) = delete;

    Event &text(const char *key, const char *value) {
        if (XM_TRACING) {
            fprintf(world.trace, ",\"%s\":", key);
            quote(world.trace, value);
        }
        return *this;
    }
    Event &number(const char *key, long long value) {
        if (XM_TRACING) fprintf(world.trace, ",\"%s\":%lld", key, value);
        return *this;
    }
    Event &truth(const char *key, bool value) {
        if (XM_TRACING) fprintf(world.trace, ",\"%s\":%s", key, value ? "true" : "false");
        return *this;
    }
    Event &port(const Endpoint *port, int index) {
        text("port", port->info->name);
        if (port->size > 1) number("index", index);
        return *this;
    }
    Event &message(const char *name, const MessageType *type, const void *data) {
        text("message", name);
        if (XM_TRACING && type && type->params && data) {
            fputs(",\"args\":", world.trace);
            type->write(world.trace, data);
        }
        return *this;
    }
    Event &far(const Endpoint *port, int index) {
        if (!XM_TRACING) return *this;
        fputs(",\"to\":\"", world.trace);
        write_path(world.trace, port->owner);
        fprintf(world.trace, ".%s", port->info->name);
        if (port->size > 1) fprintf(world.trace, "[%d]", index);
        fputc('"', world.trace);
        return *this;
    }
};
#endif

} // namespace xm
