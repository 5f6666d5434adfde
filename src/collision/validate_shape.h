// Checks the fields of a shape definition, so that what follows may assume sound numbers.
#pragma once

#include <string>
#include <vector>

#include "sunder/shapes.h"

namespace sunder::collision {

// One message per bad field, the first sixteen; empty where all is well. It does not build hulls, so it cannot detect a flat
// one.
std::vector<std::string> checkShapeFields(const Shape& shape);

}  // namespace sunder::collision
