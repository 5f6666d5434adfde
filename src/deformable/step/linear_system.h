// The linear system of a composite island: nodes of solids, and six rows for each rigid body that touches them.
//   [Parker09] 4, 7
// Unknown is the change of velocity, world axes: one vector per node, two per rigid body (its centre's, and its spin's).
//
// Two levels precondition it: the inverse of every diagonal block, and a dense system for the rigid motions of aggregates and
// bodies (additive Schwarz with a coarse space of rigid modes). Contacts are springs between points that move with nodes
// and bodies; they are kept as they are, not in the blocks.
#pragma once

#include <span>

#include "deformable/step/coarse_factor.h"
#include "deformable/step/solid_matrix.h"

namespace sunder::deformable {

// Velocity of one point relative to another: sum of weight * node, and of sign * (velocity + spin x arm) over bodies.
struct ContactGradient {
    static constexpr int kMostNodes = 8, kMostBodies = 2;
    std::uint32_t node[kMostNodes];  // of the system
    Real weight[kMostNodes];
    int nodeCount = 0;
    std::uint32_t body[kMostBodies];
    Vec3 arm[kMostBodies];
    Real sign[kMostBodies];
    int bodyCount = 0;
};

struct ContactSpring {
    ContactGradient gradient;
    Vec3 normal;
    Real normalFactor = 0;   // kg: dt^2 times the stiffness; 0 where the contact is open
    Real tangentFactor = 0;  // kg: dt times the damping; 0 where it slips
};

struct SystemSolid {
    const SolidModel* model = nullptr;
    const SolidMatrix* matrix = nullptr;
    const Four* offsets = nullptr;           // m: of the nodes, from the solid's centre, world axes
    const std::uint8_t* isPinned = nullptr;  // per node; null where none is
};

struct SystemBody {
    Real mass = 0;  // kg
    Sym3 inertia;   // kg m^2, world axes
};

struct SolveLimits {
    Real tolerance = Real(1e-4);  // of the first residual, both in the norm of the preconditioner
    int iterations = 200;
    Real least = 0;  // J: residuals whose squared norm is below this are as good as none
};

class LinearSystem {
public:
    // Order of the unknowns: solid by solid, then bodies. What is pointed to must outlive the solves.
    void begin(std::span<const SystemSolid> solids, std::span<const SystemBody> bodies);
    std::uint32_t firstNode(std::size_t solid) const { return firstNode_[solid]; }
    std::uint32_t firstRow(std::size_t body) const { return bodyRow_ + 2 * static_cast<std::uint32_t>(body); }
    std::size_t size() const { return size_; }
    Real massOf(std::size_t body) const { return bodies_[body].mass; }

    // The inverse of a node's diagonal block without contacts, for the stiffness of a spring.
    Real complianceOfNodes(const ContactGradient& gradient, const Vec3& direction) const;
    Real compliance(const ContactGradient& gradient, const Vec3& direction) const;

    // Prepares the preconditioner for these springs, which must outlive the solve.
    void prepare(TaskRunner& tasks, std::span<const ContactSpring> springs);
    // Solves for x, from x on; pinned nodes keep theirs. Returns the iterations made.
    int solve(TaskRunner& tasks, std::span<const Four> right, std::span<Four> x, const SolveLimits& limits);
    // Goes on with the last solve to a smaller tolerance; nothing may have changed since. Returns the further iterations.
    int goOn(TaskRunner& tasks, std::span<Four> x, const SolveLimits& limits);
    // Whether a solve since begin() met a direction in which the matrix is not positive, and stopped there.
    bool isIndefinite() const { return isIndefinite_; }
    // J: squared norm of the residual that solve() would begin with.
    Real residualOf(TaskRunner& tasks, std::span<const Four> right, std::span<const Four> x);

    // Relative velocity for this vector of unknowns.
    Vec3 relativeOf(const ContactGradient& gradient, std::span<const Four> x) const;
    // vector += J^T f
    void spread(const ContactGradient& gradient, const Vec3& f, std::span<Four> vector) const;

private:
    struct Chunk {                        // an aggregate, or a body
        std::uint32_t solid, begin, end;  // rows of the system
        std::uint32_t group;              // of the coarse system
    };
    bool isPinned(const Chunk& chunk, std::uint32_t row) const;
    void chooseGroups();
    void placeGroups();
    void assembleCoarse(TaskRunner& tasks);
    void addNodeToCoarse(const Chunk& chunk, std::uint32_t row);
    void addSprings();
    void linkBase();
    template <class Function>
    void forLinksOf(const ContactSpring& spring, Function&& function) const;
    void orderGroups();
    void copyBase();
    void restrictToCoarse(TaskRunner& tasks);
    void invertDiagonals(TaskRunner& tasks);
    Four multiplyRow(const Chunk& chunk, std::uint32_t row, const Four* x) const;
    Real multiply(TaskRunner& tasks, const std::vector<Four>& x, std::vector<Four>& image);
    Real precondition(TaskRunner& tasks);
    template <class Function>
    Real sumOverChunks(TaskRunner& tasks, Function&& function);

    std::vector<SystemSolid> solids_;
    std::vector<SystemBody> bodies_;
    std::vector<std::uint32_t> firstNode_;
    std::uint32_t bodyRow_ = 0;
    std::size_t size_ = 0;
    std::vector<Chunk> chunks_;
    std::vector<std::uint32_t> groupOfRow_;
    std::vector<std::uint32_t> firstChunkOfGroup_;
    std::vector<Vec3> groupCenter_;  // m, from the solid's centre
    std::size_t groups_ = 0;
    bool hasCoarse_ = true;
    std::span<const ContactSpring> springs_;
    std::vector<Block> inverse_;  // of the diagonal, per row
    // The coarse matrix without springs: blocks of a group with itself and with later ones, by groups.
    std::vector<GroupSet> baseLinks_;
    std::vector<std::uint32_t> firstBase_, baseColumn_;
    std::vector<Real> baseBlocks_;
    bool hasBase_ = false, isOrdered_ = false, isIndefinite_ = false;
    CoarseFactor coarse_;
    std::vector<Real> coarseX_;
    std::vector<Four> residual_, scaled_, direction_, image_;
    std::vector<double> sums_;
    Real firstSlope_ = 0, slope_ = 0;  // J: squared norm of the residual, at the start of a solve and now
};

}  // namespace sunder::deformable
