// The generators: boxes cut by planes, so that splinters fill the solid without gaps.
#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "deformable/drawn/splinters.h"

namespace sunder::deformable {

namespace {

// Shares of the mean size by which slivers of wood differ: their length, their width, and how far their ends slant.
constexpr double kLengthSpread = 0.5, kWidthSpread = 0.3, kSlant = 0.45;

// Cuts from -half to half, about `size` apart; inner ones moved at random by up to this share of the distance.
std::vector<Real> cutsOf(Real half, Real size, double spread, core::Random& random) {
    const int count = std::max(1, static_cast<int>(std::floor(2 * half / size + Real(0.5))));
    std::vector<Real> cuts;
    for (int i = 0; i <= count; ++i) {
        const double moved = i > 0 && i < count ? random.between(-spread / 2, spread / 2) : 0.0;
        cuts.push_back(half * Real((2 * (i + moved) - count) / count));
    }
    return cuts;
}

// From one end to the other; an end is the x of its four corners, by y and z.
using End = std::array<Real, 4>;
Splinter between(const End& from, const End& to, Real lowY, Real highY, Real lowZ, Real highZ) {
    Splinter made;
    for (std::size_t k = 0; k < 8; ++k)
        made.corners[k] = {k & 1 ? to[k >> 1] : from[k >> 1], k & 2 ? highY : lowY, k & 4 ? highZ : lowZ};
    return made;
}

End flatEnd(Real x) { return {x, x, x, x}; }

}  // namespace

Vec3 Splinter::middle() const {
    Vec3 sum;
    for (const Vec3& corner : corners)
        sum += corner;
    return sum / 8;
}

std::vector<Splinter> splintersOfWood(const Vec3& halfExtents, const Vec3& size, std::uint64_t seed) {
    core::Random random(seed);
    const std::vector<Real> y = cutsOf(halfExtents.y, size.y, kWidthSpread, random),
                            z = cutsOf(halfExtents.z, size.z, kWidthSpread, random);
    std::vector<Splinter> made;
    for (std::size_t j = 0; j + 1 < y.size(); ++j)
        for (std::size_t k = 0; k + 1 < z.size(); ++k) {
            // Ends are random in every row, so that no plane across the grain runs through the wood.
            double x = -double(halfExtents.x) - double(size.x) * random.between(0, 1);
            End from = flatEnd(-halfExtents.x);
            for (bool isLast = false; !isLast;) {
                x += double(size.x) * random.between(1 - kLengthSpread, 1 + kLengthSpread);
                isLast = x > double(halfExtents.x) - 0.3 * double(size.x);
                if (!isLast && x < -double(halfExtents.x) + 0.3 * double(size.x))
                    continue;
                End to = flatEnd(halfExtents.x);
                for (std::size_t corner = 0; corner < 4 && !isLast; ++corner)
                    to[corner] =
                        clamp(Real(x + kSlant * double(size.x) * random.between(-0.5, 0.5)), from[corner], halfExtents.x);
                made.push_back(between(from, to, y[j], y[j + 1], z[k], z[k + 1]));
                from = to;
            }
        }
    return made;
}

std::vector<Splinter> splintersOfBrick(const Vec3& halfExtents, const Vec3& size) {
    core::Random random(0);
    const std::vector<Real> y = cutsOf(halfExtents.y, size.y, 0, random), z = cutsOf(halfExtents.z, size.z, 0, random),
                            x = cutsOf(halfExtents.x, size.x, 0, random);
    std::vector<Splinter> made;
    for (std::size_t j = 0; j + 1 < y.size(); ++j) {
        std::vector<Real> ends = x;
        if (j % 2 == 1) {  // half a brick at either end
            const Real half = (x[1] - x[0]) / 2;
            for (std::size_t i = 1; i < ends.size(); ++i)
                ends[i] = x[i] - half;
            ends.push_back(x.back());
        }
        for (std::size_t k = 0; k + 1 < z.size(); ++k)
            for (std::size_t i = 0; i + 1 < ends.size(); ++i)
                made.push_back(between(flatEnd(ends[i]), flatEnd(ends[i + 1]), y[j], y[j + 1], z[k], z[k + 1]));
    }
    return made;
}

}  // namespace sunder::deformable
