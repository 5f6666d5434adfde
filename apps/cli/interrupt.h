// Ctrl-C: the first asks the work to end where it may, a second one ends the program at once.
#pragma once

namespace sunder::cli {

void catchInterrupts();
bool interrupted();

}  // namespace sunder::cli
