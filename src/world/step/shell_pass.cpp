// [Bao07] III, after [BFA02] Bridson, Fedkiw, Anderson: Robust treatment of collisions, contact and friction for cloth
// animation: the rigid impact zones that end a cloth's pass, here of whole rigid shells. Deviation: the paper's shells bend
// where the pass asks for it and are led back to their shape in the next step; here what the pass asks for is a share of the
// motion, and shapes stay.
#include "world/step/shell_pass.h"

#include <algorithm>
#include <numeric>

#include "collision/narrow_phase/shells_cross.h"
#include "core/union_find.h"
#include "math/linear/cramer.h"

namespace sunder::world {

namespace {

// Of the thinner shell's thickness, and the least (m): far above rounding, far below what contacts leave between shells at
// rest.
constexpr Real kGapShare = Real(0.01), kLeastGap = Real(1e-5);
// Shares of the motion within a zone that are tried: 1/2, 1/4, 1/8, none.
constexpr Real kLeastShare = Real(0.1);
constexpr std::size_t kShellPairsPerTask = 64;  // grain of the tasks

Real thicknessOf(const Body& body) { return std::get<Shell>(body.shape->definition).thickness; }

bool isShell(const Body& body) {
    return !body.quarantined && !body.sensor && !body.vertices && std::holds_alternative<Shell>(body.shape->definition);
}

class ShellPass {
public:
    explicit ShellPass(WorldState& world) : world_(world) {}

    void run() {
        listPairs();
        std::vector<std::uint32_t> all(pairs_.size());
        std::iota(all.begin(), all.end(), 0u);
        std::vector<std::uint32_t> found = crossing(all);
        if (found.empty())
            return;
        zones_ = UnionFind(world_.solve.bodies.size());
        share_.assign(world_.solve.bodies.size(), Real(1));
        planned_.assign(world_.solve.bodies.begin(), world_.solve.bodies.end());
        findLeaning();
        while (!found.empty()) {
            reduce(found);
            place();
            // Only pairs with a body of a zone that was changed now can have changed.
            std::vector<std::uint32_t> again;
            for (std::uint32_t i = 0; i < pairs_.size(); ++i)
                if (!pairs_[i].isLeft && (isChanged(pairs_[i].a) || isChanged(pairs_[i].b)))
                    again.push_back(i);
            found = crossing(again);
            std::erase_if(found, [&](std::uint32_t i) { return isSettled(pairs_[i]); });
        }
        settle();
    }

private:
    struct Pair {
        std::uint32_t slotA, slotB;
        std::uint32_t a, b;  // in the solver
        Real gap;
        bool isLeft = false, wasApart = false;  // it crossed at the start of the step, and is left to its contacts, or did not
    };

    // All pairs of shells whose bounds overlap, as the search for contacts found them.
    void listPairs() {
        for (std::size_t i = 0; i < world_.pairs.size(); ++i) {
            const ContactPair& pair = world_.pairs[i];
            const Body &bodyA = world_.bodies[pair.bodyA], &bodyB = world_.bodies[pair.bodyB];
            if (!isShell(bodyA) || !isShell(bodyB))
                continue;
            const std::uint32_t a = solverIndexOf(bodyA), b = solverIndexOf(bodyB);
            if (!isMovable(a) && !isMovable(b))
                continue;
            const Real gap = max(kLeastGap, kGapShare * min(thicknessOf(bodyA), thicknessOf(bodyB)));
            pairs_.push_back({pair.bodyA, pair.bodyB, a, b, gap});
        }
    }

    static std::uint32_t solverIndexOf(const Body& body) {
        return body.motion == Motion::Static || isAsleep(body) ? dynamics::kFixedBody : body.solverIndex;
    }
    bool isMovable(std::uint32_t i) const {
        const dynamics::SolverBodyConstants& constants = world_.solve.constants[i];
        return i != dynamics::kFixedBody && constants.isDynamic && constants.lockedAxes == 0;
    }
    bool isChanged(std::uint32_t i) { return isInZone(i) && isReduced_[zones_.root(i)]; }
    bool isInZone(std::uint32_t i) const { return isMovable(i) && share_[i] < 1; }

