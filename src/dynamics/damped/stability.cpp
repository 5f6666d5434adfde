// [Egan03] 5.4, in the form of its footnote: all normals are vertical, all that the body rests on is stable, and the hull of
// the points on which it rests, seen from above, contains the whole body. Any shape: its extent is asked for along the normals
// of the hull's edges, which is all that containment needs. Deviations: A.2 can call a body stable again after a slanting
// contact made it unstable; here one such contact decides. A body on which other forces than its weight act sideways may slide,
// as in the thesis; one that they lift is not stable.
// Wider classes ([Egan03] 6.3, figures 6.4 and 6.5): a body that reaches over its support stands all the same where the loads
// on it are known. From the top down each body passes on its weight and what it bears; where all normals are vertical and every
// such load falls inside the hull on which its body rests, forces exist that hold all of them, and with vertical normals these
// decide the motion: none. That needs bodies at rest, and none above them of which this is not known.
#include "dynamics/damped/stability.h"

#include <algorithm>

namespace sunder::dynamics {

namespace {

// Least cosine between a normal and the vertical: 1.8 degrees, more than a resting face is off by.
constexpr Real kVertical = Real(0.9995);
// How far a body may reach over its support, as a share of its radius: manifolds of faces that lie on each other end where
// the faces do, up to rounding and a slight turn.
constexpr Real kOverhang = Real(0.02);

// How far inside its support a body's load must fall, as a share of its radius.
constexpr Real kInside = Real(0.02);
// Largest sine between a body's acceleration and the vertical for which it counts as its weight.
constexpr Real kWeight = Real(1e-3);

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

Real turnOf(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// A point on which a body rests, relative to its own centre and to the centre of its carrier.
struct Foot {
    PlanePoint own, carriers;
    std::uint32_t carrier = 0;
};

// What is known of a body.
struct Standing {
    PlanePoint moment;       // of the loads on it, about its centre
    Real load = 0;           // N: its weight and what others pass on to it
    bool isVertical = true;  // all normals are
    bool isCovered = false;  // its support contains all of it: it stands whatever the loads are
    bool isKnown = false;    // all loads on it are known, and fall inside its support
    bool isStable = false;
};

class Classifier {
public:
    Classifier(DampedStep& step, const Frame& frame)
        : step_(step.impulse), isStable_(step.impulse.scratch.isStable), frame_(frame), standing_(step.impulse.bodies.size()) {}

    int run() {
        listPairs();
        for (const std::uint32_t body : order_)
            weigh(body);
        // From the top down: what a body bears is known when it passes its load on.
        for (std::size_t i = order_.size(); i-- > 0;)
            stand(order_[i]);
        while (removeUnstable()) {
        }
        int count = 0;
        for (const std::uint32_t body : order_) {
            isStable_[body] = standing_[body].isStable;
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

    // The body's own weight, where it is at rest and nothing else acts on it.
    void weigh(std::uint32_t body) {
        const SolverBodyConstants& constants = step_.constants[body];
        const Vec3 &a = constants.acceleration, &inverse = step_.bodies[body].inverseMass;
        const Momentary& before = step_.scratch.kept[body];
        const Real down = -dot(a, frame_.up), least = min(inverse.x, min(inverse.y, inverse.z));
        const bool isAtRest =
            length(before.velocity) + length(before.angularVelocity) * constants.radius < length(a) * step_.settings.dt;
        Standing& standing = standing_[body];
        standing.isKnown =
            isAtRest && least > 0 && down > 0 && constants.torque == Vec3{} && length(a + frame_.up * down) <= kWeight * down;
        standing.load = standing.isKnown ? down / least : Real(0);
        standing.isVertical = down > 0;
    }

    PlanePoint seen(const Vec3& arm) const { return {dot(arm, frame_.x), dot(arm, frame_.y)}; }

    // Lists what the body rests on. Surfaces that do not touch yet may bring loads.
    void listFeet(std::uint32_t body, Standing& standing) {
        feet_.clear();
        for (std::uint32_t i = first_[body]; i < first_[body + 1]; ++i) {
            const ImpulsePair& pair = step_.pairs()[pairs_[i]];
            const bool isA = pair.a.body == body;
            side_ = isA ? &pair.a : &pair.b;
            for (const ImpulseSite& site : pair.sites) {
                const Real rise = dot(site.N, frame_.up) * (isA ? 1 : -1);
                if (site.separation > pair.touching)
                    standing.isKnown = false;
                else if (rise > kVertical)
                    feet_.push_back({seen(isA ? site.armA : site.armB), seen(isA ? site.armB : site.armA),
                                     isA ? pair.b.body : pair.a.body});
                else if (rise > -kVertical)
                    standing.isVertical = false;
            }
        }
    }

    void stand(std::uint32_t body) {
        Standing& standing = standing_[body];
        listFeet(body, standing);
        points_.clear();
        for (const Foot& foot : feet_)
            points_.push_back(foot.own);
        hullOf(points_, hull_);
        const bool stands = standing.isVertical && hull_.size() >= 3;
        standing.isCovered = stands && isCovered(body);
        standing.isKnown = stands && standing.isKnown && passOn(body, standing);
        standing.isStable = standing.isCovered || standing.isKnown;
    }

    // The outward normal of an edge of the hull, and how far it is from the body's centre (m). The hull runs counter-clockwise
    // about up = x cross y, so edge cross up points out of it.
    Vec3 outwardOf(std::size_t edge, Real& offset) const {
        const PlanePoint &from = hull_[edge], &to = hull_[(edge + 1) % hull_.size()];
        const Vec3 along = frame_.x * (to.x - from.x) + frame_.y * (to.y - from.y);
        const Vec3 outward = normalizeOr(cross(along, frame_.up), {});
        offset = dot(outward, frame_.x * from.x + frame_.y * from.y);
        return outward;
    }

    bool isCovered(std::uint32_t body) const {
        const Real allowed = kOverhang * step_.constants[body].radius;
        for (std::size_t i = 0; i < hull_.size(); ++i) {
            Real offset = 0;
            const Vec3 outward = outwardOf(i, offset);
            if (extentAlong(*side_, step_.bodies[body].orientation, outward) > offset + allowed)
                return false;
        }
        return true;
    }

    // Gives what the body bears to what it rests on; false where that falls outside its support. Of the many ways to share it
    // out: by the triangle between the hull's middle and one of its edges in which it falls.
    bool passOn(std::uint32_t body, const Standing& standing) {
        const PlanePoint at{standing.moment.x / standing.load, standing.moment.y / standing.load};
        const Real inside = kInside * step_.constants[body].radius, share = 1 / Real(hull_.size());
        PlanePoint middle;
        for (std::size_t i = 0; i < hull_.size(); ++i) {
            Real offset = 0;
            const Vec3 outward = outwardOf(i, offset);
            if (dot(outward, frame_.x * at.x + frame_.y * at.y) > offset - inside)
                return false;
            middle.x += hull_[i].x * share;
            middle.y += hull_[i].y * share;
        }
        for (std::size_t i = 0; i < hull_.size(); ++i) {
            const PlanePoint &from = hull_[i], &to = hull_[(i + 1) % hull_.size()];
            const Real whole = turnOf(middle, from, to), first = turnOf(middle, at, to) / whole,
                       second = turnOf(middle, from, at) / whole;
            if (first < 0 || second < 0 || !(whole > 0))
                continue;
            for (std::size_t k = 0; k < hull_.size(); ++k)
                give(body, hull_[k], standing.load * (1 - first - second) * share);
            give(body, from, standing.load * first);
            give(body, to, standing.load * second);
            return true;
        }
        return false;
    }
    void give(std::uint32_t body, const PlanePoint& corner, Real load) {
        const auto foot = std::find_if(feet_.begin(), feet_.end(), [&](const Foot& candidate) {
            return candidate.own.x == corner.x && candidate.own.y == corner.y;
        });
        Standing& carrier = standing_[foot->carrier];
        const ContactGraph& graph = step_.scratch.graph;
        if (step_.constants[foot->carrier].isDynamic && graph.level(foot->carrier) >= graph.level(body))
            carrier.isKnown = false;  // they rest on each other: it has passed its load on already
        carrier.load += load;
        carrier.moment.x += foot->carriers.x * load;
        carrier.moment.y += foot->carriers.y * load;
    }

    // Takes out bodies that rest on what is not stable, and bodies that stand only if loads are known which are not. Returns
    // whether there were any.
    bool removeUnstable() {
        bool isChanged = false;
        for (const std::uint32_t body : order_) {
            Standing& standing = standing_[body];
            const bool wasStable = standing.isStable, wasKnown = standing.isKnown;
            for (std::uint32_t i = first_[body]; i < first_[body + 1]; ++i)
                look(body, step_.pairs()[pairs_[i]], standing);
            standing.isStable = standing.isStable && (standing.isCovered || standing.isKnown);
            standing.isKnown = standing.isKnown && standing.isStable;
            isChanged = isChanged || standing.isStable != wasStable || standing.isKnown != wasKnown;
        }
        return isChanged;
    }
    void look(std::uint32_t body, const ImpulsePair& pair, Standing& standing) const {
        const bool isA = pair.a.body == body;
        const std::uint32_t other = isA ? pair.b.body : pair.a.body;
        const bool isDynamic = step_.constants[other].isDynamic;
        for (const ImpulseSite& site : pair.sites) {
            if (site.separation > pair.touching)
                continue;
            if (dot(site.N, frame_.up) * (isA ? 1 : -1) > 0)
                standing.isStable = standing.isStable && (isDynamic ? standing_[other].isStable : isStable_[other] != 0);
            else
                standing.isKnown = standing.isKnown && isDynamic && standing_[other].isKnown;
        }
    }

    ImpulseStep& step_;
    std::vector<std::uint8_t>& isStable_;
    Frame frame_;
    std::vector<Standing> standing_;  // by body
    std::vector<Foot> feet_;          // of the body that is looked at
    const ImpulseSide* side_ = nullptr;
    std::vector<PlanePoint> points_, hull_;
    std::vector<std::uint32_t> first_, pairs_, order_;
};

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
