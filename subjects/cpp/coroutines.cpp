//@ args: --entry doubled -- -std=c++20
//@ complete: yes
//@ args: --entry generated -- -std=c++20
//@ complete: yes
//@ args: --entry handed_on -- -std=c++20
//@ complete: yes
//@ args: --entry destroyed -- -std=c++20
//@ complete: yes
// Coroutines: what lives across a suspension is in a frame on the heap, and values in it stay symbolic.
#include <coroutine>
#include <cstdlib>

struct Generator {
  struct promise_type {
    int value = 0;
    Generator get_return_object() { return Generator{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int next) {
      value = next;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::abort(); }
  };
  std::coroutine_handle<promise_type> handle;
  bool next() {
    handle.resume();
    return !handle.done();
  }
};

static Generator up_to(int n) {
  for (int i = 0; i < 3; i++) co_yield i == n ? 100 : i;
}

void generated(int n) {
  Generator numbers = up_to(n);
  int sum = 0;
  while (numbers.next()) sum += numbers.handle.promise().value;
  numbers.handle.destroy();
  if (sum == 102) std::abort();  //! abort if generated
}

struct Task {
  struct promise_type {
    int value = 0;
    std::coroutine_handle<> waiting;
    Task get_return_object() { return Task{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    struct Back {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> done) noexcept {
        return done.promise().waiting ? done.promise().waiting : std::noop_coroutine();
      }
      void await_resume() noexcept {}
    };
    Back final_suspend() noexcept { return {}; }
    void return_value(int result) { value = result; }
    void unhandled_exception() { std::abort(); }
  };
  std::coroutine_handle<promise_type> handle;
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> who) {
    handle.promise().waiting = who;
    return handle;
  }
  int await_resume() {
    int result = handle.promise().value;
    handle.destroy();
    return result;
  }
};

static Task twice(int x) { co_return x * 2; }

static Task sum(int x) {
  int first = co_await twice(x);
  int second = co_await twice(first);
  co_return first + second;
}

void doubled(int x) {
  Task task = twice(x);
  task.handle.resume();
  int result = task.handle.promise().value;
  task.handle.destroy();
  if (result == 14) std::abort();  //! abort if doubled
}

void handed_on(int x) {
  Task task = sum(x & 15);
  task.handle.resume();
  int result = task.handle.promise().value;
  task.handle.destroy();
  if (result == 42) std::abort();  //! abort if handed_on
}

int destroyed(int x) {
  Task task = twice(x);
  task.handle.resume();
  task.handle.destroy();
  return x == 3 ? task.handle.promise().value : 0;  //! use-after-free if destroyed
}
