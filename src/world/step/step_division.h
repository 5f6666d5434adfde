// Into which parts a step is divided while blows break bonds.
//
// A bond that breaks is gone from the start of the part on, so what it took of a blow before it broke depends on the length of
// the part, and so does how many pieces a striker meets before the next of them can come off. A part in which a blow loads
// bonds far beyond their strength (isBondStruck) is therefore solved again at a quarter of its length, down to kFinestPart;
// only there do bonds break. Other parts grow again. A ball of 2 t that meets a wall at 10 m/s keeps 6.8 m/s at 2000 Hz,
// and 7.7 m/s where steps of 1/30 s are not divided.
#pragma once

#include <algorithm>

#include "dynamics/substep/substep_solver.h"
#include "world/state/state.h"

namespace sunder::world {

class StepDivision {
public:
    // dt: length of each of the parts into which the step is divided already, each of settings.substeps.
    StepDivision(Real dt, int parts, const dynamics::SubstepSettings& settings) : wholeDt_(dt), h_(settings.contact.h) {
        finer_ = static_cast<int>(max(1, std::ceil(h_ / kFinestPart - Real(0.01))));
        whole_ = length_ = settings.substeps * finer_;
        left_ = parts * whole_;
    }

    bool canDivide() const { return length_ > 1; }
    // A shorter part in place of the one that was set last.
    void divide(StepPart& part, dynamics::SubstepSettings& settings) { set(std::max(length_ / kDivideBy, 1), part, settings); }
    // The part after the one that was set last.
    void next(StepPart& part, dynamics::SubstepSettings& settings) {
        left_ -= length_;
        set(std::min(length_ * kGrowBy, whole_), part, settings);
    }

private:
    // s: the shortest part. Shorter ones change what is left of a striker's speed by less than the place where it strikes does.
    static constexpr Real kFinestPart = Real(1) / 2000;
    static constexpr int kDivideBy = 4, kGrowBy = 2;

    void set(int length, StepPart& part, dynamics::SubstepSettings& settings) {
        length_ = std::min(length, left_);
        if (length_ > finer_)
            length_ -= length_ % finer_;
        const bool isFine = length_ % finer_ != 0;
        settings.substeps = isFine ? length_ : length_ / finer_;
        settings.contact.h = isFine ? h_ / Real(finer_) : h_;
        settings.contact.inverseH = 1 / settings.contact.h;
        part.dt = length_ == whole_ ? wholeDt_ : settings.contact.h * Real(settings.substeps);
        const int wholes = left_ / whole_;
        part.timeLeft = left_ == wholes * whole_ ? wholeDt_ * Real(wholes) : h_ / Real(finer_) * Real(left_);
        if (length_ == left_)
            part.timeLeft = part.dt;
    }

    // In units: a substep, or its finer_-th part.
    int finer_ = 1, whole_ = 1, length_ = 1, left_ = 1;
    Real wholeDt_ = 0, h_ = 0;  // s: of a part that is not divided, and its substep
};

}  // namespace sunder::world
