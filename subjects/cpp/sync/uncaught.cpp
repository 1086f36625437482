// An exception that leaves a thread ends the program.
//@ args: --entry main
#include <stdexcept>
#include <thread>

static void works() {
  throw std::runtime_error("nobody catches it"); //! uncaught-exception
}

int main() {
  std::thread thread(works);
  thread.join();
}
