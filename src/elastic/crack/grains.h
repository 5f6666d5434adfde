// Grains: random regions of a solid along whose boundaries it is weaker.
//   [Bao07] VII.A   seeds p_i with weights k_i; a point belongs to the seed of least energy E_i = k_i |x - p_i|
// Deviation: with more than two seeds the boundary of grain i is where E_i equals the least of all others, not where it equals
// one of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "elastic/crack/crack_state.h"
#include "math/bounds.h"

namespace sunder::elastic {

struct GrainOptions {
    int count = 0;        // of seeds; fewer than 2: no grains
    Real unevenness = 0;  // 0 to 1: weights vary between 1 - this and 1 + this
    Real strength = 1;    // 0 to 1: what boundaries bear, as a share of what the grains do
    std::uint64_t seed = 1;
};

class Grains {
public:
    Grains() = default;
    // Seeds are uniform over the bounds.
    Grains(const UncutMesh& solid, const Bounds& bounds, const GrainOptions& options);

    Real boundaryStrength() const { return strength_; }
    bool isBoundary(const UncutMesh& solid, std::uint32_t tet) const;
    // Near the boundary between the grains of a tetrahedron's corners: the signed distance (m, to first order) of a node to it,
    // and the boundary's unit normal. Nothing where the tetrahedron lies within a grain. Of three grains the first two count.
    struct Boundary {
        std::uint32_t positive = 0, negative = 0;  // seeds
        Vec3 normal;                               // towards the grain `positive`, at the tetrahedron's middle
    };
    std::optional<Boundary> boundaryIn(const UncutMesh& solid, std::uint32_t tet) const;
    Real distanceTo(const Boundary& boundary, const Vec3& point) const;

private:
    struct Seed {
        Vec3 point;
        Real weight = 1;
    };
    Vec3 slope(const Boundary& boundary, const Vec3& point) const;
    Real energy(std::uint32_t seed, const Vec3& point) const;

    std::vector<Seed> seeds_;
    std::vector<std::uint32_t> ofNode_;
    Real strength_ = 1;
};

}  // namespace sunder::elastic
