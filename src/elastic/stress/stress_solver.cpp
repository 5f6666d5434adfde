#include "elastic/stress/stress_solver.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "elastic/multigrid/multigrid.h"
#include "elastic/solid/rigid_motion.h"
#include "elastic/solve/block_jacobi.h"
#include "elastic/solve/conjugate_solve.h"
#include "elastic/solve/kept_factor.h"

namespace sunder::elastic {

namespace {

// Of a component: below, block Jacobi takes less time than the set-up of a cycle.
constexpr std::size_t kFewElements = 3000;
constexpr int kJacobiIterationsPerOther = 10;

using Method = StressOptions::Method;

// One component.
class System {
public:
    System(const ElasticSolid& solid, std::span<const std::uint32_t> nodes, std::span<const std::uint32_t> elements,
           const StressOptions& options, TaskRunner& runner)
        : stiffness_(solid, nodes, elements, runner) {
        Method method = options.method;
        if (method == Method::automatic)
            method = elements.size() < kFewElements ? Method::blockJacobi : Method::multigrid;
        if (method == Method::blockJacobi)
            preconditioner_ = std::make_unique<BlockJacobi>(stiffness_.pattern, stiffness_.matrix);
        else if (method == Method::factor)
            preconditioner_ = std::make_unique<KeptFactor>(stiffness_);
        else
            preconditioner_ = std::make_unique<Multigrid>(stiffness_, runner);
        if (options.rigidMotion == StressOptions::RigidMotion::pinned)
            pins_.emplace(stiffness_.positions);
        solve_ = std::make_unique<ConjugateSolve>(stiffness_.pattern, stiffness_.matrix, *preconditioner_,
                                                  pins_ ? &*pins_ : nullptr);
        limits_ = {options.tolerance, options.iterations * (method == Method::blockJacobi ? kJacobiIterationsPerOther : 1)};
    }

    // Adds to the solution what this component says.
    void solve(const ElasticSolid& solid, const NodalLoads& loads, std::span<const Vec3d> guess, TaskRunner& runner,
               StressSolution& out);

private:
    double pinReaction(std::span<const double> x, std::span<const double> load) const;

    Stiffness stiffness_;
    std::unique_ptr<Preconditioner> preconditioner_;
    std::optional<Pins> pins_;
    std::unique_ptr<ConjugateSolve> solve_;
    SolveLimits limits_;
};

void System::solve(const ElasticSolid& solid, const NodalLoads& loads, std::span<const Vec3d> guess, TaskRunner& runner,
                   StressSolution& out) {
    const std::size_t rows = stiffness_.node.size();
    double largest = 0;
    for (const std::uint32_t node : stiffness_.node) {
        const Vec3d& f = loads.forces[node];
        largest = std::max({largest, std::fabs(f.x), std::fabs(f.y), std::fabs(f.z)});
    }
    if (largest == 0)
        return;
    // Loads of about 1 and a stiffness of about the size of an element: within the range of floats.
    const double young = solid.material.young, scale = largest / young;
    std::vector<double> x(3 * rows, 0), load(3 * rows);
    const auto put = [](double* at, const Vec3d& value, double factor) {
        at[0] = value.x * factor;
        at[1] = value.y * factor;
        at[2] = value.z * factor;
    };
    for (std::size_t row = 0; row < rows; ++row) {
        put(&load[3 * row], loads.forces[stiffness_.node[row]], 1 / largest);
        if (!guess.empty())
            put(&x[3 * row], guess[stiffness_.node[row]], 1 / scale);
    }
    const SolveReport report = solve_->solve(x, load, limits_, runner);
    for (std::size_t row = 0; row < rows; ++row)
        out.displacements[stiffness_.node[row]] = Vec3d{x[3 * row], x[3 * row + 1], x[3 * row + 2]} * scale;
    out.iterations = std::max(out.iterations, report.iterations);
    out.residual = std::max(out.residual, report.residual);
    out.converged = out.converged && report.converged;
    if (pins_)
        out.pinReaction = std::max(out.pinReaction, pinReaction(x, load) * largest);
}

double System::pinReaction(std::span<const double> x, std::span<const double> load) const {
    std::vector<double> residual(x.size(), 0);
    for (const std::size_t row : pins_->rows) {
        multiplyRow(stiffness_.pattern, stiffness_.matrix, x.data(), row, &residual[3 * row]);
        for (int a = 0; a < 3; ++a)
            residual[3 * row + a] -= load[3 * row + a];
    }
    return pins_->held(residual.data());
}

}  // namespace

struct StressSolver::Impl {
    ElasticSolid solid;
    StressOptions options;
    std::vector<std::unique_ptr<System>> systems;
};

StressSolver::StressSolver(const ElementMesh& mesh, const ElasticMaterial& material, const StressOptions& options,
                           TaskRunner& runner)
    : impl_(std::make_unique<Impl>()) {
    impl_->solid = ElasticSolid(mesh, material, runner);
    impl_->options = options;
    const ElasticSolid& solid = impl_->solid;
    std::vector<std::vector<std::uint32_t>> nodes(solid.componentCount), elements(solid.componentCount);
    for (std::uint32_t i = 0; i < solid.nodes.size(); ++i)
        nodes[solid.component[i]].push_back(i);
    for (std::uint32_t e = 0; e < solid.tets.size(); ++e)
        elements[solid.component[solid.tets[e][0]]].push_back(e);
    impl_->systems.reserve(solid.componentCount);
    for (std::uint32_t c = 0; c < solid.componentCount; ++c)
        if (!elements[c].empty())
            impl_->systems.push_back(std::make_unique<System>(solid, nodes[c], elements[c], options, runner));
}

StressSolver::~StressSolver() = default;
StressSolver::StressSolver(StressSolver&&) noexcept = default;
StressSolver& StressSolver::operator=(StressSolver&&) noexcept = default;

const ElasticSolid& StressSolver::solid() const { return impl_->solid; }

StressSolution StressSolver::solve(const NodalLoads& loads, TaskRunner& runner, std::span<const Vec3d> guess) {
    const ElasticSolid& solid = impl_->solid;
    const NodalLoads even = balanced(solid, loads);
    StressSolution out;
    out.displacements.resize(solid.nodes.size());
    for (const auto& system : impl_->systems)
        system->solve(solid, even, guess, runner, out);
    out.stresses = stressOf(solid, out.displacements, runner);
    if (impl_->options.rigidMotion == StressOptions::RigidMotion::deflated)
        removeRigidMotion(solid, out.displacements);
    return out;
}

}  // namespace sunder::elastic
