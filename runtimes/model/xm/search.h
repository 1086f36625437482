// Explores one capsule alone, or with all capsules in its parts: all that their environment decides are inputs of xcute.
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

// An input that is less than a number: a search assumes it, random testing makes it so.
inline unsigned within(unsigned input, int count) {
#ifdef XM_RANDOM
    return input % static_cast<unsigned>(count);
#else
    xcute_assume(input < static_cast<unsigned>(count));
    return input;
#endif
}

// One of several, as a constant.
inline int chosen(unsigned input, int count) {
    input = within(input, count);
    for (int i = 0; i < count - 1; i++)
        if (input == static_cast<unsigned>(i)) return i;
    return count - 1;
}

// What a class of capsules can be sent by the environment.
struct Offers {
    const CapsuleClass *of;
    const Offer *offers;
    int count;
};

// A message to a port that exists.
struct Possible {
    Endpoint *port;
    const Offer *offer;
};

// Shows a monitor a message that another capsule got or sent: it handles it at once.
inline void show(const Capsule *monitor, int port, const char *name, int signal, const MessageType *type, const void *data) {
    Message *message = new Message();
    message->port = &monitor->xm_ends[port];
    message->name = name;
    message->signal = signal;
    message->type = type;
    if (type) {
        message->copy = type->copy;
        message->destroy = type->destroy;
        message->data = data ? type->copy(data) : nullptr;
    }
    deliver(message);
}

class Explorer {
public:
    Explorer(const Offers *classes, int count, int (*choose)(int count)) : classes(classes), count(count), choose(choose) {}

    void run(const CapsuleClass *root, int length) {
        open();
        world.root = make(root, nullptr, 0);
        world.search->started();
        Message none;
        world.search->begun();
        begin(world.root, &none);
        settle();
        for (int i = 0; i < length && !world.stopped; i++) {
            if (!step()) break;
            settle();
        }
        if (!world.stopped) world.search->ended();
        Event("end", nullptr).number("now", world.now);
        world.search->finished();
        world.search = nullptr;
        destroy(world.root);
        free(possible);
    }

private:
    const Offers *classes;
    int count;
    int (*choose)(int count);
    Possible *possible = nullptr;
    int most = 0;

    static void open() {
#ifdef XM_TRACED
        const char *path = getenv("XCUTE_MODEL_TRACE");
        if (path) world.trace = fopen(path, "wb");
#endif
    }

    static bool is_open(const Endpoint *port, int index) { return far_end(port, index).environment; }

    // Lists what the environment can send to a capsule and to all inside it, after what is listed already.
    int list(Capsule *capsule, int listed) {
        if (capsule->xm_ghost || capsule->xm_gone) return listed;
        const Offers *own = nullptr;
        for (int i = 0; i < count && !own; i++)
            if (classes[i].of == capsule->xm_class) own = &classes[i];
        for (int i = 0; own && i < own->count; i++) {
            Endpoint *port = &capsule->xm_ends[own->offers[i].port];
            // A message that is ignored leads nowhere.
            if (!world.search->all && !capsule->xm_waits(port->number, own->offers[i].message + FIRST_SIGNAL)) continue;
            bool opened = false;
            for (int j = 0; j < port->size && !opened; j++) opened = port->info->system || is_open(port, j);
            if (!opened) continue;
            if (listed == most) {
                most = most ? 2 * most : 16;
                possible = static_cast<Possible *>(realloc(possible, static_cast<size_t>(most) * sizeof(Possible)));
            }
            possible[listed++] = Possible{port, &own->offers[i]};
        }
        for (int i = 0; !XM_UNIT && i < capsule->xm_class->part_count; i++)
            for (int j = 0; j < capsule->xm_parts[i].count; j++) {
                Capsule *inside = capsule->xm_parts[i].slots[j];
                if (inside && inside->xm_slot == &capsule->xm_parts[i]) listed = list(inside, listed);
            }
        return listed;
    }

    // What the environment does next; false if nothing. That is the first choice, so that sequences grow from short to long.
    bool step() {
        int listed = list(world.root, 0);
        int number = choose(listed + 1 + (world.timers != nullptr)) - 1;
        if (number < 0) return false;
        world.search->begun();
        if (number == listed) {
            if (world.timers->due > world.now) world.now = world.timers->due;
            Event("timeout", world.timers->port->owner).number("now", world.now).port(world.timers->port, 0);
            world.search->passed();
            return fire();
        }
        const Offer &offer = *possible[number].offer;
        Endpoint *port = possible[number].port;
        wait();
        Message *message = new Message();
        message->port = port;
        if (port->size > 1) message->sapIndex0_ = end_of(port);
        fill(message, port, offer);
        Event("step", port->owner).number("now", world.now).port(port, message->sapIndex0_).message(message->name, message->type, message->data);
        append(world.queues[NORMAL], message);
        return true;
    }

    // One of the ends of a port that the environment is at.
    static int end_of(const Endpoint *port) {
        int ends = 0;
        for (int i = 0; i < port->size; i++) ends += is_open(port, i);
        if (!ends) return 0;
        unsigned index;
        xcute_input(index);
        int nth = chosen(index, ends);
        for (int i = 0; i < port->size; i++)
            if (is_open(port, i) && nth-- == 0) return i;
        return 0;
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
#ifdef XM_RANDOM
        delay = static_cast<int64_t>(static_cast<uint64_t>(delay) % (static_cast<uint64_t>(longest) + 1));
#endif
        xcute_assume((delay >= 0) & (delay <= longest));
        world.now += delay;
        world.search->passed();
    }
};

} // namespace xm
