// Reproducible random points and rotations for tests.
#pragma once

#include "core/random.h"
#include "math/quat.h"

namespace sunder::testing {

class RandomPoints {
public:
    explicit RandomPoints(std::uint64_t seed) : random_(seed) {}

    std::uint32_t below(std::uint32_t count) { return random_.below(count); }
    Real between(double low, double high) { return Real(random_.between(low, high)); }
    Vec3 inBox(double half) {
        const Real x = between(-half, half), y = between(-half, half), z = between(-half, half);
        return {x, y, z};
    }
    Vec3 inBall() {
        for (;;) {
            const Vec3 p = inBox(1);
            if (lengthSquared(p) < 1 && lengthSquared(p) > Real(1e-4))
                return p;
        }
    }
    Vec3 onSphere() {
        const Vec3 p = inBall();
        return p / length(p);
    }
    Quat rotation() {
        for (;;) {
            const Real x = between(-1, 1), y = between(-1, 1), z = between(-1, 1), w = between(-1, 1);
            const Quat q{x, y, z, w};
            if (dot(q, q) < 1 && dot(q, q) > Real(0.01))
                return normalize(q);
        }
    }

private:
    core::Random random_;
};

}  // namespace sunder::testing
