// Values that are std::string; included where the model uses them.
#pragma once

#include <string>

#include "value.h"

namespace xm {

template <> struct Value<std::string> {
    static constexpr bool known = true;
    static void write(FILE *to, const std::string &value) { quote(to, value.data(), value.size()); }
    static void read(const Json *from, std::string &to, const char *what) {
        if (from->kind != Json::TEXT) refuse("%s must be a text", what);
        to.assign(from->text, from->length);
    }
};

} // namespace xm
