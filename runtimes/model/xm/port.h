// Ports: sending, replying, deferring and registering.
#pragma once

#include "capsule.h"

namespace xm {


inline void forget(Endpoint *port, bool provider);

// An index that action code computed. In a search it becomes the constant of a branch, so that no address depends on an input.
inline int settled(int index, int size) {
#ifdef XM_SEARCH
    for (int i = 0; i < size; i++)
        if (index == i) return i;
#endif
    (void)size;
    return index;
}

// Where a message goes that leaves a port: through relays to a port with a behaviour. A plug without a far end leads nowhere.
inline Plug far_end(const Endpoint *port, int index) {
    if (index < 0 || index >= port->size) return Plug();
    Plug plug = port->outer[settled(index, port->size)];
    while (plug.far && !plug.far->info->behavior) plug = plug.inner ? plug.far->outer[plug.index] : plug.far->inner[plug.index];
    return plug;
}

inline bool is_bound(const Endpoint *port, int index) {
    Plug plug = far_end(port, index);
    return plug.environment || plug.far;
}

inline void deliver(Message *message);  // runs a message to completion and deletes it

// What the environment answers to a question of this kind; none if it has no answer left.
inline const Json *answer(const char *kind) {
    for (const Json *given = world.answers; given; given = given->next)
        if (const Json *found = given->get(kind)) {
            world.answers = given->next;
            return found;
        }
    return nullptr;
}

// Whether the environment lets something be done that could be.
inline bool granted(const char *kind) {
    if (world.search) return world.search->granted(kind);
    const Json *given = answer(kind);
    return !given || given->kind != Json::FALSE;
}

// A message of a port's protocol, with its data: made by the functions of ports, used at once.
class Signal {
public:
    Signal(const Endpoint *port, const MessageType *type, void *data) : port(port), type(type), data(data) {}
    ~Signal() {
        if (data) type->destroy(data);
    }
    Signal(const Signal &) = delete;

    int send(int priority = NORMAL) const {
        int sent = 0;
        for (int i = 0; i < port->size; i++)
            if (is_bound(port, i)) sent += sendAt(i, priority);
        if (!sent && !(port->size && is_bound(port, 0))) lost(0);
        return sent;
    }

    int sendAt(int index, int priority = NORMAL) const {
        Plug plug = far_end(port, index);
        if (plug.environment) {
            trace("send", index, priority);
            if (world.search) world.search->sent(port, type, data);
            return 1;
        }
        if (!plug.far) {
            lost(index);
            return 0;
        }
        if (XM_TRACING) {
            Event event("send", port->owner);
            event.port(port, index).message(type->name, type, data).far(plug.far, plug.index);
            if (priority != NORMAL) event.number("priority", priority);
        }
        if (world.search) world.search->sent(port, type, data);
        append(world.queues[priority >= 0 && priority < PRIORITIES ? priority : NORMAL], make(plug, priority));
        return 1;
    }

    // Synchronous: the receiver handles the message before this returns. The number of receivers that got it.
    int invoke(Message *replies = nullptr) const {
        int count = 0;
        for (int i = 0; i < port->size; i++)
            if (is_bound(port, i)) count += invokeAt(i, replies ? replies + i : nullptr);
        return count;
    }

    int invokeAt(int index, Message *reply = nullptr) const {
        if (reply) reply->clear();
        Plug plug = far_end(port, index);
        if (plug.environment) {
            trace("invoke", index, SYNCHRONOUS);
            if (world.search) world.search->sent(port, type, data);
            if (reply) answered(index, reply);
            return 1;
        }
        if (!plug.far || plug.far->owner->xm_active) {
            lost(index);
            return 0;
        }
        trace("invoke", index, SYNCHRONOUS);
        if (world.search) world.search->sent(port, type, data);
        Message *outer = world.reply;
        int outer_count = world.replies;
        world.reply = reply;
        world.replies = 0;
        deliver(make(plug, SYSTEM));
        world.reply = outer;
        world.replies = outer_count;
        return 1;
    }

    int reply() const {
        const Message *asked = port->owner->msg;
        int index = asked && asked->port == port ? asked->sapIndex0_ : 0;
        if (asked && asked->priority == SYSTEM && asked->port == port && !is_environment(index)) {
            trace("reply", index, NORMAL);
            if (world.search) world.search->sent(port, type, data);
            if (!world.reply || world.replies++) return 0;
            world.reply->name = type->name;
            world.reply->signal = type->signal;
            world.reply->type = type;
            world.reply->copy = type->copy;
            world.reply->destroy = type->destroy;
            world.reply->data = data ? type->copy(data) : nullptr;
            return 1;
        }
        return sendAt(index);
    }

    int recall(int front = 0) const { return recalled(-1, front, 1); }
    int recallAll(int front = 0) const { return recalled(-1, front, INT32_MAX); }
    int recallAt(int index, int front = 0) const { return recalled(index, front, 1); }
    int recallAllAt(int index, int front = 0) const { return recalled(index, front, INT32_MAX); }
    int purge() const { return purged(-1); }
    int purgeAt(int index) const { return purged(index); }

private:
    const Endpoint *port;
    const MessageType *type;
    void *data;

    Message *make(const Plug &plug, int priority) const {
        Message *message = new Message();
        message->name = type->name;
        message->signal = type->signal;
        message->type = type;
        message->port = plug.far;
        message->sapIndex0_ = plug.index;
        message->priority = priority;
        message->copy = type->copy;
        message->destroy = type->destroy;
        message->data = data ? type->copy(data) : nullptr;
        return message;
    }

