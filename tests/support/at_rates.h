// A fixture for facts that must hold at more than one step rate; the parameter is the rate in Hz.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "sunder/world.h"

namespace sunder {

class AtRate : public ::testing::TestWithParam<double> {
protected:
    double rate() const { return GetParam(); }
    Real dt() const { return Real(1 / rate()); }
    void run(World& world, double seconds) const {
        for (int i = 0; i < int(std::lround(seconds * rate())); ++i)
            world.step(dt());
    }
};

}  // namespace sunder
