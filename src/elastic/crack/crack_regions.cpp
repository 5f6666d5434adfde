#include "elastic/crack/crack_regions.h"

#include <algorithm>
#include <cmath>

#include "core/none.h"

namespace sunder::elastic {

namespace {

// How many of its own sizes a point may lie outside a tetrahedron that is still asked, at first.
constexpr Real kFirstReach = Real(0.01);
// Beyond so many, the tetrahedron with the nearest bounds will do.
constexpr Real kFarReach = 1;
constexpr std::uint32_t kTetsPerLeaf = 4;
// A point with more in all four coordinates is in this tetrahedron alone, whatever rounding does.
constexpr double kSurelyInside = 1e-9;
// Steps from tetrahedron to tetrahedron before the tree is asked, which takes as long as about ten.
constexpr int kMostSteps = 8;
// A part of less than this share of its tetrahedron is a splinter.
constexpr Real kSplinter = Real(0.2);

Bounds boundsOf(const geometry::TetMesh& mesh, std::uint32_t tet) {
    Bounds bounds;
    for (const std::uint32_t node : mesh.tets[tet])
        bounds = unite(bounds, mesh.vertices[node]);
    return bounds;
}

// m^2: of a point to the nearest point of a triangle.
double distanceSquared(const Vec3d& point, const std::array<Vec3d, 3>& triangle) {
    const Vec3d &a = triangle[0], &b = triangle[1], &c = triangle[2];
    const auto toSegment = [&](const Vec3d& from, const Vec3d& to) {
        const Vec3d along = to - from, off = point - from;
        const double squared = dot(along, along);
        const double t = squared > 0 ? std::clamp(dot(off, along) / squared, 0.0, 1.0) : 0.0;
        const Vec3d left = off - along * t;
        return dot(left, left);
    };
    const Vec3d normal = cross(b - a, c - a);
    const double squared = dot(normal, normal);
    const double outside = std::min({toSegment(a, b), toSegment(b, c), toSegment(c, a)});
    if (!(squared > 0))
        return outside;
    const auto isLeft = [&](const Vec3d& from, const Vec3d& to) { return dot(cross(to - from, point - from), normal) >= 0; };
    if (!isLeft(a, b) || !isLeft(b, c) || !isLeft(c, a))
        return outside;
    const double height = dot(point - a, normal);
    return height * height / squared;
}

double distanceSquared(const Vec3d& point, const Bounds& box) {
    const auto out = [](double x, Real low, Real high) { return std::max({double(low) - x, x - double(high), 0.0}); };
    const double x = out(point.x, box.low.x, box.high.x), y = out(point.y, box.low.y, box.high.y),
                 z = out(point.z, box.low.z, box.high.z);
    return x * x + y * y + z * z;
}

double leastOf(const Barycentric& at) { return std::min({at[0], at[1], at[2], at[3]}); }

// Moves a point that is outside onto the tetrahedron.
Barycentric clamped(Barycentric at) {
    double sum = 0;
    for (double& x : at) {
        x = std::max(x, 0.0);
        sum += x;
    }
    for (double& x : at)
        x /= sum;
    return at;
}

}  // namespace

TetFinder::TetFinder(const UncutMesh& solid) {
    bounds_.reserve(solid.mesh.tets.size());
    for (std::uint32_t tet = 0; tet < solid.mesh.tets.size(); ++tet)
        bounds_.push_back(boundsOf(solid.mesh, tet));
    tree_ = geometry::StaticTree(bounds_, kTetsPerLeaf);
}

std::uint32_t TetFinder::find(const UncutMesh& solid, const Vec3d& point) const {
    std::uint32_t best = 0;
    double bestInside = -1e300;
    const Vec3 p = toReal(point);
    for (Real reach = kFirstReach * solid.sizes[0]; reach < kFarReach * solid.sizes[0]; reach *= 4) {
        tree_.overlapping(expand(Bounds{p, p}, reach), [&](std::uint32_t tet) {
            // In metres, so that small tetrahedra are not left out for their size.
            const double inside = leastOf(barycentric(solid.mesh, tet, point)) * double(solid.sizes[tet]);
            if (inside > bestInside || (inside == bestInside && tet < best)) {
                bestInside = inside;
                best = tet;
            }
        });
        if (bestInside > -double(reach))
            return best;
    }
    double nearest = 1e300;
    tree_.nearest(
        nearest, [&](const Bounds& box) { return distanceSquared(point, box); },
        [&](std::uint32_t tet) {
            const double distance = distanceSquared(point, bounds_[tet]);
            if (distance < nearest || (distance == nearest && tet < best)) {
                nearest = distance;
                best = tet;
            }
            return nearest;
        });
    return best;
}

std::uint32_t TetFinder::findFrom(const UncutMesh& solid, std::uint32_t start, const Vec3d& point) const {
    for (int step = 0; step < kMostSteps && start != geometry::kNoTet; ++step) {
        const Barycentric at = barycentric(solid.mesh, start, point);
        const auto least = std::min_element(at.begin(), at.end());
        if (*least > kSurelyInside)
            return start;
        start = solid.neighbors.across[start][std::size_t(least - at.begin())];
    }
    return find(solid, point);
}

bool TetFinder::isWithin(const Vec3d& point, double distance) const {
    bool isNear = false;
    tree_.nearest(
        distance * distance, [&](const Bounds& box) { return distanceSquared(point, box); },
        [&](std::uint32_t) {
            isNear = true;
            return -1;
        });
    return isNear;
}

CrackRegions::CrackRegions(const UncutMesh& solid, const CrackState& state, const CrackedMesh& cut, const TetFinder& finder,
                           double farthest)
    : solid_(solid), cut_(cut), finder_(finder), farthest_(farthest), reach_(farthest) {
    const auto made = std::make_shared<Borders>();
    made->placeOf.assign(state.ofTet.size(), kNone);
    for (std::uint32_t tet = 0; tet < state.ofTet.size(); ++tet) {
        const auto piece = [&](int corner) { return cut.pieceOf[cut.elementOf(tet, corner)]; };
        if (state.ofTet[tet].empty() || (piece(0) == piece(1) && piece(0) == piece(2) && piece(0) == piece(3)))
            continue;
        made->placeOf[tet] = static_cast<std::uint32_t>(made->regions.size());
        made->regions.emplace_back(solid, state, tet);
        addBorders(tet, *made);
    }
    std::vector<Bounds> bounds;
    bounds.reserve(made->triangles.size());
    for (const Triangle& triangle : made->triangles) {
        Bounds box;
        for (const Vec3d& corner : triangle)
            box = unite(box, toReal(corner));
        bounds.push_back(expand(box, kEpsilon * length(max(abs(box.low), abs(box.high)))));
    }
    made->tree = geometry::StaticTree(bounds, kTetsPerLeaf);
    borders_ = made;
}

void CrackRegions::addBorders(std::uint32_t tet, Borders& made) const {
    for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j) {
            if (cut_.pieceOf[cut_.elementOf(tet, i)] == cut_.pieceOf[cut_.elementOf(tet, j)])
                continue;
            for (const std::array<Barycentric, 3>& corners : made.regions.back().borderOf(i, j)) {
                Triangle& triangle = made.triangles.emplace_back();
                for (std::size_t k = 0; k < 3; ++k)
                    triangle[k] = pointAt(solid_.mesh, tet, corners[k]);
            }
        }
}

