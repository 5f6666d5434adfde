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

// For a component with fewer elements block Jacobi takes less time than the set-up of a cycle.
constexpr std::size_t kFewElements = 3000;
constexpr int kJacobiIterationsPerOther = 10;

using Method = StressOptions::Method;

// Iterations that a cycle with coarse levels from before the last cracks may take more than with new ones, summed over its
// solves, before it gets new ones: making them takes as long as about so many.
constexpr int kIterationsOfSetUp = 20;
// A component that has lost more of its nodes gets a cycle of its own.
constexpr double kLeastKept = 0.7;

// The matrix of one component and what it is solved with.
class System {
public:
    System(const ElasticSolid& solid, std::span<const std::uint32_t> nodes, std::span<const std::uint32_t> elements,
           const StressOptions& options, TaskRunner& runner)
        : System(solid, nodes, elements, options, nullptr, {}, runner) {}
    // before: of the component before cracks grew, or null. rowBefore: by node.
    System(const ElasticSolid& solid, std::span<const std::uint32_t> nodes, std::span<const std::uint32_t> elements,
           const StressOptions& options, const System* before, std::span<const std::uint32_t> rowBefore, TaskRunner& runner)
        : stiffness_(solid, nodes, elements, runner), volumes_(volumesOf(solid, elements)) {
        Method method = options.method;
        if (method == Method::automatic)
            method = elements.size() < kFewElements ? Method::blockJacobi : Method::multigrid;
        if (method == Method::blockJacobi)
            preconditioner_ = std::make_unique<BlockJacobi>(stiffness_.pattern, stiffness_.matrix);
        else if (method == Method::factor)
            preconditioner_ = std::make_unique<KeptFactor>(stiffness_);
        else
            makeMultigrid(before, rowBefore, runner);
        if (options.rigidMotion == StressOptions::RigidMotion::pinned)
            pins_.emplace(stiffness_.positions);
        solve_ = std::make_unique<ConjugateSolve>(stiffness_.pattern, stiffness_.matrix, *preconditioner_,
                                                  pins_ ? &*pins_ : nullptr);
        mostIterations_ = options.iterations * (method == Method::blockJacobi ? kJacobiIterationsPerOther : 1);
    }

    std::span<const std::uint32_t> nodes() const { return stiffness_.node; }
    bool isOf(const ElasticSolid& solid, std::span<const std::uint32_t> nodes, std::span<const std::uint32_t> elements) const {
        return nodes.size() == stiffness_.node.size() && volumesOf(solid, elements) == volumes_;
    }
    // Adds to the solution what this component says. nodes: those of its rows. noForce: N, what counts as none.
    void solve(const ElasticSolid& solid, std::span<const std::uint32_t> nodes, const NodalLoads& loads, double noForce,
               std::span<const Vec3d> guess, double tolerance, TaskRunner& runner, StressSolution& out);

private:
    static std::vector<double> volumesOf(const ElasticSolid& solid, std::span<const std::uint32_t> elements) {
        std::vector<double> out;
        out.reserve(elements.size());
        for (const std::uint32_t e : elements)
            out.push_back(solid.elements[e].volume);
        return out;
    }
    void makeMultigrid(const System* before, std::span<const std::uint32_t> rowBefore, TaskRunner& runner);
    double pinReaction(std::span<const double> x, std::span<const double> load) const;

    Stiffness stiffness_;
    std::vector<double> volumes_;  // of its elements: the same ones have the same matrix
    std::unique_ptr<Preconditioner> preconditioner_;
    Multigrid* multigrid_ = nullptr;
    std::optional<Pins> pins_;
    std::unique_ptr<ConjugateSolve> solve_;
    int mostIterations_ = 0;
    std::vector<double> load_, x_;  // of the last solve
    SolveReport report_;
    bool isTakenOver_ = false;
    int fewest_ = 0, wasted_ = 0;  // iterations of the first solve with these coarse levels; of later ones, more than that
};

void System::makeMultigrid(const System* before, std::span<const std::uint32_t> rowBefore, TaskRunner& runner) {
    const bool isKept = before && before->multigrid_ && before->multigrid_->levelCount() > 1 &&
                        before->wasted_<kIterationsOfSetUp&& double(stiffness_.node.size())> kLeastKept *
                            double(before->stiffness_.node.size());
    std::unique_ptr<Multigrid> made;
    if (isKept) {
        std::vector<std::uint32_t> rows;
        rows.reserve(stiffness_.node.size());
        for (const std::uint32_t node : stiffness_.node)
            rows.push_back(rowBefore[node]);
        made = std::make_unique<Multigrid>(stiffness_, *before->multigrid_, rows, runner);
        isTakenOver_ = true;
        fewest_ = before->fewest_;
        wasted_ = before->wasted_;
    } else
        made = std::make_unique<Multigrid>(stiffness_, runner);
    multigrid_ = made.get();
    preconditioner_ = std::move(made);
}

double largestComponentOf(std::span<const std::uint32_t> nodes, const NodalLoads& loads) {
    double largest = 0;
    for (const std::uint32_t node : nodes) {
        const Vec3d& f = loads.forces[node];
        largest = std::max({largest, std::fabs(f.x), std::fabs(f.y), std::fabs(f.z)});
    }
    return largest;
}

