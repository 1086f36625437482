// The names that both run-time systems have in common with ours, and the controller that both know.
#pragma once

#include "frame.h"
#include "log.h"
#include "passive.h"
#include "timing.h"

// Action code keeps functions of its own, so that every branch belongs to a model element.
#define XM_BODY __attribute__((noinline))

namespace xm {

template <class T> using Type = T;

// The thread that runs a capsule: there is only one.
struct Controller {
    typedef int Error;
    enum { ok, circularImport };
    void abort() { world.stopped = true; }
    Error getError() const { return 0; }
    const char *strerror() const { return "failed"; }
    void perror(const char *text) const { Event("log", nullptr).text("text", text); }
    const char *name() const { return "main"; }
    void debugOutputModel(const char * = nullptr) const {}
};

inline Controller controller;

inline Controller *Capsule::context() const { return &controller; }

// How to copy the data of a timer or an incarnation.
struct ObjectClass : DataType {
    const char *_name;
    const char *name() const { return _name; }
};

template <class T> constexpr ObjectClass object_class(const char *name) { return ObjectClass{{copy_data<T>, destroy_data<T>}, name}; }

inline const ObjectClass Timespec::classData = object_class<Timespec>("RTTimespec");

// A port by which code outside of the model raises an event.
class ExternalPort : public Port {
public:
    void enable() const {}
    void disable() const {}
};

// A part as Art's code sees it.
class PartView {
public:
    void xm_attach(Part *to) { part = to; }
    operator Part &() const { return *part; }
    Part *operator&() const { return part; }
    int size() const { return part->count; }
    const char *getName() const { return part->info->name; }
    Capsule *operator[](int i) const { return (*part)[i]; }
    Capsule *at(int i) const { return (*part)[i]; }
    int indexOf(const Capsule *capsule) const { return part->indexOf(capsule); }
    Capsule *getOwner() const { return part->owner; }

private:
    Part *part = nullptr;
};

// The data of a message by its number.
template <class T> T &param(const Message *message, int at) { return *static_cast<T *>(message->getParam(static_cast<size_t>(at))); }

inline void *pointer(const Message *message) {
    void **data = static_cast<void **>(message->getParam(0));
    return data ? *data : nullptr;
}

// Calls inherited code with other data.
template <class Result, class Class, class Self>
Result call_with(Self *self, Result (Class::*function)(const Message *), const Message *message, const void *data) {
    Message other;
    other.name = message->name;
    other.signal = message->signal;
    other.port = message->port;
    other.sapIndex0_ = message->sapIndex0_;
    other.data = const_cast<void *>(data);
    struct Release {
        Message &message;
        ~Release() { message.data = nullptr; }
    } release{other};
    return (self->*function)(&other);
}

template <int N> int constant() { return N; }

// Makes a capsule by its usual constructor, if it has one.
template <class T> Capsule *make_capsule(void *controller, Part *part) {
    if constexpr (!__is_abstract(T) && __is_constructible(T, Controller *, Part *)) {
        return new T(static_cast<Controller *>(controller), part);
    } else {
        return nullptr;
    }
}

} // namespace xm
