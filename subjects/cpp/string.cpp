//@ args: --entry greet
//@ complete: yes
// std::string keeps what is symbolic: growing beyond its own buffer, searching, comparing.
#include <string>

int greet(char a, char b, bool fixed) {
  std::string s = "x";
  s += a;
  s += b;
  s.append("a tail that does not fit into the object itself");
  if (s.find("ab") != 1) return s < "xb";
  std::size_t at = s.find(fixed ? "tail" : "tile");
  return s.substr(at).size() == 4;  //! uncaught-exception
}
