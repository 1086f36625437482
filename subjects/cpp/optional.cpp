//@ args: --entry choose
//@ complete: yes
// optional, variant and function.
#include <functional>
#include <optional>
#include <string>
#include <variant>

int choose(int k) {
  std::optional<int> o;
  if (k > 5) o = k;
  std::variant<int, std::string> v;
  if (k == 7) v = "seven";
  std::function<int(int)> f;
  if (k != 8) f = [k](int x) { return x + k; };
  if (k == 4) return o.value();     //! uncaught-exception
  if (k == 7) return std::get<int>(v);  //! uncaught-exception
  return f(k) + o.value_or(0);      //! uncaught-exception
}
