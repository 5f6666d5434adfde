// See interrupt.h.
#include "interrupt.h"

#include <csignal>

namespace sunder::cli {

namespace {

volatile std::sig_atomic_t caught = 0;

void onInterrupt(int signal) {
    caught = 1;
    std::signal(signal, SIG_DFL);
}

}  // namespace

void catchInterrupts() {
    std::signal(SIGINT, onInterrupt);
    std::signal(SIGTERM, onInterrupt);
}

bool interrupted() { return caught != 0; }

}  // namespace sunder::cli
