#include "measure/text.h"

#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace sunder::measure {

std::string format(const char* text, ...) {
    char buffer[400];
    va_list arguments;
    va_start(arguments, text);
    std::vsnprintf(buffer, sizeof buffer, text, arguments);
    va_end(arguments);
    return buffer;
}

std::string jsonString(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        if (static_cast<unsigned char>(c) >= ' ')
            result += c;
    }
    return result + "\"";
}

std::string jsonNumber(double value) { return std::isfinite(value) ? format("%.6g", value) : "null"; }

}  // namespace sunder::measure
