//@ args: --entry from_pointer --string 3
//@ complete: yes
// A string that is made of an input array: its length and its pointer do not depend on where the array is.
#include <map>
#include <string>

int from_pointer(const std::string &word, bool fixed) {
  std::map<std::string, int> counts;
  counts[word] += 1;
  std::string copy(word);
  if (copy == "ab" && !fixed) throw counts.size();  //! uncaught-exception
  return static_cast<int>(copy.size());
}
