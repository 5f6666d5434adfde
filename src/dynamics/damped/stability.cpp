// [Egan03] 5.4, in the form of its footnote: all normals are vertical, all that the body rests on is stable, and the hull of
// the points on which it rests, seen from above, contains the whole body. Any shape: its extent is asked for along the normals
// of the hull's edges, which is all that containment needs. Deviations: A.2 can call a body stable again after a slanting
// contact made it unstable; here one such contact decides. A body on which other forces than its weight act sideways may slide,
// as in the thesis; one that they lift is not stable.
#include "dynamics/damped/stability.h"

#include <algorithm>

namespace sunder::dynamics {

namespace {

// Least cosine between a normal and the vertical: 1.8 degrees, more than a resting face is off by.
constexpr Real kVertical = Real(0.9995);
// How far a body may reach over its support, as a share of its radius: manifolds of faces that lie on each other end where
// the faces do, up to rounding and a slight turn.
constexpr Real kOverhang = Real(0.02);

struct Frame {
    Vec3 up, x, y;
};

Quat turnToX(const Vec3& direction) {
    const Vec3 half = direction + Vec3{1, 0, 0};
    if (lengthSquared(half) < Real(1e-6))
        return {0, 1, 0, 0};
    const Vec3 axis = cross(direction, {1, 0, 0});
    return normalize({axis.x, axis.y, axis.z, 1 + direction.x});
}

// m: how far the shape reaches from the body's centre along a direction.
Real extentAlong(const ImpulseSide& side, const Quat& orientation, const Vec3& direction) {
    const Pose shape = Pose{{}, turnToX(direction) * orientation} * side.principalFromShape;
    return collision::worldBounds(*side.shape, shape).high.x;
}

// Where a body rests, and on what.
struct Footing {
    std::vector<PlanePoint> points;
    const ImpulseSide* side = nullptr;
    bool isSteady = true;  // all normals are vertical, and what it rests on is stable
};

class Classifier {
public:
    Classifier(DampedStep& step, const Frame& frame)
        : step_(step.impulse), isStable_(step.impulse.scratch.isStable), frame_(frame) {}

    int run() {
        listPairs();
        int count = 0;
        for (const std::uint32_t body : order_) {
            isStable_[body] = isBodyStable(body);
            count += isStable_[body];
        }
        return count;
    }

private:
    // Pairs by body, and the bodies that have any, lowest first.
    void listPairs() {
        const std::size_t count = step_.bodies.size();
        first_.assign(count + 1, 0);
        for (const ImpulsePair& pair : step_.pairs())
            if (!pair.sites.empty()) {
                ++first_[pair.a.body + 1];
                ++first_[pair.b.body + 1];
            }
        for (std::size_t i = 0; i < count; ++i)
            first_[i + 1] += first_[i];
        std::vector<std::uint32_t> fill(first_.begin(), first_.end());
        pairs_.resize(first_.back());
        for (std::uint32_t i = 0; i < step_.pairs().size(); ++i) {
            const ImpulsePair& pair = step_.pairs()[i];
            if (pair.sites.empty())
                continue;
            pairs_[fill[pair.a.body]++] = i;
            pairs_[fill[pair.b.body]++] = i;
        }
        for (std::uint32_t i = 0; i < count; ++i)
            if (step_.constants[i].isDynamic && first_[i + 1] > first_[i])
                order_.push_back(i);
        const ContactGraph& graph = step_.scratch.graph;
        std::stable_sort(order_.begin(), order_.end(),
                         [&](std::uint32_t x, std::uint32_t y) { return graph.level(x) < graph.level(y); });
    }

    void addSite(Footing& footing, std::uint32_t other, const Vec3& arm, Real rise, Real separation, Real touching) const {
        if (separation > touching)
            return;
        if (rise > kVertical) {
            footing.points.push_back({dot(arm, frame_.x), dot(arm, frame_.y)});
            footing.isSteady = footing.isSteady && isStable_[other];
        } else if (rise > -kVertical) {
            footing.isSteady = false;
        }
    }

