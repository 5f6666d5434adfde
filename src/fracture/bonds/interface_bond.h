// The bond of two pieces over the surface that they share.
#pragma once

#include "geometry/piece_interface.h"
#include "sunder/bonds.h"

namespace sunder::fracture {

inline constexpr std::uint32_t kMostPieces = 1000;  // of one body; a bound on the time to find and solve its bonds

inline Bond bondOf(const geometry::PieceInterface& interface) {
    Bond bond;
    bond.a = interface.a;
    bond.b = interface.b;
    bond.point = toReal(interface.centroid);
    bond.normal = toReal(interface.normal);
    bond.area = Real(interface.area);
    const std::array<double, 6>& m = interface.secondMoments;
    bond.secondMoments = {Real(m[0]), Real(m[1]), Real(m[2])};
    bond.secondProducts = {Real(m[3]), Real(m[4]), Real(m[5])};
    return bond;
}

}  // namespace sunder::fracture
