// `Log` with its streams; included where the model uses them.
#pragma once

#include <iostream>
#include <sstream>

#include "log.h"

struct Log {
    using Base = xm::LogPort;
    using Stream = std::ostream;
    inline static std::ostream &out = std::cout;
    inline static std::ostream &err = std::cerr;
    static std::ostream &endl(std::ostream &stream) { return std::endl(stream); }
    static std::ostream &lock(std::ostream &stream) { return stream; }
    static std::ostream &unlock(std::ostream &stream) { return stream; }
};
