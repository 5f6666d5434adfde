#include "elastic/shell/shell_stress.h"

#include <algorithm>
#include <cmath>

#include "elastic/shell/factored_shell.h"
#include "elastic/shell/shell_bending.h"
#include "elastic/shell/shell_stiffness.h"
#include "elastic/solid/rigid_motion.h"
#include "elastic/solve/conjugate_solve.h"

namespace sunder::elastic {

namespace {

constexpr SolveLimits kLimits{1e-4, 60};  // a factor of the matrix is the preconditioner: a few iterations

double largestOf(std::span<const std::uint32_t> nodes, const NodalLoads& loads) {
    double largest = 0;
    for (const std::uint32_t node : nodes)
        largest = std::max(largest, std::sqrt(dot(loads.forces[node], loads.forces[node])));
    return largest;
}

bool solveComponent(const FactoredComponent& system, double young, std::span<const std::uint32_t> nodes,
                    const NodalLoads& loads, TaskRunner& runner, std::vector<Vec3d>& displacements) {
    KeptFactor factor = system.factor;
    ConjugateSolve solve(system.stiffness.pattern, system.stiffness.matrix, factor, nullptr);
    const double largest = largestOf(nodes, loads);
    std::vector<double> x(3 * nodes.size(), 0), load(3 * nodes.size());
    for (std::size_t row = 0; row < nodes.size(); ++row) {
        const Vec3d f = loads.forces[system.stiffness.node[row]] * (1 / largest);
        load[3 * row] = f.x, load[3 * row + 1] = f.y, load[3 * row + 2] = f.z;
    }
    if (!solve.solve(x, load, kLimits, runner).converged)
        return false;
    const double scale = largest / young;
    for (std::size_t row = 0; row < nodes.size(); ++row)
        displacements[system.stiffness.node[row]] = Vec3d{x[3 * row], x[3 * row + 1], x[3 * row + 2]} * scale;
    return true;
}

// The balance of inertia with the masses of the held vertices alone, in components that have any.
NodalLoads held(const ElasticSolid& lumped, const ShellHold& hold, NodalLoads loads) {
    std::vector<std::uint8_t> hangs(lumped.componentCount, 0);
    for (std::size_t i = 0; i < lumped.nodes.size(); ++i) {
        loads.forces[i] += hold.gravity * lumped.masses[i];
        hangs[lumped.component[i]] |= hold.isHeld[i];
    }
    ElasticSolid holder = lumped;
    for (std::size_t i = 0; i < lumped.nodes.size(); ++i)
        if (hangs[lumped.component[i]] && !hold.isHeld[i])
            holder.masses[i] = 0;
    return balanced(holder, loads);
}

// The strain to which the same law gives the stress: of the membrane, or the curvature times the height.
PlaneTensor planeStress(const ElasticMaterial& material, const PlaneTensor& strain) {
    const double nu = material.poisson, factor = double(material.young) / (1 - nu * nu);
    return {factor * (strain.xx + nu * strain.yy), factor * (strain.yy + nu * strain.xx), factor * (1 - nu) * strain.xy};
}

PlaneTensor membraneStrain(const ShellMesh& mesh, std::uint32_t triangle, const PlaneFrame& frame,
                           std::span<const Vec3d> displacements) {
    const std::array<Vec3d, 3> g = gradientsOf(mesh, triangle);
    PlaneTensor strain;
    for (std::size_t c = 0; c < 3; ++c) {
        const Vec3d& u = displacements[mesh.triangles[triangle][c]];
        const double ux = dot(u, frame.x), uy = dot(u, frame.y), gx = dot(g[c], frame.x), gy = dot(g[c], frame.y);
        strain.xx += ux * gx;
        strain.yy += uy * gy;
        strain.xy += (ux * gy + uy * gx) / 2;
    }
    return strain;
}

Stress inSpace(const PlaneFrame& f, const PlaneTensor& s) {
    const auto entry = [&](double xa, double ya, double xb, double yb) {
        return s.xx * xa * xb + s.yy * ya * yb + s.xy * (xa * yb + ya * xb);
    };
    return {entry(f.x.x, f.y.x, f.x.x, f.y.x), entry(f.x.y, f.y.y, f.x.y, f.y.y), entry(f.x.z, f.y.z, f.x.z, f.y.z),
            entry(f.x.x, f.y.x, f.x.y, f.y.y), entry(f.x.x, f.y.x, f.x.z, f.y.z), entry(f.x.y, f.y.y, f.x.z, f.y.z)};
}

double along(const Stress& s, const Vec3d& n) {
    return s[0] * n.x * n.x + s[1] * n.y * n.y + s[2] * n.z * n.z +
           2 * (s[3] * n.x * n.y + s[4] * n.x * n.z + s[5] * n.y * n.z);
}

}  // namespace

ShellForce shellForceAt(const ShellMesh& mesh, const Vec3d& point, const Vec3d& force) {
    ShellForce best;
    double nearest = 1e300;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const std::array<Vec3d, 3> g = gradientsOf(mesh, t);
        std::array<double, 3> weights;
        double sum = 0;
        for (std::size_t c = 0; c < 3; ++c) {
            // The shape function is 0 at the next corner.
            weights[c] = std::max(0.0, dot(g[c], point - mesh.vertices[mesh.triangles[t][(c + 1) % 3]]));
            sum += weights[c];
        }
        Vec3d at;
        for (std::size_t c = 0; c < 3; ++c) {
            weights[c] /= sum;
            at += mesh.vertices[mesh.triangles[t][c]] * weights[c];
        }
        if (const double distance = dot(point - at, point - at); distance < nearest) {
            nearest = distance;
            best = {t, weights, force};
        }
    }
    return best;
}

