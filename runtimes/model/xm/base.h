// What every other header needs: forward declarations, the world, and how a run ends early.
//
// The run-time system is single-threaded and has no state outside of `world`. It sleeps nowhere and reads no clock: time is virtual.
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace xm {

class Capsule;
class Message;
struct CapsuleClass;
struct Endpoint;
struct Json;
struct MachineInfo;
struct MessageType;
struct Part;
struct Timer;

// The priorities, from high to low. Numbers are those of the run-time systems that models are written for.
enum Priority { SYNCHRONOUS, SYSTEM, PANIC, HIGH, NORMAL, LOW, BACKGROUND, PRIORITIES };

// Messages that are not a protocol's own.
enum { BOUND = 0, UNBOUND = 1, FIRST_SIGNAL = 2 };

// A list of messages.
struct Queue {
    Message *first = nullptr;
    Message *last = nullptr;
};

// A port that is registered under the name of a service.
struct Service {
    const char *name;
    Endpoint *port;
    bool provider;
    Service *next;
};

// What the generated code of a search wants to know and to decide; search.h says when it is called.
struct Search {
    void (*started)();   // the root exists, but its behaviour has not begun
    void (*begun)();     // a step, or the run
    void (*passed)();    // time
    void (*ended)();     // the last step: nothing more happens but what timers do
    void (*finished)();  // the run
    void (*entered)(const Capsule *, const MachineInfo *, int state);
    void (*left)(const Capsule *, const MachineInfo *, int state);
    void (*took)(const Capsule *, const MachineInfo *, int segment);
    void (*handled)(const MachineInfo *, int candidate);
    void (*held)(const MachineInfo *, int segment, bool holds);
    void (*unexpected)(const MachineInfo *, int state, int port, int signal);
    void (*stuck)(const MachineInfo *, int pseudo);
    void (*endless)();
    void (*sent)(const Endpoint *, const MessageType *, const void *data);
    void (*received)(const Endpoint *, const Message *);
    void (*reply)(const Endpoint *port, Message *reply);
    bool (*granted)(const char *what);
    bool all;  // what no transition waits for is sent as well
};

// All there is.
struct World {
    FILE *trace = nullptr;          // where events go; none means that they are not wanted
    bool unit = false;              // one capsule alone: parts hold capsules without behaviour, all ports are the environment's
    bool stopped = false;           // the model ended itself
    int64_t now = 0;                // nanoseconds since the start
    Capsule *root = nullptr;
    Queue queues[PRIORITIES];
    Queue deferred;
    Timer *timers = nullptr;        // in the order in which they are due
    uint64_t timers_made = 0;
    Service *services = nullptr;
    Message *reply = nullptr;       // where an answer to a synchronous message goes
    int replies = 0;                // how many came
    const Json *answers = nullptr;  // what the environment answers during this step
    const Search *search = nullptr; // none: the run follows a sequence file
    int argc = 0;
    const char *const *argv = nullptr;
    char line[4096];                // what a log port shows before its line is complete
    size_t line_length = 0;
};

inline World world;

// Whether a run writes a trace. A search does not: what it finds is run again with one.
#if !defined(XM_SEARCH) || defined(XM_TRACED)
#define XM_TRACE 1
#define XM_TRACING (xm::world.trace)
#define XM_WRITER(function) function
#else
#define XM_TRACE 0
#define XM_TRACING 0
#define XM_WRITER(function) nullptr
#endif
// A search explores one capsule alone, or with all capsules in its parts. Only runs that follow a sequence file read values.
#ifdef XM_SEARCH
#ifdef XM_SYSTEM
#define XM_UNIT false
#else
#define XM_UNIT true
#endif
#define XM_READER(function) nullptr
#else
#define XM_UNIT (xm::world.unit)
#define XM_READER(function) function
#endif

// Ends the run because of its input, not because of the model.
[[noreturn]] inline void refuse(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fputs("error: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
#ifdef XM_SEARCH
    abort();  // a search must not take this for the end of a run
#else
    exit(2);
#endif
}

template <class T> T *array(int count) {
    return count > 0 ? static_cast<T *>(calloc(static_cast<size_t>(count), sizeof(T))) : nullptr;
}

} // namespace xm
