// Labels from a NumPy file, and pixels from a PNG.
#pragma once

#include <string>

#include "sunder/drawn_patterns.h"

namespace sunder::scene {

// An array of whole numbers with three axes x, y and z. Throws Error with what is wrong and what is allowed.
DrawnLabels readNpy(const std::string& data);
// Gray values; what is transparent is white.
DrawnPicture readPng(const std::string& data);

}  // namespace sunder::scene
