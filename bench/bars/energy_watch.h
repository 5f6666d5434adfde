// Follows the total energy of a run, as a share of what it started with.
#pragma once

#include <algorithm>

namespace sunder::bars {

class EnergyWatch {
public:
    explicit EnergyWatch(double initial) : initial_(initial), last_(initial) {}

    void see(double energy) {
        highest_ = std::max(highest_, (energy - initial_) / initial_);
        largestRise_ = std::max(largestRise_, (energy - last_) / initial_);
        last_ = energy;
        finite_ = finite_ && energy - energy == 0;
    }
    double highest() const { return highest_; }          // above the initial energy, after any step
    double largestRise() const { return largestRise_; }  // of a single step
    bool holds() const { return finite_ && highest_ <= 1e-4 && largestRise_ <= 1e-4; }

private:
    double initial_, last_;
    double highest_ = -1, largestRise_ = 0;
    bool finite_ = true;
};

}  // namespace sunder::bars
