#include "elastic/crack/crack_shadow.h"

#include <algorithm>
#include <cmath>

namespace sunder::elastic {

void CrackShadow::add(const Crack& crack, std::size_t known) {
    Flat& flat = cracks_.emplace_back();
    for (const std::uint32_t tet : crack.tets) {
        const Vec3 normal = normalIn(solid_, crack, tet);
        flat.normal += dot(normal, flat.normal) < 0 ? -normal : normal;
        flat.middle += middleOf(solid_.mesh, tet) / Real(crack.tets.size());
    }
    flat.normal = normalizeOr(flat.normal, {0, 1, 0});
    for (std::size_t i = 0; i < crack.tets.size(); ++i) {
        const Vec3 middle = middleOf(solid_.mesh, crack.tets[i]);
        flat.radius = max(flat.radius, length(middle - flat.middle));
        if (i < known)
            continue;
        const Real reach = reach_ * solid_.sizes[crack.tets[i]];
        flat.entered.push_back({middle, reach});
        flat.reach = unite(flat.reach, expand(Bounds{middle, middle}, reach));
    }
}

bool CrackShadow::isDark(std::uint32_t tet) const {
    const Vec3 middle = middleOf(solid_.mesh, tet);
    const Bounds here{middle, middle};
    return std::any_of(cracks_.begin(), cracks_.end(), [&](const Flat& crack) {
        return overlaps(crack.reach, here) && std::any_of(crack.entered.begin(), crack.entered.end(), [&](const Entered& e) {
                   return length(middle - e.middle) < e.reach;
               });
    });
}

Real CrackShadow::shareLeft(std::uint32_t tet, const Vec3& direction) const {
    constexpr Real kSmallest = Real(1e-30);  // m^2: no division by 0
    const Vec3 point = middleOf(solid_.mesh, tet);
    Real left = 1;
    for (const Flat& crack : cracks_) {
        const Vec3 off = point - crack.middle;
        const Real height = max(std::fabs(dot(off, crack.normal)), length(off) - crack.radius);
        const Real across = height / std::sqrt(height * height + crack.radius * crack.radius + kSmallest);
        left = min(left, 1 - square(dot(direction, crack.normal)) * (1 - across));
    }
    return left;
}

}  // namespace sunder::elastic