std::optional<ShellStress> stressOfShell(const ShellMesh& mesh, const ElasticMaterial& material,
                                         std::span<const ShellForce> forces, const Vec3d& spin, TaskRunner& runner,
                                         const ShellHold& hold, std::span<const std::uint8_t> asked,
                                         const FactoredShell* factored) {
    const ElasticSolid lumped = lumpedShell(mesh, material);
    NodalLoads loads(lumped);
    for (const ShellForce& one : forces)
        for (std::size_t c = 0; c < 3; ++c)
            loads.forces[mesh.triangles[one.triangle][c]] += one.force * one.weights[c];
    loads.addSpin(lumped, spin);
    if (!hold.isHeld.empty())
        loads = held(lumped, hold, std::move(loads));
    const NodalLoads even = balanced(lumped, loads);
    const std::vector<std::vector<std::uint32_t>> nodes = nodesByComponent(lumped);
    double largest = 0;
    for (const std::vector<std::uint32_t>& component : nodes)
        largest = std::max(largest, largestOf(component, loads));
    ShellStress out;
    out.displacements.resize(lumped.nodes.size());
    const auto isAsked = [&](const std::vector<std::uint32_t>& component) {
        return asked.empty() || std::any_of(component.begin(), component.end(), [&](std::uint32_t i) { return asked[i] != 0; });
    };
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!isAsked(nodes[i]) || !(largestOf(nodes[i], even) > kNoForce * largest))
            continue;
        const auto solve = [&](const FactoredComponent& system) {
            return solveComponent(system, double(material.young), nodes[i], even, runner, out.displacements);
        };
        if (!(factored ? solve(factored->components[i]) : solve(factoredComponent(mesh, lumped, nodes[i], runner))))
            return std::nullopt;
    }
    removeRigidMotion(lumped, out.displacements);
    const TriangleEdges edges = edgesOfTriangles(mesh);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const PlaneFrame frame = frameOf(mesh, t);
        const PlaneTensor middle = planeStress(material, membraneStrain(mesh, t, frame, out.displacements));
        const PlaneTensor bent = planeStress(material, bendingOf(mesh, edges, t).curvature(out.displacements));
        const double half = mesh.thickness / 2;
        // The surface towards which it bends is pressed.
        const auto at = [&](double height) {
            return inSpace(frame, {middle.xx + height * bent.xx, middle.yy + height * bent.yy, middle.xy + height * bent.xy});
        };
        out.upper.push_back(at(-half));
        out.lower.push_back(at(half));
    }
    return out;
}

std::vector<double> tensionsAcross(const ShellMesh& mesh, const ShellStress& stress) {
    std::vector<double> tensions;
    for (const ShellEdge& edge : mesh.edges) {
        const Vec3d way = mesh.vertices[edge.ends[1]] - mesh.vertices[edge.ends[0]];
        double above = 0, below = 0;
        for (std::size_t side = 0; side < 2; ++side) {
            const std::uint32_t t = edge.triangles[side];
            const Vec3d across = cross(way, normalOf(mesh, t));
            const Vec3d n = across * (1 / std::sqrt(dot(across, across)));
            const bool isSame = facing(mesh, edge, side) > 0;
            above += along(isSame ? stress.upper[t] : stress.lower[t], n) / 2;
            below += along(isSame ? stress.lower[t] : stress.upper[t], n) / 2;
        }
        tensions.push_back(std::max(above, below));
    }
    return tensions;
}

}  // namespace sunder::elastic