    bool is_environment(int index) const { return far_end(port, index).environment; }

    void trace(const char *kind, int index, int priority) const {
        Event event(kind, port->owner);
        event.port(port, index).message(type->name, type, data);
        if (priority != NORMAL && priority != SYNCHRONOUS) event.number("priority", priority);
    }

    void lost(int index) const { Event("lost", port->owner).port(port, index).message(type->name, type, data); }

    // The environment's answer to a synchronous message.
    void answered(int index, Message *reply) const {
        if (world.search) {
            world.search->reply(port, reply);
            if (reply->isValid()) Event("answer", port->owner).port(port, index).message(reply->name, reply->type, reply->data);
            return;
        }
        const Json *given = answer("reply");
        if (!given) return;
        const char *name = given->get("message") ? given->get("message")->string("") : given->string("");
        const Json *args = given->get("args");
        for (int i = 0; i < port->info->message_count; i++) {
            const MessageType *other = &port->info->messages[i];
            if (strcmp(other->name, name)) continue;
            reply->name = other->name;
            reply->signal = other->signal;
            reply->type = other;
            reply->copy = other->copy;
            reply->destroy = other->destroy;
            reply->data = other->params ? other->read(args, name) : nullptr;
            Event("answer", port->owner).port(port, index).message(name, other, reply->data);
            return;
        }
        refuse("the answer \"%s\" is not a message of port %s", name, port->info->name);
    }

    bool mine(const Message *message, int index) const {
        return message->port == port && message->signal == type->signal && (index < 0 || message->sapIndex0_ == index);
    }
    int recalled(int index, int front, int most) const;
    int purged(int index) const {
        return take_out(world.deferred, INT32_MAX, [&](Message *m) { return mine(m, index); }, [](Message *m) { delete m; });
    }
};

// Moves deferred messages back to where they came from.
template <class Wanted> int recall(int front, int most, Wanted wanted) {
    Queue taken;
    int count = take_out(world.deferred, most, wanted, [&](Message *message) { front ? prepend(taken, message) : append(taken, message); });
    for (Message *message = taken.first, *next; message; message = next) {
        next = message->next;
        message->defer_it = false;
        Event("recall", message->port->owner).port(message->port, message->sapIndex0_).message(message->name, message->type, message->data);
        Queue &queue = world.queues[message->priority];
        front ? prepend(queue, message) : append(queue, message);
    }
    return count;
}

inline int Signal::recalled(int index, int front, int most) const {
    return xm::recall(front, most, [&](Message *m) { return mine(m, index); });
}

// What action code sees of a port.
class Port {
public:
    Port() = default;
    Port(const Port &) = delete;

    void xm_attach(Endpoint *port) {
        xm_end = port;
        port->view = this;
    }

    int size() const { return xm_end->size; }
    bool isBoundAt(int index) const { return is_bound(xm_end, index); }
    bool isBound() const { return isBoundAt(0); }
    const char *getName() const { return xm_end->info->name; }
    Capsule *getOwner() const { return xm_end->owner; }
    int getId() const { return xm_end->number; }
    bool isIndexTo(int index, const Capsule *capsule) const {
        Plug plug = far_end(xm_end, index);
        return plug.far && plug.far->owner == capsule;
    }
    int indexTo(const Capsule *capsule) const {
        for (int i = 0; i < xm_end->size; i++)
            if (isIndexTo(i, capsule)) return i;
        return -1;
    }
    void bindingNotification(bool on) const { xm_end->notify = on; }
    bool bindingNotificationRequested() const { return xm_end->notify; }
    void sendTypeCheckEnable(int) const {}
    void receiveTypeCheckEnable(int) const {}

    bool registerSAP(const char *service) const { return xm_register(service, false); }
    bool registerSPP(const char *service) const { return xm_register(service, true); }
    bool deregisterSAP() const { return xm_deregister(false); }
    bool deregisterSPP() const { return xm_deregister(true); }
    bool isRegistered() const { return xm_end->registered != nullptr; }
    const char *getRegisteredName() const { return xm_end->registered; }

    int recall() const { return xm_recall(-1, 0, 1); }
    int recallFront() const { return xm_recall(-1, 1, 1); }
    int recallAll() const { return xm_recall(-1, 0, INT32_MAX); }
    int recallAllFront() const { return xm_recall(-1, 1, INT32_MAX); }
    int recallAt(int index, int front = 0) const { return xm_recall(index, front, 1); }
    int recallAllAt(int index, int front = 0) const { return xm_recall(index, front, INT32_MAX); }
    int purge() const { return purgeAt(-1); }
    int purgeAt(int index) const {
        auto mine = [&](Message *m) { return m->port == xm_end && (index < 0 || m->sapIndex0_ == index); };
        return take_out(world.deferred, INT32_MAX, mine, [](Message *m) { delete m; });
    }

    Endpoint *xm_end = nullptr;

private:
    int xm_recall(int index, int front, int most) const {
        return xm::recall(front, most, [&](Message *m) { return m->port == xm_end && (index < 0 || m->sapIndex0_ == index); });
    }

    bool xm_register(const char *service, bool provider) const;
    bool xm_deregister(bool provider) const {
        if (!xm_end->registered || xm_end->info->registration == Registration::LOCKED) return false;
        forget(xm_end, provider);
        return true;
    }
};

} // namespace xm
