// Explores one capsule alone: all that its environment decides are inputs of xcute.
//
// A run is a sequence of steps. In each the environment sends a message, or the timer fires that is due next, and the capsule comes to
// rest. Which message it is, its data, how long the environment waits before it sends, and what it answers are inputs; so the
// sequences of a length are the paths of a program.
//
// The same program without instrumentation (XM_TRACED) writes the trace of a run to the file that XCUTE_MODEL_TRACE names.
//
// Invariant. All numbers that tables are looked up with are constants of a branch: no address depends on an input.
#pragma once

#include "frame.h"
#include "log.h"
#include "timing.h"
#include "xcute.h"

namespace xm {

// A message that the environment can send, or answer with.
struct Offer {
    int port;
    int message;      // of the port's protocol; BOUND - FIRST_SIGNAL and UNBOUND - FIRST_SIGNAL: a connection comes or goes
    void *(*make)();  // its data, as inputs; none: it carries nothing
};

inline void fill(Message *message, const Endpoint *port, const Offer &offer) {
    if (offer.message < 0) {
        message->signal = offer.message + FIRST_SIGNAL;
        message->name = message->signal == BOUND ? "rtBound" : "rtUnbound";
        return;
    }
    if (!port->info->messages) {
        message->signal = FIRST_SIGNAL;
        message->name = "event";
        return;
    }
    const MessageType *type = &port->info->messages[offer.message];
    message->name = type->name;
    message->signal = type->signal;
    message->type = type;
    message->copy = type->copy;
    message->destroy = type->destroy;
    message->data = offer.make ? offer.make() : nullptr;
}

// One of several, as a constant.
inline int chosen(unsigned input, int count) {
    xcute_assume(input < static_cast<unsigned>(count));
    for (int i = 0; i < count - 1; i++)
        if (input == static_cast<unsigned>(i)) return i;
    return count - 1;
}

class Explorer {
public:
    Explorer(const Offer *offers, int count, int (*choose)(int count)) : offers(offers), count(count), choose(choose) {}

    void run(const CapsuleClass *root, int length) {
        open();
        world.root = make(root, nullptr, 0);
        Message none;
        world.search->begun();
        begin(world.root, &none);
        settle();
        for (int i = 0; i < length && !world.stopped; i++) {
            if (!step()) break;
            settle();
        }
        Event("end", nullptr).number("now", world.now);
        world.search = nullptr;
        destroy(world.root);
    }

private:
    const Offer *offers;
    int count;
    int (*choose)(int count);

    static void open() {
#ifdef XM_TRACED
        const char *path = getenv("XCUTE_MODEL_TRACE");
        if (path) world.trace = fopen(path, "wb");
#endif
    }

    // What the environment does next; false if nothing. That is the first choice, so that sequences grow from short to long.
    bool step() {
        int number = choose(count + 1 + (world.timers != nullptr)) - 1;
        if (number < 0) return false;
        world.search->begun();
        if (number == count) {
            if (world.timers->due > world.now) world.now = world.timers->due;
            Event("timeout", nullptr).number("now", world.now).port(world.timers->port, 0);
            return fire();
        }
        const Offer &offer = offers[number];
        Endpoint *port = &world.root->xm_ends[offer.port];
        if (port->size < 1) return true;
        wait();
        Message *message = new Message();
        message->port = port;
        if (port->size > 1) {
            unsigned index;
            xcute_input(index);
            message->sapIndex0_ = chosen(index, port->size);
        }
        fill(message, port, offer);
        Event("step", nullptr).number("now", world.now).port(port, message->sapIndex0_).message(message->name, message->type, message->data);
        append(world.queues[NORMAL], message);
        return true;
    }

    // Time passes, but no timer fires: that is a step of its own. Without a timer it makes a difference only for models that ask for the time.
    static void wait() {
#ifdef XM_CLOCK
        const int64_t most = 24 * 3600 * INT64_C(1000000000);
#else
        const int64_t most = 0;
#endif
        int64_t longest = world.timers ? world.timers->due - world.now : most;
        if (longest <= 0) return;
        int64_t delay;
        xcute_input(delay);
        xcute_assume((delay >= 0) & (delay <= longest));
        world.now += delay;
    }
};

} // namespace xm
