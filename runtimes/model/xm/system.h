// Capsules come and go, messages are delivered, time passes.
//
// A capsule is complete before its behaviour begins: its fixed parts exist and are connected, and their behaviour has begun already.
#pragma once

#include "connect.h"

namespace xm {

// A timer that was set.
struct Timer {
    uint64_t number;
    Endpoint *port;
    int64_t due;
    int64_t period;  // 0: it fires once
    int priority;
    void *data;
    void *(*copy)(const void *);
    void (*destroy)(void *);
    bool pending;  // it fired, and its message waits
    Timer *next;
};

inline void drop_timer(Timer *timer) {
    for (Timer **at = &world.timers; *at; at = &(*at)->next)
        if (*at == timer) {
            *at = timer->next;
            break;
        }
    if (timer->data && timer->destroy) timer->destroy(timer->data);
    delete timer;
}

inline void arm(Timer *timer) {
    Timer **at = &world.timers;
    while (*at && (*at)->due <= timer->due) at = &(*at)->next;
    timer->next = *at;
    *at = timer;
}

// Takes back all messages that a timer has sent.
inline void unsend(const Timer *timer) {
    auto of_timer = [&](Message *message) { return message->timer == timer; };
    auto drop = [](Message *message) { delete message; };
    for (Queue &queue : world.queues) take_out(queue, INT32_MAX, of_timer, drop);
    take_out(world.deferred, INT32_MAX, of_timer, drop);
}

// A capsule that stands for one that is not run.
class Ghost : public Capsule {};

inline void set_up(Capsule *capsule, const CapsuleClass *type, Part *slot, int index) {
    capsule->xm_class = type;
    capsule->xm_slot = slot;
    capsule->xm_index = index;
    capsule->xm_ends = array<Endpoint>(type->port_count);
    for (int i = 0; i < type->port_count; i++) {
        Endpoint &end = capsule->xm_ends[i];
        end.owner = capsule;
        end.info = &type->ports[i];
        end.number = i;
        end.size = end.info->excluded ? 0 : end.info->size();
        end.notify = end.info->notify;
        end.outer = array<Plug>(end.size);
        end.inner = end.info->behavior ? nullptr : array<Plug>(end.size);
    }
    capsule->xm_parts = array<Part>(type->part_count);
    for (int i = 0; i < type->part_count; i++) {
        Part &part = capsule->xm_parts[i];
        part.owner = capsule;
        part.info = &type->parts[i];
        part.number = i;
        part.count = part.info->excluded ? 0 : part.info->size();
        part.slots = array<Capsule *>(part.count);
    }
}

inline bool has_connector(const CapsuleClass *type, int part, int port) {
    for (int i = 0; i < type->connector_count; i++)
        for (int end = 0; end < 2; end++)
            if (type->connectors[i].part[end] == part && type->connectors[i].port[end] == port) return true;
    return false;
}

// Ports to which nothing of the model leads belong to the environment.
inline void open_ports(Capsule *capsule) {
    for (int i = 0; i < capsule->xm_class->port_count; i++) {
        Endpoint &end = capsule->xm_ends[i];
        if (end.info->system) continue;
        if (!XM_UNIT) {
            bool inside = end.info->behavior && has_connector(capsule->xm_class, -1, i);
            bool outside = capsule->xm_slot && has_connector(capsule->xm_slot->owner->xm_class, capsule->xm_slot->number, i);
            if (inside || outside || end.info->wiring != Wiring::WIRED) continue;
        }
        for (int j = 0; j < end.size; j++) end.outer[j].environment = true;
    }
}

inline Capsule *make(const CapsuleClass *type, Part *slot, int index);

// Completes a capsule that was made, with its fixed parts, in a slot or as the root.
inline Capsule *made(Capsule *capsule, Part *slot, int index) {
    set_up(capsule, capsule->xm_own_class(), slot, index);
    if (slot) slot->slots[index] = capsule;
    capsule->xm_attach();
    if (capsule->xm_class->machine) capsule->xm_prepare(capsule->xm_class->machine);
    for (int i = 0; !XM_UNIT && i < capsule->xm_class->part_count; i++) {
        Part *part = &capsule->xm_parts[i];
        for (int j = 0; part->info->kind == PartKind::FIXED && j < part->count; j++) make(part->info->capsule, part, j);
    }
    open_ports(capsule);
    if (!XM_UNIT) connect_all(capsule);
    return capsule;
}

inline Capsule *make(const CapsuleClass *type, Part *slot, int index) {
    Capsule *capsule = slot && slot->info->create ? slot->info->create(nullptr, slot, index) : type->make(nullptr, slot);
    if (!capsule) refuse("capsule %s is abstract or needs arguments, so it cannot be created here", type->name);
    return made(capsule, slot, index);
}

// Begins the behaviour of a capsule and of all inside it, from the inside out.
inline void begin(Capsule *capsule, Message *message) {
    for (int i = 0; i < capsule->xm_class->part_count; i++) {
        Part *part = &capsule->xm_parts[i];
        for (int j = 0; part->info->kind == PartKind::FIXED && j < part->count; j++) {
            Message none;
            if (part->slots[j]) begin(part->slots[j], &none);
        }
    }
    for (int i = 0; i < capsule->xm_class->port_count; i++) {
        Endpoint &end = capsule->xm_ends[i];
        if (end.info->system || end.info->excluded || end.registered || !end.view) continue;
        if (end.info->registration == Registration::APPLICATION) continue;
        if (end.info->wiring == Wiring::PUBLISH) end.view->registerSPP(end.info->service);
        if (end.info->wiring == Wiring::SUBSCRIBE) end.view->registerSAP(end.info->service);
    }
    Event("start", capsule);
    capsule->msg = message;
    capsule->xm_active = true;
    capsule->xm_start(message);
    capsule->xm_active = false;
    capsule->msg = nullptr;
}

// Takes a capsule out of the world, with all inside it.
inline void destroy(Capsule *capsule) {
    if (capsule->xm_gone) return;
    Event("destroy", capsule);
    capsule->xm_gone = true;
    for (int i = 0; i < capsule->xm_class->part_count; i++) {
        Part *part = &capsule->xm_parts[i];
        for (int j = 0; j < part->count; j++)
            if (Capsule *inside = part->slots[j]) {
                if (inside->xm_slot == part) destroy(inside);
                else if (!XM_UNIT) disconnect(inside, capsule);
            }
    }
    auto mine = [&](Message *message) { return message->port && message->port->owner == capsule; };
    auto drop = [](Message *message) { delete message; };
    for (int i = 0; i < capsule->xm_class->port_count; i++)
        if (capsule->xm_ends[i].registered) forget(&capsule->xm_ends[i], false);
    if (!XM_UNIT) disconnect(capsule, nullptr);
    for (Queue &queue : world.queues) take_out(queue, INT32_MAX, mine, drop);
    take_out(world.deferred, INT32_MAX, mine, drop);
    for (Timer *timer = world.timers, *next; timer; timer = next) {
        next = timer->next;
        if (timer->port->owner == capsule) drop_timer(timer);
    }
    if (!capsule->xm_ghost) capsule->_predestroy();
    Part *slot = capsule->xm_slot;
    if (slot) slot->slots[capsule->xm_index] = nullptr;
    if (capsule->xm_active) return;
    if (slot && slot->info->destroy && !capsule->xm_ghost) slot->info->destroy(capsule);
    else delete capsule;
}

inline void deliver(Message *message) {
    Capsule *capsule = message->port->owner;
    const Message *outer = capsule->msg;
    Event("receive", capsule).port(message->port, message->sapIndex0_).message(message->name, message->type, message->data);
    if (world.search) world.search->received(message->port, message);
    if (Timer *timer = message->timer) {
        timer->pending = false;
        if (!timer->period) {
            // The message is the owner of the data now.
            timer->data = nullptr;
            drop_timer(timer);
        }
        message->timer = nullptr;
    }
    capsule->msg = message;
    capsule->xm_active = true;
    capsule->logMsg();
    if (!capsule->xm_handle(message, message->port->number, message->signal)) capsule->unhandledMessage();
    capsule->xm_active = false;
    capsule->msg = outer;
    if (message->defer_it && !capsule->xm_gone) {
        Event("defer", capsule).port(message->port, message->sapIndex0_).message(message->name, message->type, message->data);
        append(world.deferred, message);
    } else {
        delete message;
    }
    if (capsule->xm_gone) delete capsule;
}

// Delivers messages until there are none. A model that never comes to rest is stopped.
inline void settle() {
    const int most = 1000000;
    for (int delivered = 0; !world.stopped; delivered++) {
        Message *message = nullptr;
        for (int priority = 0; priority < PRIORITIES && !message; priority++) {
            Queue &queue = world.queues[priority];
            if (!(message = queue.first)) continue;
            queue.first = message->next;
            if (!queue.first) queue.last = nullptr;
        }
        if (!message) return;
        if (delivered == most) {
            Event("endless", nullptr).number("messages", most);
            if (world.search) world.search->endless();
            world.stopped = true;
        }
        deliver(message);
    }
}

// Lets the timer fire that is due next.
inline bool fire() {
    Timer *timer = world.timers;
    if (!timer) return false;
    if (timer->due > world.now) world.now = timer->due;
    world.timers = timer->next;
    Message *message = new Message();
    message->name = "timeout";
    message->signal = FIRST_SIGNAL;
    message->port = timer->port;
    message->priority = timer->priority;
    message->timer = timer;
    message->copy = timer->copy;
    message->destroy = timer->destroy;
    message->data = timer->data && timer->copy && timer->period ? timer->copy(timer->data) : timer->data;
    append(world.queues[timer->priority], message);
    timer->pending = true;
    timer->due += timer->period;
    if (timer->period) arm(timer);
    return true;
}

// Lets time pass. Timers fire when they are due, and what they cause happens then.
inline void pass(int64_t nanoseconds) {
    int64_t until = world.now + nanoseconds;
    while (!world.stopped && world.timers && world.timers->due <= until) {
        fire();
        settle();
    }
    if (world.now < until) world.now = until;
}

inline int Capsule::sendCopyToMe(const Message *message) {
    Message *copy = new Message(*message);
    append(world.queues[copy->priority >= NORMAL ? copy->priority : NORMAL], copy);
    return 1;
}

} // namespace xm
