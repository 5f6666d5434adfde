#include "collision/narrow_phase/level_set/separating_plane.h"

#include <algorithm>
#include <bit>

#include "math/quads.h"

namespace sunder::collision {
namespace {

// Cells of each body by which its surface may reach beyond the hull of its particles.
constexpr Real kBeyondParticles = Real(0.25);

// m: how far the particles reach along an axis, which is given in their frame.
class Extent {
public:
    Extent(const LevelSetShape& own, const Vec3& axis) : own_(own), x_(quadOf(axis.x)), y_(quadOf(axis.y)), z_(quadOf(axis.z)) {
        Quad most = quadOf(-kInfinity);
        QuadInteger at{};
        for (std::size_t i = 0; i < own_.clusters.size(); ++i) {
            const Quad reach = reachOf(i);
            const QuadMask isMore = reach > most;
            most = select(isMore, reach, most);
            const QuadInteger isHere = __builtin_convertvector(isMore, QuadInteger);
            at = (isHere & (QuadInteger{} + std::int32_t(i))) | (~isHere & at);
        }
        std::size_t lane = 0;
        for (std::size_t k = 1; k < 4; ++k)
            if (most[k] > most[lane])
                lane = k;
        first_ = 4 * std::size_t(at[lane]) + lane;
        found_ = quadOf(mostOf(readOf(first_, quadOf(-kInfinity))));
    }

    // What the cluster that probably reaches farthest shows: at most the extent.
    Real atLeast() const { return found_[0]; }
    // The extent: clusters whose balls do not reach beyond what was found are left out.
    Real find() const {
        Quad found = found_;
        for (std::size_t i = 0; i < own_.clusters.size(); ++i)
            for (unsigned bits = bitsOf(reachOf(i) > found_); bits != 0; bits &= bits - 1)
                found = readOf(4 * i + std::size_t(std::countr_zero(bits)), found);
        return mostOf(found);
    }

private:
    static constexpr std::size_t kRuns = LevelSetShape::kClusterSize / 4;

    static Real mostOf(Quad heights) { return -leastOf(-heights); }
    Quad heightsOf(const LevelSetShape::FourPoints& points) const {
        return loadQuad(points.x) * x_ + loadQuad(points.y) * y_ + loadQuad(points.z) * z_;
    }
    Quad reachOf(std::size_t four) const {
        const LevelSetShape::FourClusters& clusters = own_.clusters[four];
        return heightsOf(clusters.centers) + loadQuad(clusters.radii);
    }
    // A cluster beyond the last repeats it.
    Quad readOf(std::size_t cluster, Quad found) const {
        const std::size_t first = cluster * kRuns, end = std::min(first + kRuns, own_.particles.size());
        for (std::size_t i = first; i < end; ++i)
            found = greaterOf(heightsOf(own_.particles[i]), found);
        return found;
    }

    const LevelSetShape& own_;
    Quad x_, y_, z_;
    std::size_t first_ = 0;
    Quad found_;
};

// The direction away from the nearest surface, at a point in the frame of the poses.
Vec3 outwardAt(const LevelSetShape& shape, const Pose& pose, const Vec3& point) {
    return rotate(pose.orientation,
                  normalizeOr(geometry::sample(shape.field(), inverseTransformPoint(pose, point)).gradient, {}));
}

}  // namespace

Vec3 PlaneSearch::axis(int number) const {
    const Vec3 middleA = transformPoint(poseA_, a_.innerCenter), middleB = transformPoint(poseB_, b_.innerCenter);
    switch (number) {
        case 0: return normalizeOr(middleB - middleA, {});
        case 1: return outwardAt(a_, poseA_, middleB);
        default: return -outwardAt(b_, poseB_, middleA);
    }
}

Real PlaneSearch::gapAlong(const Vec3& axis, Real enough) const {
    const Real beyond = kBeyondParticles * (a_.field().grid.cell + b_.field().grid.cell);
    const Real between = dot(poseB_.position - poseA_.position, axis) - beyond;
    const Extent ofA(a_, inverseRotate(poseA_.orientation, axis)), ofB(b_, inverseRotate(poseB_.orientation, -axis));
    if (const Real atMost = between - ofA.atLeast() - ofB.atLeast(); !(atMost > enough))
        return -kInfinity;
    return between - ofA.find() - ofB.find();
}

}  // namespace sunder::collision
