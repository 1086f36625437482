// Runs a model on a sequence file and writes the trace.
//
//     PROGRAM [--trace FILE] [--limit SECONDS] SEQUENCE.json
//
// docs/models.md describes the file. The exit status is 0 at the end of the sequence and 2 if the sequence is not one for this model;
// anything else, and signals, are the model's own doing.
#pragma once

#include <unistd.h>

#include "frame.h"
#include "log.h"
#include "timing.h"

namespace xm {

class Driver {
public:
    explicit Driver(const Json *sequence) : sequence(sequence) {}

    void run(const CapsuleClass *root) {
        if (const Json *start = sequence->get("start")) answers(start);
        world.root = make(root, nullptr, 0);
        Message none;
        begin(world.root, &none);
        settle();
        world.answers = nullptr;
        const Json *steps = sequence->get("steps");
        for (const Json *step = steps ? steps->first : nullptr; step && !world.stopped; step = step->next) {
            number++;
            answers(step);
            if (const Json *name = step->get("send")) send(step, name->string(""));
            else if (step->get("timeout")) timeout();
            else if (const Json *time = step->get("advance")) advance(time);
            else refuse("step %d is none of \"send\", \"timeout\" and \"advance\"", number);
            settle();
            world.answers = nullptr;
        }
        Event("end", nullptr).number("now", world.now);
        if (world.trace && world.trace != stdout) fclose(world.trace);
        world.trace = nullptr;
        destroy(world.root);
    }

private:
    const Json *sequence;
    int number = 0;

    static void answers(const Json *step) {
        const Json *given = step->get("answers");
        world.answers = given ? given->first : nullptr;
    }

    void timeout() {
        if (!world.timers) refuse("step %d lets a timer fire, but none is set", number);
        fire();
    }

    void advance(const Json *time) {
        int64_t length = time->kind == Json::NUMBER ? time->integer() : 0;
        if (time->kind == Json::TEXT) {
            char *unit;
            double count = strtod(time->text, &unit);
            double factor = !strcmp(unit, "ns") ? 1 : !strcmp(unit, "us") ? 1e3 : !strcmp(unit, "ms") ? 1e6 : !strcmp(unit, "s") ? 1e9 : 0;
            if (factor == 0) refuse("step %d: \"%s\" is not a length of time (write a number and ns, us, ms or s)", number, time->text);
            length = static_cast<int64_t>(count * factor);
        }
        Event("advance", nullptr).number("by", length);
        pass(length);
    }

    // A capsule by its path: names of parts, with indices where there are several.
    Capsule *find(const char *path) {
        Capsule *at = world.root;
        if (!strcmp(path, at->xm_class->name)) return at;
        while (*path) {
            size_t length = strcspn(path, ".[");
            int index = path[length] == '[' ? atoi(path + length + 1) : 0;
            Part *found = nullptr;
            for (int i = 0; i < at->xm_class->part_count; i++)
                if (strlen(at->xm_parts[i].info->name) == length && !strncmp(at->xm_parts[i].info->name, path, length)) found = &at->xm_parts[i];
            at = found ? (*found)[index] : nullptr;
            if (!at) return nullptr;
            path += strcspn(path, ".");
            path += *path == '.';
        }
        return at;
    }

    void send(const Json *step, const char *name) {
        const char *to = step->get("to") ? step->get("to")->string("") : "";
        Capsule *capsule = *to ? find(to) : world.root;
        if (!capsule || capsule->xm_ghost) refuse("step %d: there is no capsule \"%s\" now", number, to);
        const char *dot = strchr(name, '.');
        Endpoint *port = nullptr;
        for (int i = 0; dot && i < capsule->xm_class->port_count; i++) {
            const char *other = capsule->xm_ends[i].info->name;
            if (strlen(other) == static_cast<size_t>(dot - name) && !strncmp(other, name, strlen(other))) port = &capsule->xm_ends[i];
        }
        if (!port) refuse("step %d: %s is not a port and message of capsule %s", number, name, capsule->xm_class->name);
        int index = step->get("index") ? static_cast<int>(step->get("index")->integer()) : 0;
        if (index < 0 || index >= port->size) refuse("step %d: port %s has no index %d", number, port->info->name, index);
        bool external = !strcmp(port->info->protocol, "External");
        if (!far_end(port, index).environment && !external) refuse("step %d: port %s is connected inside of the model", number, port->info->name);
        Side inside{port, false};
        Endpoint *receiver = terminal(inside, &index);
        if (!receiver) refuse("step %d: nobody is connected to port %s", number, port->info->name);
        Message *message = new Message();
        message->port = receiver;
        message->sapIndex0_ = index;
        message->priority = priority(step->get("priority"));
        fill(message, port->info, dot + 1, step->get("args"));
        append(world.queues[message->priority], message);
    }

    void fill(Message *message, const PortInfo *port, const char *name, const Json *args) {
        for (int i = 0; i < port->message_count; i++) {
            const MessageType *type = &port->messages[i];
            bool received = port->conjugated ? type->sent : type->received;
            if (strcmp(type->name, name) || !received) continue;
            message->name = type->name;
            message->signal = type->signal;
            message->type = type;
            message->copy = type->copy;
            message->destroy = type->destroy;
            message->data = type->params ? type->read(args, name) : nullptr;
            return;
        }
        if (!strcmp(port->protocol, "External") && !strcmp(name, "event")) {
            message->name = "event";
            message->signal = FIRST_SIGNAL;
            return;
        }
        bool bound = !strcmp(name, "rtBound");
        if (!bound && strcmp(name, "rtUnbound")) refuse("step %d: port %s receives no message \"%s\"", number, port->name, name);
        message->name = bound ? "rtBound" : "rtUnbound";
        message->signal = bound ? BOUND : UNBOUND;
    }

    int priority(const Json *given) {
        static const char *const names[] = {"synchronous", "system", "panic", "high", "normal", "low", "background"};
        if (!given) return NORMAL;
        for (int i = PANIC; i < PRIORITIES; i++)
            if (!strcmp(given->string(""), names[i])) return i;
        refuse("step %d: unknown priority (known: panic, high, normal, low, background)", number);
    }
};

inline char *whole_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) refuse("cannot read %s", path);
    size_t size = 0, read;
    char *text = nullptr;
    do {
        text = static_cast<char *>(realloc(text, size + 65537));
        read = fread(text + size, 1, 65536, file);
        size += read;
    } while (read);
    text[size] = 0;
    fclose(file);
    return text;
}

inline int drive(int argc, char **argv, const CapsuleClass *const *classes) {
    const char *file = nullptr;
    world.trace = stdout;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--trace") && i + 1 < argc) {
            if (!(world.trace = fopen(argv[++i], "wb"))) refuse("cannot write %s", argv[i]);
        } else if (!strcmp(argv[i], "--limit") && i + 1 < argc) {
            alarm(static_cast<unsigned>(atoi(argv[++i])));
        } else {
            file = argv[i];
        }
    }
    if (!file) refuse("usage: %s [--trace FILE] [--limit SECONDS] SEQUENCE.json", argv[0]);
    world.argc = 1;
    world.argv = argv;
    const Json *sequence = JsonReader(whole_file(file)).document();
    const Json *mode = sequence->get("mode"), *capsule = sequence->get("capsule");
    world.unit = !mode || strcmp(mode->string("unit"), "system");
    const char *name = capsule ? capsule->string("") : "";
    for (; *classes; classes++)
        if (!strcmp((*classes)->name, name)) {
            Driver(sequence).run(*classes);
            return 0;
        }
    refuse("this program has no capsule \"%s\"", name);
}

} // namespace xm
