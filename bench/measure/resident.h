// The resident memory of this process (Linux; 0 elsewhere).
#pragma once

namespace sunder::measure {

double residentBytes();
// What was freed before goes back to the system, where it would hide growth.
void giveBackFreed();

}  // namespace sunder::measure
