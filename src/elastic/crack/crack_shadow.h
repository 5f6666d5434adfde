// Where the cracks of one round keep others from starting.
#pragma once

#include <vector>

#include "elastic/crack/crack_state.h"

namespace sunder::elastic {

class CrackShadow {
public:
    // reach: in sizes of the tetrahedra that cracks entered.
    CrackShadow(const UncutMesh& solid, Real reach) : solid_(solid), reach_(reach) {}

    // A crack that has gone on in this round; known: how many tetrahedra it cut before.
    void add(const Crack& crack, std::size_t known);
    // Whether the tetrahedron is within reach of one that cracks entered in this round.
    bool isDark(std::uint32_t tet) const;
    // The share of its tension that the cracks will leave a tetrahedron, as if they were flat. Above the middle of a crack with
    // half the length a, at the height d, the stress across it falls to about d / sqrt(d^2 + a^2) of what it was.
    Real shareLeft(std::uint32_t tet, const Vec3& direction) const;

private:
    struct Entered {
        Vec3 middle;
        Real reach;  // m
    };
    struct Flat {
        Vec3 normal, middle;
        Real radius = 0;  // m: of the crack
        Bounds reach;     // of what it has entered
        std::vector<Entered> entered;
    };
    const UncutMesh& solid_;
    Real reach_;
    std::vector<Flat> cracks_;
};

}  // namespace sunder::elastic
