/* A program in C++: strings, a map, an exception that nobody catches. */
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
int main(int argc, char **argv) {
  std::map<std::string, int> known{{"one", 1}, {"two", 2}};
  std::string name = argc > 1 ? argv[1] : "";
  if (name == "three") throw std::runtime_error("not yet"); //! uncaught-exception
  auto found = known.find(name);
  if (found == known.end()) { std::cout << "?\n"; return 1; }
  std::cout << found->second << "\n";
}
