// Messages: what travels between ports, and what can be said about a kind of message.
#pragma once

#include "value.h"

namespace xm {

// Data of a message that is not a message of the model's own: that of a timer or of an incarnation.
struct DataType {
    void *(*copy)(const void *);
    void (*destroy)(void *);
};

template <class T> void *copy_data(const void *data) {
    if constexpr (__is_constructible(T, const T &)) return new T(*static_cast<const T *>(data));
    else refuse("the data of a message cannot be copied");
}
template <class T> void destroy_data(void *data) { delete static_cast<T *>(data); }

// A kind of message.
struct MessageType {
    const char *name;
    int signal;
    int params;
    bool received;  // by the owner of a port that is not conjugated
    bool sent;
    void *(*copy)(const void *);
    void (*destroy)(void *);
    void *(*param)(void *, int);
    void (*write)(FILE *, const void *);
    void *(*read)(const Json *, const char *what);
};

// A message on its way, or the answer to one.
class Message {
public:
    const char *name = "";
    int signal = -1;
    const MessageType *type = nullptr;
    Endpoint *port = nullptr;  // where it is received
    int sapIndex0_ = 0;  // of that port; models name it
    int priority = NORMAL;
    void *data = nullptr;
    void (*destroy)(void *) = nullptr;
    void *(*copy)(const void *) = nullptr;
    Timer *timer = nullptr;
    Message *next = nullptr;
    mutable bool defer_it = false;

    Message() = default;
    Message(const Message &other) { *this = other; }
    ~Message() { clear(); }

    Message &operator=(const Message &other) {
        if (this == &other) return *this;
        clear();
        name = other.name;
        signal = other.signal;
        type = other.type;
        port = other.port;
        sapIndex0_ = other.sapIndex0_;
        priority = other.priority;
        destroy = other.destroy;
        copy = other.copy;
        data = other.data && copy ? copy(other.data) : other.data;
        return *this;
    }

    void clear() {
        if (data && destroy) destroy(data);
        data = nullptr;
        signal = -1;
    }

    bool is(int other) const { return signal == other; }

    // What both run-time systems offer, by their names.
    void *getParam(size_t i) const { return type ? (data ? type->param(data, static_cast<int>(i)) : nullptr) : i ? nullptr : data; }
    void *getData() const { return getParam(0); }
    int getSignal() const { return signal; }
    int getSignalId() const { return signal; }
    const char *getSignalName() const { return name; }
    const char *getName() const { return name; }
    int getPriority() const { return priority; }
    bool isValid() const { return signal >= 0; }
    int sapIndex0() const { return sapIndex0_; }
    int sapIndex() const { return sapIndex0_ + 1; }
    bool isDeferred() const { return defer_it; }
    bool defer() const {
        defer_it = true;
        return true;
    }
    class Port *sap() const;
    Capsule *receiver() const;
};

inline void append(Queue &queue, Message *message) {
    message->next = nullptr;
    (queue.last ? queue.last->next : queue.first) = message;
    queue.last = message;
}

inline void prepend(Queue &queue, Message *message) {
    message->next = queue.first;
    queue.first = message;
    if (!queue.last) queue.last = message;
}

// Takes all messages out of a queue that `wanted` accepts, and gives them to `use`, at most this many.
template <class Wanted, class Use> int take_out(Queue &queue, int most, Wanted wanted, Use use) {
    Queue rest;
    int taken = 0;
    for (Message *message = queue.first, *next; message; message = next) {
        next = message->next;
        if (taken < most && wanted(message)) {
            taken++;
            use(message);
        } else {
            append(rest, message);
        }
    }
    queue = rest;
    return taken;
}

} // namespace xm
