//@ args: --entry show
//@ paths: 2
//@ complete: yes
// What is only written to the standard streams decides nothing.
#include <cassert>
#include <iostream>
#include <string>

int show(int k, bool b) {
  std::cout << "k is " << k << ' ' << b << std::string(" text") << std::endl;
  std::cerr << k << '\n';
  assert(k != 5);  //! assertion
  return 0;
}
