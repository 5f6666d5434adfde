// The stress of a thin shell that nothing holds, and the tension across its edges.
//   [Bao07] IV, V, VI   as StressSolver, on triangles
#pragma once

#include <optional>
#include <span>

#include "elastic/shell/shell_mesh.h"
#include "elastic/solid/nodal_loads.h"
#include "elastic/stress/stress_field.h"

namespace sunder::elastic {

struct FactoredShell;

struct ShellForce {
    std::uint32_t triangle = 0;  // that it acts on
    std::array<double, 3> weights{};
    Vec3d force;  // N
};
// The triangle nearest to a point, and the weights of the nearest point in it.
ShellForce shellForceAt(const ShellMesh& mesh, const Vec3d& point, const Vec3d& force);

struct ShellStress {
    std::vector<Vec3d> displacements;  // m, per vertex, without rigid motion
    std::vector<Stress> upper, lower;  // Pa, per triangle: at the surface that its normal points to, and at the other
};
// Vertices by which a shell hangs, and its weight. The held vertices of a component bear its weight, by forces that vary
// linearly over them. A shell without held vertices falls freely, and its weight does not strain it.
struct ShellHold {
    std::vector<std::uint8_t> isHeld;  // per vertex, or empty
    Vec3d gravity;                     // m/s^2
};
// spin: rad/s. Loads are balanced by the shell's own acceleration. asked: per vertex, or empty for all; what hangs together
// without such a vertex is not solved for, and bears no stress. factored: of this very mesh, or null; the result is the same.
// Nothing where the solve does not converge.
std::optional<ShellStress> stressOfShell(const ShellMesh& mesh, const ElasticMaterial& material,
                                         std::span<const ShellForce> forces, const Vec3d& spin, TaskRunner& runner,
                                         const ShellHold& hold = {}, std::span<const std::uint8_t> asked = {},
                                         const FactoredShell* factored = nullptr);

// Pa, per edge: across it, the mean of its two triangles, at the surface where it is larger.
std::vector<double> tensionsAcross(const ShellMesh& mesh, const ShellStress& stress);

}  // namespace sunder::elastic
