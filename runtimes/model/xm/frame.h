// Parts at run time: capsules are incarnated, destroyed, imported and deported.
#pragma once

#include "system.h"

namespace xm {

inline const CapsuleClass default_class = {"", nullptr, nullptr, nullptr, 0, nullptr, 0, nullptr, 0, nullptr};

class CapsuleId {
public:
    CapsuleId() = default;
    CapsuleId(Capsule *capsule) : capsule(capsule) {}
    bool isValid() const { return capsule != nullptr; }
    Capsule *getCapsule() const { return capsule; }
    Capsule *getRTActor() const { return capsule; }
    void resetActor() { capsule = nullptr; }
    Capsule *operator->() const { return capsule; }
    bool operator==(const CapsuleId &other) const { return capsule == other.capsule; }
    bool operator!=(const CapsuleId &other) const { return capsule != other.capsule; }

private:
    Capsule *capsule = nullptr;
};

template <> struct Value<CapsuleId> {
    static constexpr bool known = false;
    static void write(FILE *to, const CapsuleId &id) {
        if (!id.isValid()) return (void)fputs("null", to);
        fputc('"', to);
        write_path(to, id.getCapsule());
        fputc('"', to);
    }
    static void read(const Json *from, CapsuleId &, const char *what) {
        if (from->kind != Json::NONE) refuse("%s is a capsule (leave it out, or write null)", what);
    }
};

// Data for the initial transition of a capsule.
struct InitialData {
    void *data = nullptr;
    void *(*copy)(const void *) = nullptr;
    void (*destroy)(void *) = nullptr;
};

class FramePort : public Port {
public:
    FramePort &operator()() { return *this; }

    CapsuleId incarnate(Part *part) const { return incarnated(part, nullptr, -1, InitialData()); }
    CapsuleId incarnate(Part *part, const CapsuleClass &type, int index = -1) const { return incarnated(part, &type, index, InitialData()); }
    CapsuleId incarnate(Part *part, const CapsuleClass *type, int index = -1) const { return incarnated(part, type, index, InitialData()); }
    template <class T> CapsuleId incarnate(Part *part, T *data) const { return incarnated(part, nullptr, -1, of(data, nullptr)); }
    CapsuleId incarnate(Part *part, int index) const { return incarnated(part, nullptr, index, InitialData()); }
    template <class T> CapsuleId incarnate(Part *part, const CapsuleClass &type, T *data, const DataType *data_type = nullptr, int index = -1) const {
        return incarnated(part, &type, index, of(data, data_type));
    }
    template <class T>
    CapsuleId incarnate(Part *part, const CapsuleClass &type, T *data, const DataType *data_type, struct Controller *, int index = -1) const {
        return incarnated(part, &type, index, of(data, data_type));
    }
    CapsuleId incarnate(Part *part, const CapsuleClass &type, decltype(nullptr), decltype(nullptr) = nullptr, struct Controller * = nullptr, int index = -1) const {
        return incarnated(part, &type, index, InitialData());
    }
    CapsuleId incarnateAt(Part *part, const CapsuleClass &type, int index) const { return incarnated(part, &type, index, InitialData()); }
    template <class T>
    CapsuleId incarnateAt(Part *part, const CapsuleClass &type, int index, T *data, const DataType *data_type = nullptr, const char * = nullptr) const {
        return incarnated(part, &type, index, of(data, data_type));
    }
    template <class Factory> CapsuleId incarnateCustom(Part *part, Factory &&factory, int index = -1) const {
        return incarnated(part, nullptr, index, InitialData(), [&](Part *slot, int at) { return factory(nullptr, slot, at); });
    }
    template <class... Rest> CapsuleId incarnate(Part &part, Rest &&...rest) const { return incarnate(&part, static_cast<Rest &&>(rest)...); }
    template <class... Rest> CapsuleId incarnateAt(Part &part, Rest &&...rest) const { return incarnateAt(&part, static_cast<Rest &&>(rest)...); }
    template <class Factory> CapsuleId incarnateCustom(Part &part, Factory &&factory, int index = -1) const {
        return incarnateCustom(&part, static_cast<Factory &&>(factory), index);
    }

