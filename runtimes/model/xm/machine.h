// Runs a state machine from its tables: one event at a time, to completion.
//
// The tables are written by xcute (crates/xcute-model/src/table.rs says what they mean). While a transition is under way the machine is
// in the state around what was left, so that code that asks sees no state that was left already.
#pragma once

#include "trace.h"

namespace xm {

class Stateful;
typedef void (Stateful::*Action)(const Message *);
typedef bool (Stateful::*Guard)(const Message *);

enum Next { REST, STATIC, DYNAMIC, DEEP, SHALLOW, INTERNAL };
enum { TOP = -1, NEVER = -1, BORDER = -2 };

struct StateInfo {
    const char *path;
    int parent;      // TOP: none
    bool composite;
    int initial;     // the pseudo-state where its region starts; -1: none
    Action entry;
    Action exit;
    int candidates;  // the first one
    int candidate_count;
};

struct CandidateInfo {
    int port;
    int signal;  // -1: any
    Guard guard;
    int segment;
};

struct SegmentInfo {
    const char *label;
    Guard guard;
    Action effect;
    int owner;   // TOP: all states are left
    int enters;  // -1: none
    Next next;
    int to;      // a state or pseudo-state
};

struct PseudoInfo {
    const char *path;
    int branches;  // the first one
    int branch_count;
};

struct MachineInfo {
    const StateInfo *states;
    int state_count;
    const CandidateInfo *candidates;
    const SegmentInfo *segments;
    const PseudoInfo *pseudos;
    int pseudo_count;
    const int *branches;  // segments
    int start;            // the pseudo-state where the machine starts; -1: it does nothing
};

// Whatever has a state machine.
class Stateful {
public:
    virtual ~Stateful() {
        free(xm_history);
        free(xm_way);
    }

    const MachineInfo *xm_machine = nullptr;
    int xm_state = TOP;
    int *xm_history = nullptr;
    int *xm_way = nullptr;  // the segments that were chosen beforehand
    int xm_length = 0;
    bool xm_stuck = false;
    bool xm_started = false;

    virtual const Capsule *xm_capsule() const { return nullptr; }

    void xm_prepare(const MachineInfo *machine) {
        xm_machine = machine;
        xm_history = array<int>(machine->state_count);
        for (int i = 0; i < machine->state_count; i++) xm_history[i] = NEVER;
        xm_way = array<int>(machine->pseudo_count + 2);
    }

    // Begins. A machine without an initial transition does nothing for ever.
    void xm_start(const Message *message) {
        xm_started = true;
        if (!xm_machine || xm_machine->start < 0) return;
        xm_from(xm_machine->start, message);
    }

    // Handles an event; false if nothing comes into question.
    bool xm_handle(const Message *message, int port, int signal) {
        if (!xm_machine || xm_stuck || xm_state < 0) return false;
        const StateInfo &state = xm_machine->states[xm_state];
        for (int i = 0; i < state.candidate_count; i++) {
            const CandidateInfo &candidate = xm_machine->candidates[state.candidates + i];
            if (candidate.port != port || (candidate.signal >= 0 && candidate.signal != signal)) continue;
            if (candidate.guard && !xm_holds(candidate.guard, candidate.segment, message)) continue;
            xm_length = 0;
            if (!xm_choose(candidate.segment, message)) continue;
            if (world.search) world.search->handled(xm_machine, state.candidates + i);
            if (state.composite && xm_machine->segments[candidate.segment].next != INTERNAL) xm_history[xm_state] = BORDER;
            xm_from(xm_run(message), message);
            return true;
        }
        return false;
    }

    // Whether something comes into question for an event, whatever guards say.
    bool xm_waits(int port, int signal) const {
        if (!xm_machine || xm_stuck || xm_state < 0) return false;
        const StateInfo &state = xm_machine->states[xm_state];
        for (int i = 0; i < state.candidate_count; i++) {
            const CandidateInfo &candidate = xm_machine->candidates[state.candidates + i];
            if (candidate.port == port && (candidate.signal < 0 || candidate.signal == signal)) return true;
        }
        return false;
    }