    // Relative to the centre of the pair's first body at the start of the step.
    Pose endOf(const Body& body, std::uint32_t i, const WorldPoint& origin) const {
        const bool stays = i == dynamics::kFixedBody;
        Pose pose = shapePose(body, stays ? body.orientation : world_.solve.bodies[i].orientation);
        pose.position += body.center - origin + (stays ? Vec3{} : world_.solve.bodies[i].displacement);
        return pose;
    }
    bool crossesAtEnd(const Pair& pair) const {
        const Body &a = world_.bodies[pair.slotA], &b = world_.bodies[pair.slotB];
        return collision::doShellsCross(*a.shape, endOf(a, pair.a, a.center), *b.shape, endOf(b, pair.b, a.center), pair.gap);
    }
    // Pairs that cross at the start are left to their contacts: shards along a crack, and shells that a user put into each
    // other.
    bool crossesAtStart(const Pair& pair) const {
        const Body &a = world_.bodies[pair.slotA], &b = world_.bodies[pair.slotB];
        return collision::doShellsCross(*a.shape, endOf(a, dynamics::kFixedBody, a.center), *b.shape,
                                        endOf(b, dynamics::kFixedBody, a.center), 0);
    }
    // Whether nothing more can be done for the pair: both move as one body, or one has no motion left and nothing moves the
    // other.
    bool isSettled(const Pair& pair) {
        const bool movesA = isMovable(pair.a), movesB = isMovable(pair.b);
        if (movesA && movesB)
            return zones_.root(pair.a) == zones_.root(pair.b) && share_[pair.a] == 0;
        return share_[movesA ? pair.a : pair.b] == 0 && isHeld_[zones_.root(movesA ? pair.a : pair.b)];
    }

    // Those that cross at the end of the step and did not at its start. A pair that did is not looked at again.
    std::vector<std::uint32_t> crossing(const std::vector<std::uint32_t>& of) {
        std::vector<std::uint8_t> marks(of.size());
        runRanges(*world_.tasks, of.size(), kShellPairsPerTask, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k)
                if (Pair& pair = pairs_[of[k]]; crossesAtEnd(pair)) {
                    pair.isLeft = !pair.wasApart && crossesAtStart(pair);
                    pair.wasApart = !pair.isLeft;
                    marks[k] = pair.wasApart;
                }
        });
        std::vector<std::uint32_t> found;
        for (std::size_t k = 0; k < of.size(); ++k)
            if (marks[k])
                found.push_back(of[k]);
        return found;
    }

    // A zone that touches anything but shells stays where it is: as its centre of mass would go, it would go through that.
    void findLeaning() {
        leans_.assign(share_.size(), 0);
        for (std::size_t i = 0; i < world_.pairs.size(); ++i) {
            const ContactPair& pair = world_.pairs[i];
            if (pair.manifoldCount == 0)
                continue;
            const Body &a = world_.bodies[pair.bodyA], &b = world_.bodies[pair.bodyB];
            if (isShell(a) != isShell(b) && touches(pair))
                leans_[solverIndexOf(isShell(a) ? a : b)] = 1;
        }
    }
    bool touches(const ContactPair& pair) const {
        for (std::uint32_t i = 0; i < pair.manifoldCount; ++i) {
            const dynamics::ContactConstraint& contact = world_.constraints[pair.firstManifold + i];
            for (int k = 0; k < contact.count; ++k)
                if (contact.points[k].separation < kTouchGap)
                    return true;
        }
        return false;
    }

    // Joins what crosses into zones, and halves what is left of the motion within them.
    void reduce(const std::vector<std::uint32_t>& found) {
        isHeld_.resize(share_.size());
        for (const std::uint32_t i : found) {
            const Pair& pair = pairs_[i];
            if (isMovable(pair.a) && isMovable(pair.b))
                zones_.join(pair.a, pair.b);
        }
        std::vector<std::uint8_t> isHeld(share_.size()), leans(share_.size());
        std::vector<Real> least(share_.size(), Real(1));
        for (std::uint32_t i = 1; i < share_.size(); ++i) {
            const std::uint32_t zone = zones_.root(i);
            isHeld[zone] |= isHeld_[i];
            leans[zone] |= leans_[i];
            least[zone] = min(least[zone], share_[i]);
        }
        isReduced_.assign(share_.size(), 0);
        for (const std::uint32_t k : found) {
            const Pair& pair = pairs_[k];
            const std::uint32_t zone = zones_.root(isMovable(pair.a) ? pair.a : pair.b);
            isReduced_[zone] = 1;
            // What no impulse moves holds the whole zone.
            isHeld[zone] |= !isMovable(pair.a) || !isMovable(pair.b);
        }
        for (std::uint32_t i = 1; i < share_.size(); ++i) {
            const std::uint32_t zone = zones_.root(i);
            const Real share = isReduced_[zone] ? least[zone] / 2 : least[zone];
            share_[i] = share < kLeastShare ? Real(0) : share;
            isHeld_[i] = isHeld[zone];
            leans_[i] = leans[zone];
        }
    }

