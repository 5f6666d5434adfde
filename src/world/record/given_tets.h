// Tetrahedra that a user gives for a deformable body.
#pragma once

#include <string>

#include "sunder/definitions.h"

namespace sunder::world {

inline constexpr double kMostTets = 500000;  // more take seconds for a step

// What is wrong with DeformableDef::nodes and tets: field, value, what is allowed; empty where they are good, or there are
// none.
std::string complaintAboutTets(const DeformableDef& def);

}  // namespace sunder::world
