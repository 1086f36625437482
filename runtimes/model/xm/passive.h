// Classes with a state machine whose transitions are triggered by calls.
#pragma once

#include "machine.h"

namespace xm {

class Passive : public Stateful {
public:
    Passive() = default;
    // A copy restarts, unless it is of an object that has begun: then it goes on from there.
    Passive(const Passive &other) : Stateful() { *this = other; }
    Passive &operator=(const Passive &other) {
        if (this == &other || !other.xm_machine) return *this;
        free(xm_history);
        free(xm_way);
        xm_prepare(other.xm_machine);
        xm_state = other.xm_state;
        xm_stuck = other.xm_stuck;
        xm_started = other.xm_started;
        for (int i = 0; i < xm_machine->state_count; i++) xm_history[i] = other.xm_history[i];
        return *this;
    }

protected:
    void xm_begin(const MachineInfo *machine) {
        if (xm_machine) return;
        xm_prepare(machine);
        Message none;
        xm_start(&none);
    }

    static void *xm_param(void *data, int at) { return static_cast<void **>(data)[at]; }

    virtual void rtg_init1() = 0;

    // Handles a call; the first one begins, if nobody did. One that comes while another is being handled, or that nothing is triggered by, has no effect.
    void xm_call(int operation, const char *name, void **params, int count) {
        const MessageType type = {name, operation, count, true, false, nullptr, nullptr, xm_param, nullptr, nullptr};
        Message message;
        message.name = name;
        message.signal = operation;
        message.type = &type;
        message.data = params;
        bool handled = false;
        if (!xm_machine) rtg_init1();
        if (!xm_busy) {
            xm_busy = true;
            handled = xm_handle(&message, 0, operation);
            xm_busy = false;
        }
        if (!handled) Event("unexpected call", nullptr).text("state", xm_state_name()).text("operation", name);
        message.data = nullptr;
    }

private:
    bool xm_busy = false;
};

} // namespace xm
