#include "elastic/solid/rigid_motion.h"

#include "math/linear/cramer.h"

namespace sunder::elastic {

Vec3d RigidComponent::solve(const Vec3d& moment) const {
    const double* s = inertia;
    const auto x = linear::cramer(Vec3d{s[0], s[3], s[4]}, Vec3d{s[3], s[1], s[5]}, Vec3d{s[4], s[5], s[2]}, moment);
    return x.determinant > 0 ? x.numerators * (1 / x.determinant) : Vec3d{};
}

std::vector<RigidComponent> rigidComponents(const ElasticSolid& solid) {
    std::vector<RigidComponent> out(solid.componentCount);
    for (std::size_t i = 0; i < solid.nodes.size(); ++i) {
        RigidComponent& own = out[solid.component[i]];
        own.mass += solid.masses[i];
        own.centre += solid.nodes[i] * solid.masses[i];
    }
    for (RigidComponent& own : out)
        own.centre = own.mass > 0 ? own.centre * (1 / own.mass) : Vec3d{};
    for (std::size_t i = 0; i < solid.nodes.size(); ++i) {
        RigidComponent& own = out[solid.component[i]];
        const Vec3d r = solid.nodes[i] - own.centre;
        const double m = solid.masses[i];
        own.inertia[0] += m * (r.y * r.y + r.z * r.z);
        own.inertia[1] += m * (r.x * r.x + r.z * r.z);
        own.inertia[2] += m * (r.x * r.x + r.y * r.y);
        own.inertia[3] -= m * r.x * r.y;
        own.inertia[4] -= m * r.x * r.z;
        own.inertia[5] -= m * r.y * r.z;
    }
    return out;
}

void removeRigidMotion(const ElasticSolid& solid, std::span<Vec3d> displacements) {
    const std::vector<RigidComponent> components = rigidComponents(solid);
    std::vector<Vec3d> shift(components.size()), turn(components.size());
    for (std::size_t i = 0; i < displacements.size(); ++i)
        shift[solid.component[i]] += displacements[i] * solid.masses[i];
    for (std::size_t c = 0; c < components.size(); ++c)
        shift[c] = components[c].mass > 0 ? shift[c] * (1 / components[c].mass) : Vec3d{};
    for (std::size_t i = 0; i < displacements.size(); ++i) {
        const std::uint32_t c = solid.component[i];
        turn[c] += cross(solid.nodes[i] - components[c].centre, (displacements[i] - shift[c]) * solid.masses[i]);
    }
    for (std::size_t c = 0; c < components.size(); ++c)
        turn[c] = components[c].solve(turn[c]);
    for (std::size_t i = 0; i < displacements.size(); ++i) {
        const std::uint32_t c = solid.component[i];
        displacements[i] = displacements[i] - shift[c] - cross(turn[c], solid.nodes[i] - components[c].centre);
    }
}

}  // namespace sunder::elastic