    bool destroy(const CapsuleId &id) const {
        if (!id.isValid()) return false;
        xm::destroy(id.getCapsule());
        return true;
    }
    bool destroy(Part *part) const {
        for (int i = 0; i < part->count; i++)
            if (part->slots[i]) xm::destroy(part->slots[i]);
        return true;
    }
    bool destroy(Part &part) const { return destroy(&part); }

    bool import(const CapsuleId &id, Part *to, int index = -1) const {
        index = index < 0 ? first_free(to) : settled(index, to->count);
        bool done = id.isValid() && index >= 0 && index < to->count && !to->slots[index] && !contains(id.getCapsule(), to->owner);
        if (XM_UNIT && done) done = granted("import");
        Event("import", xm_end->owner).text("part", to->info->name).number("index", index).truth("done", done);
        if (!done) return false;
        to->slots[index] = id.getCapsule();
        if (!XM_UNIT) connect_in(to);
        return true;
    }
    bool import(const CapsuleId &id, Part &to, int index = -1) const { return import(id, &to, index); }

    bool deport(const CapsuleId &id, Part *from) const {
        int index = id.isValid() ? from->indexOf(id.getCapsule()) : -1;
        bool done = index >= 0;
        Event("deport", xm_end->owner).text("part", from->info->name).number("index", index).truth("done", done);
        if (!done) return false;
        from->slots[index] = nullptr;
        if (!XM_UNIT) disconnect(id.getCapsule(), from->owner);
        return true;
    }
    bool deport(const CapsuleId &id, Part &from) const { return deport(id, &from); }

    CapsuleId incarnationAt(const Part *part, int index) const { return CapsuleId((*part)[index]); }
    CapsuleId incarnationAt(const Part &part, int index) const { return CapsuleId(part[index]); }
    CapsuleId me() const { return CapsuleId(xm_end->owner); }
    const CapsuleClass &myClass() const { return *xm_end->owner->xm_class; }
    const CapsuleClass &classOf(const CapsuleId &id) const { return *id.getCapsule()->xm_class; }
    bool classIsKindOf(const CapsuleClass &type, const CapsuleClass &base) const { return type.is(&base); }
    const char *className(const CapsuleClass &type) const { return type.name; }

private:
    template <class T> static InitialData of(T *data, const DataType *type) {
        if (type) return InitialData{const_cast<void *>(static_cast<const void *>(data)), type->copy, type->destroy};
        return InitialData{const_cast<void *>(static_cast<const void *>(data)), nullptr, nullptr};
    }

    // Whether a capsule is inside of another one, or the same.
    static bool contains(const Capsule *outer, const Capsule *inner) {
        while (inner && inner != outer) inner = inner->xm_slot ? inner->xm_slot->owner : nullptr;
        return inner != nullptr;
    }

    static int first_free(const Part *part) {
        for (int i = 0; i < part->count; i++)
            if (!part->slots[i]) return i;
        return -1;
    }

    struct NoFactory {};

    template <class Factory = NoFactory>
    CapsuleId incarnated(Part *part, const CapsuleClass *type, int index, InitialData data, Factory factory = Factory()) const {
        if (!type || type == &default_class) type = part->info->capsule;
        index = index < 0 ? first_free(part) : settled(index, part->count);
        bool fits = index >= 0 && index < part->count && !part->slots[index] && part->info->kind == PartKind::OPTIONAL;
        bool done = fits && type->is(part->info->capsule);
        if (XM_UNIT && done) done = granted("incarnate");
        Event("incarnate", xm_end->owner).text("part", part->info->name).number("index", index).text("class", type->name).truth("done", done);
        if (!done) return CapsuleId();
        Capsule *capsule;
        if (XM_UNIT) {
            capsule = new Ghost();
            capsule->xm_ghost = true;
            set_up(capsule, type, part, index);
            part->slots[index] = capsule;
            return CapsuleId(capsule);
        }
        if constexpr (__is_same(Factory, NoFactory)) {
            capsule = make(type, part, index);
        } else {
            capsule = made(factory(part, index), part, index);
        }
        connect_in(part);
        Message message;
        message.signal = 0;
        message.data = data.data;
        message.copy = data.copy;
        begin(capsule, &message);
        message.data = nullptr;
        return CapsuleId(capsule);
    }
};

} // namespace xm