void CrackRegions::focus(const Vec3d& center, double radius, double reach) {
    reach_ = std::min(reach, farthest_);
    isSolidNear_ = finder_.isWithin(center, radius + farthest_);
    const double near = (radius + reach_) * (radius + reach_);
    isBorderNear_ = false;
    borders_->tree.nearest(
        near, [&](const Bounds& box) { return distanceSquared(center, box); },
        [&](std::uint32_t border) {
            isBorderNear_ = isBorderNear_ || distanceSquared(center, borders_->triangles[border]) <= near;
            return isBorderNear_ ? -1 : near;
        });
}

geometry::RegionAt CrackRegions::at(const Vec3d& point) const {
    if (!isSolidNear_)
        return {0, reach_};
    const std::uint32_t tet = last_ = finder_.findFrom(solid_, last_, point);
    int corner = 0;
    if (const std::uint32_t place = borders_->placeOf[tet]; place != kNone)
        corner = borders_->regions[place].cornerAt(clamped(barycentric(solid_.mesh, tet, point)));
    double nearest = reach_ * reach_;
    if (isBorderNear_)
        borders_->tree.nearest(
            nearest, [&](const Bounds& box) { return distanceSquared(point, box); },
            [&](std::uint32_t border) {
                nearest = std::min(nearest, distanceSquared(point, borders_->triangles[border]));
                return nearest;
            });
    return {cut_.pieceOf[cut_.elementOf(tet, corner)], std::sqrt(nearest)};
}

ElementPlace placeOf(const UncutMesh& solid, const CrackState& state, const CrackedMesh& cut, const TetFinder& finder,
                     const Vec3d& point) {
    const std::uint32_t tet = finder.find(solid, point);
    const Barycentric at = clamped(barycentric(solid.mesh, tet, point));
    if (state.ofTet[tet].empty())
        return {cut.elementOf(tet, 0), at};
    std::uint32_t element = cut.elementOf(tet, CornerRegions(solid, state, tet).cornerAt(at));
    if (cut.elements.fill[element] < kSplinter)
        for (int corner = 0; corner < 4; ++corner)
            if (const std::uint32_t other = cut.elementOf(tet, corner); cut.elements.fill[other] > cut.elements.fill[element])
                element = other;
    return {element, at};
}

}  // namespace sunder::elastic
