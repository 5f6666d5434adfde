#include "elastic/solid/nodal_loads.h"

#include "elastic/solid/rigid_motion.h"

namespace sunder::elastic {

void NodalLoads::addForce(const ElasticSolid& solid, std::uint32_t element, const std::array<double, 4>& weights,
                          const Vec3d& force) {
    for (int c = 0; c < 4; ++c)
        forces[solid.tets[element][c]] += force * weights[c];
}

// About the centre of each component: seen from anywhere else the load differs by a uniform acceleration, which balancing takes
// out again, at the price of digits.
void NodalLoads::addSpin(const ElasticSolid& solid, const Vec3d& angularVelocity) {
    const std::vector<RigidComponent> components = rigidComponents(solid);
    for (std::size_t i = 0; i < forces.size(); ++i) {
        const Vec3d r = solid.nodes[i] - components[solid.component[i]].centre;
        forces[i] += cross(angularVelocity, cross(angularVelocity, r)) * -solid.masses[i];
    }
}

NodalLoads balanced(const ElasticSolid& solid, const NodalLoads& loads) {
    const std::vector<RigidComponent> components = rigidComponents(solid);
    NodalLoads out = loads;
    std::vector<Vec3d> acceleration(components.size()), angular(components.size());
    // Twice: what rounding leaves of the first balance is of the size of the last digits of the largest force.
    for (int round = 0; round < 2; ++round) {
        std::vector<Vec3d> force(components.size()), moment(components.size());
        for (std::size_t i = 0; i < out.forces.size(); ++i) {
            const std::uint32_t c = solid.component[i];
            force[c] += out.forces[i];
            moment[c] += cross(solid.nodes[i] - components[c].centre, out.forces[i]);
        }
        for (std::size_t c = 0; c < components.size(); ++c) {
            acceleration[c] = components[c].mass > 0 ? force[c] * (1 / components[c].mass) : Vec3d{};
            angular[c] = components[c].solve(moment[c]);
        }
        for (std::size_t i = 0; i < out.forces.size(); ++i) {
            const std::uint32_t c = solid.component[i];
            const Vec3d r = solid.nodes[i] - components[c].centre;
            out.forces[i] += (acceleration[c] + cross(angular[c], r)) * -solid.masses[i];
        }
    }
    return out;
}

}  // namespace sunder::elastic