    struct Zone {
        double mass = 0;
        Vec3d way, velocity;                                    // means by mass
        Vec3d center, plannedCenter;                            // where it is now, and where it would be
        Vec3d momentum, plannedMomentum;                        // angular, about them
        Vec3d turn, spin;                                       // of one stiff body with these momenta, rad/s
        double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;  // inertia
    };

    // Every body of a zone where its share of the motion leads it.
    void place() {
        makeZones();
        for (std::uint32_t i = 1; i < share_.size(); ++i) {
            if (!isInZone(i))
                continue;
            const dynamics::SolverBody& plan = planned_[i];
            dynamics::SolverBody& body = world_.solve.bodies[i];
            const Vec3 way = toReal(zoneOf(i).way);
            body.displacement = way + (plan.displacement - way) * share_[i];
            body.turned = plan.turned * share_[i];
            const Quat& start = world_.bodies[world_.solve.layout[i - 1]].orientation;
            body.orientation = share_[i] == 0 ? start : between(start, plan.orientation, share_[i]);
        }
    }
    static Quat between(const Quat& a, const Quat& b, Real share) {
        const Real sign = dot(a, b) < 0 ? Real(-1) : Real(1), p = 1 - share, q = sign * share;
        return normalize(Quat{a.x * p + b.x * q, a.y * p + b.y * q, a.z * p + b.z * q, a.w * p + b.w * q});
    }

    const Zone& zoneOf(std::uint32_t i) { return sums_[zones_.root(i)]; }

    void makeZones() {
        sums_.assign(share_.size(), {});
        for (std::uint32_t i = 1; i < share_.size(); ++i) {
            if (!isInZone(i))
                continue;
            Zone& zone = sums_[zones_.root(i)];
            const double mass = double(world_.solve.constants[i].mass);
            zone.mass += mass;
            zone.way += toDouble(planned_[i].displacement) * mass;
        }
        for (std::uint32_t i = 1; i < share_.size(); ++i)
            if (Zone& zone = sums_[i]; zone.mass > 0)
                zone.way = isHeld_[i] || leans_[i] ? Vec3d{} : zone.way * (1 / zone.mass);
    }

