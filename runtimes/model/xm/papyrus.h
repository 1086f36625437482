// The names of Papyrus-RT's run-time system.
#pragma once

#define XM_UNEXPECTED_CONST const

#include <limits.h>
#include <math.h>
#include <time.h>
#include <unistd.h>

#include "names.h"

enum {
    PRIORITY_SYNCHRONOUS = xm::SYNCHRONOUS,
    PRIORITY_SYSTEM,
    PRIORITY_PANIC,
    PRIORITY_HIGH,
    PRIORITY_NORMAL,
    PRIORITY_LOW,
    PRIORITY_BACKGROUND
};

using UMLRTPriority = uint8_t;
using UMLRTMessage = xm::Message;
using UMLRTProtocol = xm::Port;
using UMLRTCapsule = xm::Capsule;
using UMLRTCapsuleId = xm::CapsuleId;
using UMLRTCapsulePart = xm::Part;
using UMLRTCapsuleClass = xm::CapsuleClass;
using UMLRTController = xm::Controller;
using UMLRTTimespec = xm::Timespec;
using UMLRTTimerId = xm::TimerId;
using UMLRTTimer = xm::Timer;
using UMLRTObject_class = xm::ObjectClass;
using UMLRTTimerProtocol = xm::TimingPort;
using UMLRTFrameProtocol = xm::FramePort;
using UMLRTLogProtocol = xm::LogPort;
using RTController = xm::Controller;
using RTActorRef = xm::Part;

inline constexpr UMLRTObject_class UMLRTType_int = xm::object_class<int>("int");
inline constexpr UMLRTObject_class UMLRTType_bool = xm::object_class<bool>("bool");
inline constexpr UMLRTObject_class UMLRTType_char = xm::object_class<char>("char");
inline constexpr UMLRTObject_class UMLRTType_long = xm::object_class<long>("long");
inline constexpr UMLRTObject_class UMLRTType_float = xm::object_class<float>("float");
inline constexpr UMLRTObject_class UMLRTType_double = xm::object_class<double>("double");

struct Timing {
    using Base = xm::TimingPort;
};
struct Frame {
    using Base = xm::FramePort;
};
struct Log {
    using Base = xm::LogPort;
};
struct Exception {
    using Base = xm::Port;
};
struct External {
    using Base = xm::ExternalPort;
};

struct UMLRTMain {
    static int getArgCount() { return 0; }
    static const char *getArg(int) { return nullptr; }
    static int argCount() { return xm::world.argc; }
    static const char *const *argStrings() { return xm::world.argv; }
};
