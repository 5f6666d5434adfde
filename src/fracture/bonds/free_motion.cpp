#include "fracture/bonds/free_motion.h"

#include <vector>

#include "math/linear/conjugate_gradients.h"

namespace sunder::fracture {

namespace {

// Share of a push's energy: less than this that the constraints leave is rounding, or so little that the release would come out
// in a motion that has nothing to do with the push.
constexpr double kLeastFree = 1e-4;
// Relative residual of the projection: what is left of the motion along the constraints is then far below the rounding of
// float.
constexpr double kResidual = 1e-9;

struct Change {
    Vec3d velocity, angularVelocity;
};

double along(const FreeRow& row, const Change& a, const Change& b) {
    return dot(row.linear, b.velocity - a.velocity) + dot(row.angularB, b.angularVelocity) -
           dot(row.angularA, a.angularVelocity);
}

void give(std::span<const ReleaseBody> bodies, std::vector<Change>& changes, const FreeRow& row, double impulse) {
    const ReleaseBody &a = bodies[row.a], &b = bodies[row.b];
    changes[row.a].velocity += row.linear * (-impulse * a.inverseMass);
    changes[row.a].angularVelocity += a.turning(row.angularA * -impulse);
    changes[row.b].velocity += row.linear * (impulse * b.inverseMass);
    changes[row.b].angularVelocity += b.turning(row.angularB * impulse);
}

// p . u / 2 with the momenta p that were given: the energy of the changes of bodies at rest. given: J^T lambda by rows.
double energyOf(std::span<const FreeRow> rows, const std::vector<Change>& changes, std::span<const double> impulses) {
    double sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        sum += impulses[i] * along(rows[i], changes[rows[i].a], changes[rows[i].b]);
    return sum / 2;
}

double momentumAlong(std::span<const ReleaseBody> bodies, std::span<const FreeRow> rows, std::span<const double> impulses) {
    double sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const ReleaseBody &a = bodies[rows[i].a], &b = bodies[rows[i].b];
        sum += impulses[i] * along(rows[i], {a.velocity, a.angularVelocity}, {b.velocity, b.angularVelocity});
    }
    return sum;
}

// The impulses of the rows that take what a push does along them away again.
std::vector<double> answerOf(std::span<const ReleaseBody> bodies, std::span<const FreeRow> rows,
                             const std::vector<Change>& push) {
    std::vector<double> impulses(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        impulses[i] = -along(rows[i], push[rows[i].a], push[rows[i].b]);
    std::vector<double> diagonal(rows.size());
    std::vector<Change> changes(bodies.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        give(bodies, changes, rows[i], 1);
        diagonal[i] = along(rows[i], changes[rows[i].a], changes[rows[i].b]);
        changes[rows[i].a] = changes[rows[i].b] = {};
    }
    const auto multiply = [&](std::span<const double> d, std::span<double> image) {
        std::fill(changes.begin(), changes.end(), Change{});
        for (std::size_t i = 0; i < rows.size(); ++i)
            give(bodies, changes, rows[i], d[i]);
        for (std::size_t i = 0; i < rows.size(); ++i)
            image[i] = along(rows[i], changes[rows[i].a], changes[rows[i].b]);
    };
    const auto precondition = [&](std::span<double> z) {
        for (std::size_t i = 0; i < z.size(); ++i)
            z[i] = diagonal[i] > 0 ? z[i] / diagonal[i] : 0;
    };
    // Rows that repeat each other leave the impulses open, but not the motion: the system is consistent.
    linear::conjugateGradients(std::span<double>(impulses), {int(2 * rows.size()) + 10, kResidual}, multiply, precondition);
    return impulses;
}

}  // namespace

Released releaseFree(std::span<ReleaseBody> bodies, std::span<const FreeRow> rows, std::uint32_t a, std::uint32_t b,
                     const ReleaseForce& G, double energy) {
    std::vector<FreeRow> all(rows.begin(), rows.end());
    const FreeRow push{a, b, G.force, G.torque + cross(bodies[a].arm, G.force), G.torque + cross(bodies[b].arm, G.force)};
    std::vector<Change> changes(bodies.size());
    give(bodies, changes, push, 1);
    const double whole = along(push, changes[a], changes[b]) / 2;
    std::vector<double> impulses = answerOf(bodies, rows, changes);
    for (std::size_t i = 0; i < rows.size(); ++i)
        give(bodies, changes, rows[i], impulses[i]);
    all.push_back(push);
    impulses.push_back(1);
    const double free = energyOf(all, changes, impulses);
    if (!(free > kLeastFree * whole) || !(energy > 0))
        return {};
    // size^2 free + size v = energy
    const double v = momentumAlong(bodies, all, impulses);
    const double size = v >= 0 ? 2 * energy / (v + std::sqrt(v * v + 4 * energy * free)) : std::sqrt(energy / free);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        bodies[i].velocity += changes[i].velocity * size;
        bodies[i].angularVelocity += changes[i].angularVelocity * size;
    }
    return {size * size * free + size * v, {}};
}

}  // namespace sunder::fracture