    const char *xm_state_name() const { return xm_state < 0 ? "" : xm_machine->states[xm_state].path; }

private:
    bool xm_holds(Guard guard, int segment, const Message *message) {
        bool holds = (this->*guard)(message);
        Event("guard", xm_capsule()).text("transition", xm_machine->segments[segment].label).truth("holds", holds);
        if (world.search) world.search->held(xm_machine, segment, holds);
        return holds;
    }

    // Chooses a segment and all that follow it up to a state or choice; false if a guard is in the way.
    bool xm_choose(int number, const Message *message) {
        const SegmentInfo &segment = xm_machine->segments[number];
        if (segment.guard && !xm_holds(segment.guard, number, message)) return false;
        xm_way[xm_length++] = number;
        if (segment.next != STATIC || xm_choose_from(segment.to, message)) return true;
        xm_length--;
        return false;
    }

    bool xm_choose_from(int number, const Message *message) {
        const PseudoInfo &pseudo = xm_machine->pseudos[number];
        for (int i = 0; i < pseudo.branch_count; i++)
            if (xm_choose(xm_machine->branches[pseudo.branches + i], message)) return true;
        return false;
    }

    // Goes on from a pseudo-state that was reached, until the machine rests. -1: it does already.
    void xm_from(int number, const Message *message) {
        while (number >= 0) {
            xm_length = 0;
            if (!xm_choose_from(number, message)) {
                xm_stuck = true;
                Event("stuck", xm_capsule()).text("at", xm_machine->pseudos[number].path);
                if (world.search) world.search->stuck(xm_machine, number);
                return;
            }
            number = xm_run(message);
        }
    }

    // Runs the way that was chosen; the pseudo-state from which it goes on, or -1.
    int xm_run(const Message *message) {
        int end = -1;
        for (int i = 0; i < xm_length; i++) {
            const SegmentInfo &segment = xm_machine->segments[xm_way[i]];
            if (segment.next != INTERNAL)
                while (xm_state != segment.owner) xm_exit(message);
            Event("transition", xm_capsule()).text("name", segment.label);
            if (world.search) world.search->took(xm_capsule(), xm_machine, xm_way[i]);
            if (segment.effect) (this->*segment.effect)(message);
            if (segment.enters >= 0) xm_enter(segment.enters, message);
            if (segment.next == DYNAMIC) end = segment.to;
            else if (segment.next == DEEP || segment.next == SHALLOW) end = xm_restore(segment.to, segment.next == DEEP, message);
        }
        return end;
    }

    void xm_exit(const Message *message) {
        const StateInfo &state = xm_machine->states[xm_state];
        Event("exit", xm_capsule()).text("state", state.path);
        if (world.search) world.search->left(xm_capsule(), xm_machine, xm_state);
        if (state.exit) (this->*state.exit)(message);
        if (state.parent >= 0) xm_history[state.parent] = xm_state;
        xm_state = state.parent;
    }

    void xm_enter(int number, const Message *message) {
        const StateInfo &state = xm_machine->states[number];
        xm_state = number;
        Event("enter", xm_capsule()).text("state", state.path);
        if (world.search) world.search->entered(xm_capsule(), xm_machine, number);
        if (state.entry) (this->*state.entry)(message);
    }

    // Activates what was active last inside a composite state that is active; the pseudo-state where a region starts instead, or -1.
    int xm_restore(int number, bool deep, const Message *message) {
        for (;;) {
            int last = xm_history[number];
            if (last == BORDER) return -1;
            if (last == NEVER) break;
            xm_enter(last, message);
            if (!xm_machine->states[last].composite) return -1;
            number = last;
            if (!deep) break;
        }
        return xm_machine->states[number].initial;
    }
};

} // namespace xm
