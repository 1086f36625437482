// The names of Code RealTime's run-time system.
#pragma once

#define XM_UNEXPECTED_CONST

#include "names.h"

enum { Synchronous = xm::SYNCHRONOUS, System, Panic, High, General, Low, Background };

using RTMessage = xm::Message;
using RTProtocol = xm::Port;
using RTActor = xm::Capsule;
using RTActorId = xm::CapsuleId;
using RTActorRef = xm::Part;
using RTActorClass = xm::CapsuleClass;
using RTController = xm::Controller;
using RTTimespec = xm::Timespec;
using RTTimerId = xm::TimerId;
using RTTimerNode = xm::Timer;
using RTObject_class = xm::ObjectClass;
using RTInteger = int;
using RTReal = double;
using RTBoolean = bool;
using RTCharacter = char;
using RTpchar = char *;

inline const xm::CapsuleClass &EmptyActorClass = xm::default_class;

inline constexpr RTObject_class RTType_int = xm::object_class<int>("int");
inline constexpr RTObject_class RTType_bool = xm::object_class<bool>("bool");
inline constexpr RTObject_class RTType_char = xm::object_class<char>("char");
inline constexpr RTObject_class RTType_long = xm::object_class<long>("long");
inline constexpr RTObject_class RTType_short = xm::object_class<short>("short");
inline constexpr RTObject_class RTType_float = xm::object_class<float>("float");
inline constexpr RTObject_class RTType_double = xm::object_class<double>("double");
inline constexpr RTObject_class RTType_unsigned = xm::object_class<unsigned>("unsigned");
inline constexpr RTObject_class RTType_unsigned_int = xm::object_class<unsigned>("unsigned int");
inline constexpr RTObject_class RTType_unsigned_long = xm::object_class<unsigned long>("unsigned long");
inline constexpr RTObject_class RTType_RTpchar = xm::object_class<char *>("RTpchar");

struct Timing {
    using Base = xm::TimingPort;
};
struct Frame {
    using Base = xm::FramePort;
};
struct Exception {
    using Base = xm::Port;
};
struct External {
    using Base = xm::ExternalPort;
};

// A function that makes capsules.
template <class Function> struct RTActorFactory : Function {
    RTActorFactory(Function function) : Function(function) {}
};

// A text, as the run-time system has it.
class RTString {
public:
    char *Contents;

    RTString(const char *text = "") : Contents(strdup(text ? text : "")) {}
    RTString(const RTString &other) : Contents(strdup(other.Contents)) {}
    ~RTString() { free(Contents); }
    RTString &operator=(const RTString &other) {
        if (this == &other) return *this;
        free(Contents);
        Contents = strdup(other.Contents);
        return *this;
    }
    bool operator==(const RTString &other) const { return !strcmp(Contents, other.Contents); }
    bool operator!=(const RTString &other) const { return strcmp(Contents, other.Contents); }
    operator const char *() const { return Contents; }
    const char *c_str() const { return Contents; }
    int length() const { return static_cast<int>(strlen(Contents)); }
};

template <> struct xm::Value<RTString> {
    static constexpr bool known = true;
    static void write(FILE *to, const RTString &value) { quote(to, value.Contents); }
    static void read(const Json *from, RTString &to, const char *what) {
        if (from->kind != Json::TEXT) refuse("%s must be a text", what);
        to = RTString(from->text);
    }
};

struct RTMain {
    static int argCount() { return xm::world.argc; }
    static const char *const *argStrings() { return xm::world.argv; }
};

struct RTMemoryUtil {
    static int strcmp(const char *a, const char *b) { return ::strcmp(a, b); }
    static int strcmp(const char *a, const char *b, size_t n) { return ::strncmp(a, b, n); }
};

// A log port is part of `Log`, which also has streams where the model uses them (art_streams.h).
#ifndef XM_STREAMS
struct Log {
    using Base = xm::LogPort;
};
#else
#include "art_streams.h"
#endif
