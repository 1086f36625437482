//@ args: --entry count --string 3
//@ complete: yes
// Strings and vectors as parameters, by value and by reference.
#include <stdexcept>
#include <string>
#include <vector>

enum class Mode : char { first, all };

int count(const std::vector<int> &numbers, std::string name, Mode mode, int &result) {
  if (name == "max" && mode == Mode::all && numbers.size() == 2) {
    if (numbers[0] > numbers[1]) throw std::runtime_error("unsorted");  //! uncaught-exception
  }
  result = static_cast<int>(name.size());
  return result;
}
