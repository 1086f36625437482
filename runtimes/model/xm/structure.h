// Capsules, ports, parts and connectors at run time, and what the generated code says about them.
#pragma once

#include "message.h"

namespace xm {

enum class Wiring { WIRED, UNWIRED, PUBLISH, SUBSCRIBE };
enum class Registration { AUTOMATIC, LOCKED, APPLICATION };
enum class PartKind { FIXED, OPTIONAL, PLUGIN };

struct PortInfo {
    const char *name;
    const char *protocol;
    const MessageType *messages;  // of the protocol; message i has the signal FIRST_SIGNAL + i
    int message_count;
    bool conjugated;
    bool system;     // the run-time system is at the other end
    bool behavior;
    bool notify;
    bool excluded;
    Wiring wiring;
    Registration registration;
    const char *service;
    int (*size)();
};

struct PartInfo {
    const char *name;
    const CapsuleClass *capsule;
    PartKind kind;
    bool excluded;
    int (*size)();
    Capsule *(*create)(void *controller, Part *part, int index);  // none: the class makes one
    void (*destroy)(Capsule *);
};

struct ConnectorInfo {
    int part[2];  // -1: the capsule itself
    int port[2];
};

struct MachineInfo;

// A class of capsules. The names of the fields that models see are those of the run-time systems.
struct CapsuleClass {
    const char *name;
    const CapsuleClass *base;
    Capsule *(*make)(void *controller, Part *part);
    const PortInfo *ports;
    int port_count;
    const PartInfo *parts;
    int part_count;
    const ConnectorInfo *connectors;
    int connector_count;
    const MachineInfo *machine;

    bool is(const CapsuleClass *other) const {
        for (const CapsuleClass *at = this; at; at = at->base)
            if (at == other) return true;
        return false;
    }
};

// One of the ends that a port can have: where it leads.
struct Plug {
    Endpoint *far;
    int index;
    bool inner;         // whether it ends at the inner side of a relay
    bool environment;   // whether the other end is not part of what is run
    const ConnectorInfo *connector;
    const Capsule *by;  // the capsule whose connector it is
};

// A port of a capsule that exists.
struct Endpoint {
    Capsule *owner;
    const PortInfo *info;
    class Port *view;
    int number;
    int size;
    bool notify;
    Plug *outer;
    Plug *inner;  // of a relay only
    const char *registered;
    bool provider;
};

// A part of a capsule that exists.
struct Part {
    Capsule *owner;
    const PartInfo *info;
    int number;
    int count;
    Capsule **slots;

    int size() const { return count; }
    const char *getName() const { return info->name; }
    Capsule *operator[](int i) const { return i >= 0 && i < count ? slots[i] : nullptr; }
    Capsule *at(int i) const { return (*this)[i]; }
    int indexOf(const Capsule *capsule) const {
        for (int i = 0; i < count; i++)
            if (slots[i] == capsule) return i;
        return -1;
    }
};

} // namespace xm