    // Velocities: those of the zone as one stiff body with the momenta that the solver found, and the share of what is not such
    // a motion. The solver's momenta are those of bodies where it left them.
    void settle() {
        forEachInZone([&](std::uint32_t i, Zone& zone) { addMomentum(i, zone); });
        forEachZone([&](std::uint32_t i, Zone& zone) {
            zone.center = zone.center * (1 / zone.mass);
            zone.plannedCenter = zone.plannedCenter * (1 / zone.mass);
            zone.velocity = isHeld_[i] ? Vec3d{} : zone.velocity * (1 / zone.mass);
        });
        forEachInZone([&](std::uint32_t i, Zone& zone) { addSpin(i, zone); });
        forEachZone([&](std::uint32_t i, Zone& zone) {
            if (isHeld_[i])
                return;
            zone.turn = spinOf(zone, zone.momentum);
            zone.spin = spinOf(zone, zone.plannedMomentum);
        });
        forEachInZone([&](std::uint32_t i, Zone& zone) {
            dynamics::SolverBody& body = world_.solve.bodies[i];
            const Vec3d r = placeOf(i, world_.solve.bodies[i]) - zone.center;
            const Vec3d own = toDouble(body.velocity) - zone.velocity - cross(zone.turn, r);
            body.velocity = toReal(zone.velocity + cross(zone.spin, r) + own * double(share_[i]));
            body.angularVelocity = toReal(zone.spin + (toDouble(body.angularVelocity) - zone.turn) * double(share_[i]));
        });
    }
    template <class Visit>
    void forEachInZone(Visit&& visit) {
        for (std::uint32_t i = 1; i < share_.size(); ++i)
            if (isInZone(i))
                visit(i, sums_[zones_.root(i)]);
    }
    template <class Visit>
    void forEachZone(Visit&& visit) {
        for (std::uint32_t i = 1; i < share_.size(); ++i)
            if (sums_[i].mass > 0)
                visit(i, sums_[i]);
    }
    Vec3d placeOf(std::uint32_t i, const dynamics::SolverBody& body) const {
        return toDouble(world_.solve.constants[i].centerFromFirst) + toDouble(body.displacement);
    }
    void addMomentum(std::uint32_t i, Zone& zone) const {
        const double mass = double(world_.solve.constants[i].mass);
        zone.velocity += toDouble(world_.solve.bodies[i].velocity) * mass;
        zone.center += placeOf(i, world_.solve.bodies[i]) * mass;
        zone.plannedCenter += placeOf(i, planned_[i]) * mass;
    }
    // Angular, about a point.
    Vec3d momentumOf(std::uint32_t i, const dynamics::SolverBody& body, const Vec3d& about) const {
        const dynamics::SolverBodyConstants& constants = world_.solve.constants[i];
        const Mat3 R = toMatrix(body.orientation);
        const Vec3 own = R * multiply(constants.principalInertia, transpose(R) * body.angularVelocity);
        return cross(placeOf(i, body) - about, toDouble(body.velocity)) * double(constants.mass) + toDouble(own);
    }
    void addSpin(std::uint32_t i, Zone& zone) const {
        const dynamics::SolverBody& body = world_.solve.bodies[i];
        zone.momentum += momentumOf(i, body, zone.center);
        zone.plannedMomentum += momentumOf(i, planned_[i], zone.plannedCenter);
        const double mass = double(world_.solve.constants[i].mass);
        const Vec3d r = placeOf(i, body) - zone.center, inertia = toDouble(world_.solve.constants[i].principalInertia);
        const Mat3 R = toMatrix(body.orientation);
        const Vec3d x = toDouble(R.row0), y = toDouble(R.row1), z = toDouble(R.row2);
        const auto turned = [&](const Vec3d& p, const Vec3d& q) { return dot(p, multiply(inertia, q)); };
        zone.xx += turned(x, x) + mass * (r.y * r.y + r.z * r.z);
        zone.yy += turned(y, y) + mass * (r.x * r.x + r.z * r.z);
        zone.zz += turned(z, z) + mass * (r.x * r.x + r.y * r.y);
        zone.xy += turned(x, y) - mass * r.x * r.y;
        zone.xz += turned(x, z) - mass * r.x * r.z;
        zone.yz += turned(y, z) - mass * r.y * r.z;
    }
    // I^-1 L.
    static Vec3d spinOf(const Zone& z, const Vec3d& momentum) {
        const auto [numerators, determinant] =
            linear::cramer(Vec3d{z.xx, z.xy, z.xz}, Vec3d{z.xy, z.yy, z.yz}, Vec3d{z.xz, z.yz, z.zz}, momentum);
        return determinant > 0 ? numerators * (1 / determinant) : Vec3d{};
    }

    WorldState& world_;
    std::vector<Pair> pairs_;
    UnionFind zones_;                            // by place in the solver
    std::vector<Real> share_;                    // of the motion within its zone that a body does; 1 where it is in none
    std::vector<std::uint8_t> leans_;            // it, or one of its zone, touches something that is no shell
    std::vector<std::uint8_t> isReduced_;        // by root: the zone's motion was reduced in this round
    std::vector<std::uint8_t> isHeld_;           // it is in a zone that something fixed holds
    std::vector<dynamics::SolverBody> planned_;  // what the solver found
    std::vector<Zone> sums_;
};

}  // namespace

void keepShellsApart(WorldState& world) {
    if (world.roster.hasShells)
        ShellPass(world).run();
}

}  // namespace sunder::world
