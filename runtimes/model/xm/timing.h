// Timers on the virtual clock.
#pragma once

#include "system.h"

namespace xm {

struct Timespec {
    long tv_sec = 0;
    long tv_nsec = 0;

    static const struct ObjectClass classData;
    static constexpr long ONE_BILLION = 1000000000, ONE_MILLION = 1000000, NANOSECONDS_PER_MILLISECOND = 1000000;
    static constexpr long SECONDS_PER_DAY = 86400, SECONDS_PER_HOUR = 3600, SECONDS_PER_MINUTE = 60;

    Timespec() = default;
    Timespec(long seconds, long nanoseconds) { *this = of(seconds * 1000000000LL + nanoseconds); }

    static Timespec of(int64_t nanoseconds) {
        Timespec time;
        time.tv_sec = static_cast<long>(nanoseconds / 1000000000);
        time.tv_nsec = static_cast<long>(nanoseconds % 1000000000);
        if (time.tv_nsec < 0) {
            time.tv_nsec += 1000000000;
            time.tv_sec--;
        }
        return time;
    }
    int64_t nanoseconds() const { return tv_sec * 1000000000LL + tv_nsec; }
    bool isZeroOrNegative() const { return nanoseconds() <= 0; }

    static void getclock(Timespec &time) { time = of(world.now); }
    static void getclock(Timespec *time) { *time = of(world.now); }
    static void getClock(Timespec *time) { *time = of(world.now); }
    static Timespec now() { return of(world.now); }

    bool operator==(const Timespec &o) const { return nanoseconds() == o.nanoseconds(); }
    bool operator!=(const Timespec &o) const { return nanoseconds() != o.nanoseconds(); }
    bool operator<(const Timespec &o) const { return nanoseconds() < o.nanoseconds(); }
    bool operator<=(const Timespec &o) const { return nanoseconds() <= o.nanoseconds(); }
    bool operator>(const Timespec &o) const { return nanoseconds() > o.nanoseconds(); }
    bool operator>=(const Timespec &o) const { return nanoseconds() >= o.nanoseconds(); }
    Timespec operator+(const Timespec &o) const { return of(nanoseconds() + o.nanoseconds()); }
    Timespec operator-(const Timespec &o) const { return of(nanoseconds() - o.nanoseconds()); }
    Timespec &operator+=(const Timespec &o) { return *this = *this + o; }
    Timespec &operator-=(const Timespec &o) { return *this = *this - o; }
};

// Lengths of time: those of the run-time systems, and whatever looks like a std::chrono::duration.
inline int64_t nanoseconds(const Timespec &time) { return time.nanoseconds(); }
template <class Duration> auto nanoseconds(const Duration &time) -> decltype(time.count(), Duration::period::num, int64_t()) {
    return static_cast<int64_t>(static_cast<long double>(time.count()) * Duration::period::num * 1e9L / Duration::period::den);
}

inline Timer *find_timer(uint64_t number) {
    for (Timer *timer = world.timers; timer; timer = timer->next)
        if (timer->number == number) return timer;
    for (Queue &queue : world.queues)
        for (Message *message = queue.first; message; message = message->next)
            if (message->timer && message->timer->number == number) return message->timer;
    return nullptr;
}

class TimerId {
public:
    TimerId() = default;
    TimerId(const Timer *timer) : number(timer ? timer->number : 0) {}
    bool isValid() const { return number && find_timer(number); }
    const Timer *getTimer() const { return find_timer(number); }
    uint64_t number = 0;
};

class TimingPort : public Port {
public:
    TimingPort &operator()() { return *this; }

    template <class Time> Timer *informIn(const Time &time, int priority = NORMAL) const {
        return set(world.now + nanoseconds(time), 0, priority, nullptr, nullptr, nullptr);
    }
    template <class Time, class T> Timer *informIn(const Time &time, T *data, const DataType *type, int priority = NORMAL) const {
        return typed(world.now + nanoseconds(time), 0, priority, data, type);
    }
    template <class Time> Timer *informEvery(const Time &time, int priority = NORMAL) const {
        return set(world.now + nanoseconds(time), nanoseconds(time), priority, nullptr, nullptr, nullptr);
    }
    template <class Time, class T> Timer *informEvery(const Time &time, T *data, const DataType *type, int priority = NORMAL) const {
        return typed(world.now + nanoseconds(time), nanoseconds(time), priority, data, type);
    }
    Timer *informAt(const Timespec &time, int priority = NORMAL) const { return set(time.nanoseconds(), 0, priority, nullptr, nullptr, nullptr); }
    template <class T> Timer *informAt(const Timespec &time, T *data, const DataType *type, int priority = NORMAL) const {
        return typed(time.nanoseconds(), 0, priority, data, type);
    }
    // A point on a real clock is as far away as it is for that clock.
    template <class Point> auto informAt(const Point &time, int priority = NORMAL) const -> decltype(Point::clock::now(), (Timer *)nullptr) {
        return set(world.now + nanoseconds(time - Point::clock::now()), 0, priority, nullptr, nullptr, nullptr);
    }
    Timespec currentTime() const { return Timespec::now(); }

    bool cancelTimer(const TimerId &id) const {
        Timer *timer = find_timer(id.number);
        if (!timer) return false;
        Event("cancel", xm_end->owner).port(xm_end, 0).number("timer", static_cast<long long>(timer->number));
        unsend(timer);
        drop_timer(timer);
        return true;
    }
    bool cancelTimer(TimerId *id) const { return id && cancelTimer(*id); }
    Signal timeout() const {
        static const MessageType type = {"timeout", FIRST_SIGNAL, 0, true, false, nullptr, nullptr, nullptr, nullptr, nullptr};
        return Signal(xm_end, &type, nullptr);
    }
    void adjustTimeBegin() const {}
    void adjustTimeEnd(const Timespec &delta) const { world.now += delta.nanoseconds(); }

private:
    template <class T> Timer *typed(int64_t due, int64_t period, int priority, T *data, const DataType *type) const {
        return set(due, period, priority, type && data ? type->copy(data) : nullptr, type ? type->copy : nullptr, type ? type->destroy : nullptr);
    }

    Timer *set(int64_t due, int64_t period, int priority, void *data, void *(*copy)(const void *), void (*destroy)(void *)) const {
        if (due < world.now) due = world.now;
        if (period < 0) period = 0;
        if (priority < 0 || priority >= PRIORITIES) priority = NORMAL;
        Timer *timer = new Timer{++world.timers_made, xm_end, due, period, priority, data, copy, destroy, false, nullptr};
        arm(timer);
        Event event("set", xm_end->owner);
        event.port(xm_end, 0).number("timer", static_cast<long long>(timer->number)).number("due", due);
        if (period) event.number("period", period);
        return timer;
    }
};

} // namespace xm
