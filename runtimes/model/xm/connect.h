// Connections: links between ports, made and dropped with the capsules at their ends.
//
// A connector between parts with several capsules, or ports with several ends, gives every capsule on a side the same number of links;
// links are made in the order of the capsules, each at the first free index of both ports. Papyrus-RT's generator does the same.
#pragma once

#include "port.h"

namespace xm {

// One side of a connector, or of a registration.
struct Side {
    Endpoint *port;
    bool inner;
    Plug *plugs() const { return inner ? port->inner : port->outer; }
};

// The port with a behaviour that is reached from one side of a link.
inline Endpoint *terminal(Side side, int *index) {
    while (!side.port->info->behavior) {
        const Plug &plug = side.inner ? side.port->outer[*index] : side.port->inner[*index];
        if (!plug.far) return nullptr;
        side = Side{plug.far, plug.inner};
        *index = plug.index;
    }
    return side.port;
}

inline void notify(Endpoint *port, int index, int signal) {
    if (!port->notify || port->owner->xm_ghost) return;
    Message *message = new Message();
    message->name = signal == BOUND ? "rtBound" : "rtUnbound";
    message->signal = signal;
    message->port = port;
    message->sapIndex0_ = index;
    append(world.queues[NORMAL], message);
}

// Tells both ends of a chain of links, if it is whole.
inline void notify_chain(Side a, int i, Side b, int j, int signal) {
    Endpoint *first = terminal(a, &i), *second = terminal(b, &j);
    if (!first || !second) return;
    notify(first, i, signal);
    notify(second, j, signal);
}

inline void link(Side a, int i, Side b, int j, const ConnectorInfo *connector, const Capsule *by) {
    a.plugs()[i] = Plug{b.port, j, b.inner, false, connector, by};
    b.plugs()[j] = Plug{a.port, i, a.inner, false, connector, by};
    notify_chain(a, i, b, j, BOUND);
}

inline void unlink(Side a, int i) {
    Plug plug = a.plugs()[i];
    if (!plug.far) return;
    Side b{plug.far, plug.inner};
    notify_chain(a, i, b, plug.index, UNBOUND);
    b.plugs()[plug.index] = Plug();
    a.plugs()[i] = Plug();
}

inline int free_index(Side side) {
    for (int i = 0; i < side.port->size; i++)
        if (!side.plugs()[i].far && !side.plugs()[i].environment) return i;
    return -1;
}

inline int links_by(Side side, const ConnectorInfo *connector, const Capsule *by) {
    int count = 0;
    for (int i = 0; i < side.port->size; i++) count += side.plugs()[i].connector == connector && side.plugs()[i].by == by;
    return count;
}

// How many capsules a side of a connector can have, and the i-th of them; its port is none if it does not exist.
inline int side_count(const Capsule *capsule, const ConnectorInfo *connector, int end) {
    int part = connector->part[end];
    return part < 0 ? 1 : capsule->xm_parts[part].count;
}

inline Side side_at(const Capsule *capsule, const ConnectorInfo *connector, int end, int i) {
    int part = connector->part[end], port = connector->port[end];
    if (part < 0) return Side{&capsule->xm_ends[port], !capsule->xm_ends[port].info->behavior};
    Capsule *held = capsule->xm_parts[part].slots[i];
    return Side{held && !held->xm_gone && !held->xm_ghost ? &held->xm_ends[port] : nullptr, false};
}

// Makes all links of a connector that can be made now.
inline void connect(const Capsule *capsule, const ConnectorInfo *connector) {
    int count[2], ends[2] = {0, 0};
    for (int end = 0; end < 2; end++) {
        count[end] = side_count(capsule, connector, end);
        for (int i = 0; i < count[end]; i++)
            if (Endpoint *port = side_at(capsule, connector, end, i).port) {
                ends[end] = port->size;
                break;
            }
        if (!ends[end]) return;
    }
    int first = count[0] * ends[0], second = count[1] * ends[1], links = first < second ? first : second, quota[2];
    for (int end = 0; end < 2; end++) quota[end] = links / count[end] > 0 ? links / count[end] : 1;
    int j = 0;
    for (int i = 0; i < count[0]; i++) {
        Side a = side_at(capsule, connector, 0, i);
        if (!a.port) continue;
        for (int made = links_by(a, connector, capsule); made < quota[0]; made++) {
            int at = free_index(a);
            Side b{nullptr, false};
            for (; j < count[1]; j++) {
                b = side_at(capsule, connector, 1, j);
                if (b.port && links_by(b, connector, capsule) < quota[1] && free_index(b) >= 0) break;
                b.port = nullptr;
            }
            if (at < 0 || !b.port) break;
            link(a, at, b, free_index(b), connector, capsule);
        }
    }
}

inline void connect_all(const Capsule *capsule) {
    for (int i = 0; i < capsule->xm_class->connector_count; i++) connect(capsule, &capsule->xm_class->connectors[i]);
}

// Makes the links that a capsule has in a part.
inline void connect_in(const Part *part) {
    for (int i = 0; i < part->owner->xm_class->connector_count; i++) {
        const ConnectorInfo *connector = &part->owner->xm_class->connectors[i];
        if (connector->part[0] == part->number || connector->part[1] == part->number) connect(part->owner, connector);
    }
}

// Drops the links of a capsule: all, or those that the connectors of another one have made.
inline void disconnect(Capsule *capsule, const Capsule *by) {
    for (int port = 0; port < capsule->xm_class->port_count; port++) {
        Endpoint *end = &capsule->xm_ends[port];
        for (int i = 0; i < end->size; i++) {
            if (!by || end->outer[i].by == by) unlink(Side{end, false}, i);
            if (!by && end->inner) unlink(Side{end, true}, i);
        }
    }
}

// Services: ports that are not wired find each other by name, in the order in which they were registered.
inline void reconnect(const char *name) {
    for (Service *user = world.services; user; user = user->next) {
        if (user->provider || strcmp(user->name, name)) continue;
        for (Service *provider = world.services; provider; provider = provider->next) {
            if (!provider->provider || strcmp(provider->name, name)) continue;
            Side a{user->port, false}, b{provider->port, false};
            int i = free_index(a), j = free_index(b);
            if (i >= 0 && j >= 0) link(a, i, b, j, nullptr, nullptr);
        }
    }
}

inline bool Port::xm_register(const char *service, bool provider) const {
    if (xm_end->registered && xm_end->info->registration == Registration::LOCKED) return false;
    if (xm_end->registered) forget(xm_end, xm_end->provider);
    Service **last = &world.services;
    while (*last) last = &(*last)->next;
    *last = new Service{service, xm_end, provider, nullptr};
    xm_end->registered = service;
    xm_end->provider = provider;
    if (!XM_UNIT) reconnect(service);
    return true;
}

inline void forget(Endpoint *port, bool) {
    for (Service **at = &world.services; *at;) {
        Service *service = *at;
        if (service->port == port) {
            *at = service->next;
            delete service;
        } else {
            at = &service->next;
        }
    }
    for (int i = 0; i < port->size; i++) unlink(Side{port, false}, i);
    const char *name = port->registered;
    port->registered = nullptr;
    if (name) reconnect(name);
}

} // namespace xm