    bool isBodyStable(std::uint32_t body) {
        const Vec3& a = step_.constants[body].acceleration;
        if (!(dot(a, frame_.up) < 0))
            return false;
        Footing& footing = footing_;
        footing.points.clear();
        footing.isSteady = true;
        for (std::uint32_t i = first_[body]; i < first_[body + 1]; ++i) {
            const ImpulsePair& pair = step_.pairs()[pairs_[i]];
            const bool isA = pair.a.body == body;
            footing.side = isA ? &pair.a : &pair.b;
            for (const ImpulseSite& site : pair.sites)
                addSite(footing, isA ? pair.b.body : pair.a.body, isA ? site.armA : site.armB,
                        dot(site.N, frame_.up) * (isA ? 1 : -1), site.separation, pair.touching);
        }
        return footing.isSteady && isCovered(body);
    }

    bool isCovered(std::uint32_t body) {
        hullOf(footing_.points, hull_);
        if (hull_.size() < 3)
            return false;
        const Real allowed = kOverhang * step_.constants[body].radius;
        for (std::size_t i = 0; i < hull_.size(); ++i) {
            const PlanePoint &from = hull_[i], &to = hull_[(i + 1) % hull_.size()];
            const Vec3 edge = frame_.x * (to.x - from.x) + frame_.y * (to.y - from.y);
            const Vec3 outward = normalizeOr(cross(edge, frame_.up), {});
            const Real offset = dot(outward, frame_.x * from.x + frame_.y * from.y);
            // The hull runs counter-clockwise about up = x cross y, so edge cross up points out of it.
            if (extentAlong(*footing_.side, step_.bodies[body].orientation, outward) > offset + allowed)
                return false;
        }
        return true;
    }

    ImpulseStep& step_;
    std::vector<std::uint8_t>& isStable_;
    Frame frame_;
    Footing footing_;
    std::vector<PlanePoint> hull_;
    std::vector<std::uint32_t> first_, pairs_, order_;
};

Real turnOf(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

}  // namespace

// Andrew's monotone chain.
void hullOf(std::vector<PlanePoint>& points, std::vector<PlanePoint>& hull) {
    hull.clear();
    std::sort(points.begin(), points.end(),
              [](const PlanePoint& a, const PlanePoint& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
    points.erase(std::unique(points.begin(), points.end(),
                             [](const PlanePoint& a, const PlanePoint& b) { return a.x == b.x && a.y == b.y; }),
                 points.end());
    if (points.size() < 3)
        return;
    const auto add = [&](const PlanePoint& point, std::size_t least) {
        while (hull.size() > least && turnOf(hull[hull.size() - 2], hull.back(), point) <= 0)
            hull.pop_back();
        hull.push_back(point);
    };
    for (const PlanePoint& point : points)
        add(point, 1);
    const std::size_t lower = hull.size();
    for (std::size_t i = points.size() - 1; i-- > 0;)
        add(points[i], lower);
    hull.pop_back();  // the first point again
}

int findStable(DampedStep& step) {
    ImpulseStep& impulse = step.impulse;
    std::vector<std::uint8_t>& isStable = impulse.scratch.isStable;
    isStable.assign(impulse.bodies.size(), 0);
    if (!step.settings.stability || step.settings.up == Vec3{})
        return 0;
    for (std::size_t i = 0; i < isStable.size(); ++i)
        isStable[i] = !impulse.constants[i].isDynamic && impulse.bodies[i].velocity == Vec3{} &&
                      impulse.bodies[i].angularVelocity == Vec3{};
    const Vec3& up = step.settings.up;
    const Vec3 x = anyPerpendicular(up);
    // y with x cross y = up
    return Classifier(step, {up, x, cross(up, x)}).run();
}

}  // namespace sunder::dynamics
