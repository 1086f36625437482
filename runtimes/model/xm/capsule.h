// The base of all capsules.
#pragma once

#include "machine.h"

namespace xm {

struct Controller;

class Capsule : public Stateful {
public:
    const Message *msg = nullptr;  // the message that is being handled

    Capsule() = default;
    Capsule(void *, Part *) {}
    ~Capsule() override {
        for (int i = 0; xm_ends && i < xm_class->port_count; i++) {
            free(xm_ends[i].outer);
            free(xm_ends[i].inner);
        }
        for (int i = 0; xm_parts && i < xm_class->part_count; i++) free(xm_parts[i].slots);
        free(xm_ends);
        free(xm_parts);
    }

    // What models may override.
    virtual void unhandledMessage() { xm_started ? unexpectedMessage() : messageReceivedBeforeInitialized(); }
    virtual void unexpectedMessage() XM_UNEXPECTED_CONST {
        if (xm_monitor) return;
        Event("unexpected", this).text("state", xm_state_name()).port(msg->port, msg->sapIndex0_).message(msg->name, msg->type, msg->data);
        if (world.search) world.search->unexpected(xm_machine, xm_state, msg->port->number, msg->signal);
    }
    virtual void messageReceivedBeforeInitialized() { msg->defer(); }
    virtual void logMsg() {}
    virtual void _predestroy() {}

    // What models may ask.
    const char *getName() const { return xm_slot ? xm_slot->info->name : xm_class->name; }
    int getIndex() const { return xm_index; }
    int index() const { return xm_index; }
    const char *getTypeName() const { return xm_class->name; }
    const CapsuleClass *getClass() const { return xm_class; }
    bool isType(const char *name) const { return !strcmp(name, xm_class->name); }
    const char *getCurrentStateString() const { return xm_state_name(); }
    const Message *getMsg() const { return msg; }
    Part *getReference() const { return xm_slot; }
    bool isActive() const { return xm_active; }
    const char *name() const { return getName(); }
    int sendCopyToMe(const Message *message);
    Controller *context() const;

    // What the run-time system keeps.
    const CapsuleClass *xm_class = nullptr;
    Part *xm_slot = nullptr;
    int xm_index = 0;
    Endpoint *xm_ends = nullptr;
    Part *xm_parts = nullptr;
    bool xm_active = false;
    bool xm_gone = false;  // destroyed while it was active
    bool xm_monitor = false;  // it watches another one: what it does not wait for does not concern it
    bool xm_ghost = false;  // without behaviour: it stands for a capsule that is not run

    const Capsule *xm_capsule() const override { return this; }
    virtual void xm_attach() {}
    virtual const CapsuleClass *xm_own_class() const { return xm_class; }

    Capsule(const Capsule &) = delete;
    Capsule &operator=(const Capsule &) = delete;
};

inline Capsule *Message::receiver() const { return port ? port->owner : nullptr; }
inline class Port *Message::sap() const { return port ? port->view : nullptr; }

// The name of a capsule that exists: the parts that lead to it. The root is the class itself.
inline void write_path(FILE *to, const Capsule *capsule) {
    if (!capsule->xm_slot) {
        fputs(capsule->xm_class->name, to);
        return;
    }
    if (capsule->xm_slot->owner->xm_slot) {
        write_path(to, capsule->xm_slot->owner);
        fputc('.', to);
    }
    fputs(capsule->xm_slot->info->name, to);
    if (capsule->xm_slot->count > 1) fprintf(to, "[%d]", capsule->xm_index);
}

} // namespace xm