void System::solve(const ElasticSolid& solid, std::span<const std::uint32_t> nodes, const NodalLoads& loads, double noForce,
                   std::span<const Vec3d> guess, double tolerance, TaskRunner& runner, StressSolution& out) {
    const std::size_t rows = nodes.size();
    const double largest = largestComponentOf(nodes, loads);
    if (largest <= noForce)
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
        put(&load[3 * row], loads.forces[nodes[row]], 1 / largest);
        if (!guess.empty())
            put(&x[3 * row], guess[nodes[row]], 1 / scale);
    }
    if (load != load_) {
        report_ = solve_->solve(x, load, {tolerance, mostIterations_}, runner);
        x_ = std::move(x);
        load_ = std::move(load);
        if (isTakenOver_)
            wasted_ += std::max(0, report_.iterations - fewest_);
        else
            fewest_ = report_.iterations;
        out.iterations = std::max(out.iterations, report_.iterations);
    }
    for (std::size_t row = 0; row < rows; ++row)
        out.displacements[nodes[row]] = Vec3d{x_[3 * row], x_[3 * row + 1], x_[3 * row + 2]} * scale;
    out.residual = std::max(out.residual, report_.residual);
    out.converged = out.converged && report_.converged;
    if (pins_)
        out.pinReaction = std::max(out.pinReaction, pinReaction(x_, load_) * largest);
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
    // A component: several solvers may share the system of one that no crack has changed.
    struct Part {
        std::vector<std::uint32_t> nodes;  // by row of the system
        std::shared_ptr<System> system;
    };

    ElasticSolid solid;
    StressOptions options;
    std::vector<Part> parts;  // by component

    // before may be null.
    void makeParts(const Impl* before, std::span<const std::uint32_t> nodeBefore, TaskRunner& runner);
    Part partOf(std::span<const std::uint32_t> nodes, std::span<const std::uint32_t> elements, const Impl* before,
                std::span<const std::uint32_t> nodeBefore, std::vector<std::uint32_t>& rowBefore, TaskRunner& runner) const;
};

void StressSolver::Impl::makeParts(const Impl* before, std::span<const std::uint32_t> nodeBefore, TaskRunner& runner) {
    std::vector<std::vector<std::uint32_t>> nodes(solid.componentCount), elements(solid.componentCount);
    for (std::uint32_t i = 0; i < solid.nodes.size(); ++i)
        nodes[solid.component[i]].push_back(i);
    for (std::uint32_t e = 0; e < solid.tets.size(); ++e)
        elements[solid.component[solid.tets[e][0]]].push_back(e);
    std::vector<std::uint32_t> rowBefore(nodeBefore.size());  // by node
    if (before) {
        std::vector<std::uint32_t> rowOf(before->solid.nodes.size());
        for (const Part& part : before->parts)
            for (std::uint32_t row = 0; row < part.nodes.size(); ++row)
                rowOf[part.nodes[row]] = row;
        for (std::size_t i = 0; i < nodeBefore.size(); ++i)
            rowBefore[i] = rowOf[nodeBefore[i]];
    }
    parts.resize(solid.componentCount);
    for (std::uint32_t c = 0; c < solid.componentCount; ++c)
        if (!elements[c].empty())
            parts[c] = partOf(nodes[c], elements[c], before, nodeBefore, rowBefore, runner);
}

StressSolver::Impl::Part StressSolver::Impl::partOf(std::span<const std::uint32_t> nodes,
                                                    std::span<const std::uint32_t> elements, const Impl* before,
                                                    std::span<const std::uint32_t> nodeBefore,
                                                    std::vector<std::uint32_t>& rowBefore, TaskRunner& runner) const {
    Part part;
    const System* known = nullptr;
    if (before) {
        const Part& old = before->parts[before->solid.component[nodeBefore[nodes[0]]]];
        known = old.system.get();
        if (known && known->isOf(solid, nodes, elements)) {
            part.system = old.system;
            part.nodes.resize(nodes.size());
            for (const std::uint32_t node : nodes)
                part.nodes[rowBefore[node]] = node;
            return part;
        }
    }
    part.system = std::make_shared<System>(solid, nodes, elements, options, known, rowBefore, runner);
    part.nodes.assign(part.system->nodes().begin(), part.system->nodes().end());
    return part;
}

StressSolver::StressSolver(const ElementMesh& mesh, const ElasticMaterial& material, const StressOptions& options,
                           TaskRunner& runner)
    : impl_(std::make_unique<Impl>()) {
    impl_->solid = ElasticSolid(mesh, material, runner);
    impl_->options = options;
    impl_->makeParts(nullptr, {}, runner);
}

StressSolver::StressSolver(const ElementMesh& mesh, const StressSolver& before, std::span<const std::uint32_t> nodeBefore,
                           const StressOptions& options, TaskRunner& runner)
    : impl_(std::make_unique<Impl>()) {
    impl_->solid = ElasticSolid(mesh, before.impl_->solid.material, runner);
    impl_->options = options;
    impl_->makeParts(before.impl_.get(), nodeBefore, runner);
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
    double noForce = 0;
    for (const Impl::Part& part : impl_->parts)
        noForce = std::max(noForce, kNoForce * largestComponentOf(part.nodes, loads));
    for (const Impl::Part& part : impl_->parts)
        if (part.system)
            part.system->solve(solid, part.nodes, even, noForce, guess, impl_->options.tolerance, runner, out);
    out.stresses = stressOf(solid, out.displacements, runner);
    if (impl_->options.rigidMotion == StressOptions::RigidMotion::deflated)
        removeRigidMotion(solid, out.displacements);
    return out;
}

}  // namespace sunder::elastic
