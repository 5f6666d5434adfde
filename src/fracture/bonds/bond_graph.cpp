#include "fracture/bonds/bond_graph.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "core/union_find.h"
#include "math/linear/conjugate_gradients.h"
#include "math/linear/cramer.h"
#include "math/linear/dense_cholesky.h"

namespace sunder::fracture {

namespace {

constexpr int kSize = 6;  // unknowns of a piece: displacement and rotation
// Multiplications up to which the matrix is factored, about half a second; larger graphs are solved by conjugate gradients.
constexpr double kDirectBudget = 1e9;
// Share of a diagonal entry that must be left for its pivot; less is rounding noise of double, and the block is singular.
constexpr double kLeastPivotOfBonds = 1e-13;
// At most so many iterations, and the relative residual at which they end: far below the 2e-3 by which bonds are told apart
// (kTie in world/breaking/overloaded_bonds.cpp).
constexpr linear::IterationLimits kLimits{2000, 1e-9};

struct Inertia {
    const std::array<double, 6>& i;
    Vec3d operator*(const Vec3d& v) const {
        return {i[0] * v.x + i[3] * v.y + i[4] * v.z, i[3] * v.x + i[1] * v.y + i[5] * v.z,
                i[4] * v.x + i[5] * v.y + i[2] * v.z};
    }
};

Vec3d solveSymmetric(const std::array<double, 6>& s, const Vec3d& b) {
    const auto x = linear::cramer(Vec3d{s[0], s[3], s[4]}, Vec3d{s[3], s[1], s[5]}, Vec3d{s[4], s[5], s[2]}, b);
    return x.numerators * (x.determinant != 0 ? 1 / x.determinant : 0);
}

}  // namespace

PieceSum sumOf(std::span<const GraphPiece> pieces) {
    PieceSum sum;
    for (const GraphPiece& piece : pieces) {
        sum.mass += piece.mass;
        sum.center += piece.center * piece.mass;
    }
    sum.center = sum.center * (1 / sum.mass);
    for (const GraphPiece& piece : pieces) {
        const Vec3d r = piece.center - sum.center;
        const double m = piece.mass;
        const double shift[6] = {m * (r.y * r.y + r.z * r.z),
                                 m * (r.x * r.x + r.z * r.z),
                                 m * (r.x * r.x + r.y * r.y),
                                 -m * r.x * r.y,
                                 -m * r.x * r.z,
                                 -m * r.y * r.z};
        for (int k = 0; k < 6; ++k)
            sum.inertia[k] += piece.inertia[k] + shift[k];
    }
    return sum;
}

double yieldAt(const PieceSum& sum, const Vec3d& point, const Vec3d& direction) {
    const Vec3d turn = cross(point - sum.center, direction);
    return 1 / sum.mass + dot(turn, solveSymmetric(sum.inertia, turn));
}

void balanceLoads(std::span<const GraphPiece> pieces, const Vec3d& w, std::span<Wrench> loads) {
    const PieceSum sum = sumOf(pieces);
    Vec3d force, torque;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        force += loads[i].force;
        torque += loads[i].torque + cross(pieces[i].center - sum.center, loads[i].force);
    }
    const Vec3d acceleration = force * (1 / sum.mass);
    const Vec3d turning = solveSymmetric(sum.inertia, torque - cross(w, Inertia{sum.inertia} * w));
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const GraphPiece& piece = pieces[i];
        const Vec3d r = piece.center - sum.center;
        loads[i].force += (acceleration + cross(turning, r) + cross(w, cross(w, r))) * -piece.mass;
        loads[i].torque += -(Inertia{piece.inertia} * turning + cross(w, Inertia{piece.inertia} * w));
    }
}

BondGraph::BondGraph(std::vector<GraphPiece> pieces, std::span<const Bond> bonds, double young, double poisson, Earlier earlier)
    : pieces_(std::move(pieces)) {
    const double shear = young / (2 * (1 + poisson));
    for (const Bond& bond : bonds) {
        Spring& spring = bonds_.emplace_back();
        spring.a = bond.a;
        spring.b = bond.b;
        spring.normal = normalizeOr(toDouble(bond.normal), {0, 1, 0});
        spring.armA = toDouble(bond.point) - pieces_[bond.a].center;
        spring.armB = toDouble(bond.point) - pieces_[bond.b].center;
        spring.area = bond.area;
        spring.strength = bond.strength;
        const Vec3d& n = spring.normal;
        Sym R{bond.secondMoments.x,  bond.secondMoments.y,  bond.secondMoments.z,
              bond.secondProducts.x, bond.secondProducts.y, bond.secondProducts.z};
        if (bond.secondMoments == Vec3{}) {
            const double square = spring.area * spring.area / 12;
            R = {square * (1 - n.x * n.x), square * (1 - n.y * n.y), square * (1 - n.z * n.z),
                 -square * n.x * n.y,      -square * n.x * n.z,      -square * n.y * n.z};
        }
        spring.polar = R.xx + R.yy + R.zz;
        // Columns of [n] R [n]^T: n x (R ([n]^T e)), and [n]^T e = e x n.
        const auto column = [&](const Vec3d& e) { return cross(n, R * cross(e, n)); };
        const Vec3d x = column({1, 0, 0}), y = column({0, 1, 0}), z = column({0, 0, 1});
        spring.bending = {x.x, y.y, z.z, y.x, z.x, z.y};
        const double distance = std::max(length(pieces_[bond.b].center - pieces_[bond.a].center), 1e-6);
        spring.young = young / distance;
        spring.along = young * spring.area / distance;
        spring.across = shear * spring.area / distance;
        spring.twist = shear * spring.polar / distance;
    }
    holdOne();
    assemble(earlier);
}

// Held are the anchored pieces and, in a component without one, its first piece; the others get numbers of blocks.
void BondGraph::holdOne() {
    UnionFind joined(pieces_.size());
    for (const Spring& spring : bonds_)
        joined.join(spring.a, spring.b);
    std::vector<std::uint8_t> isHeld(pieces_.size(), 0);  // by component
    for (std::uint32_t i = 0; i < pieces_.size(); ++i)
        if (pieces_[i].isAnchored)
            isHeld[joined.root(i)] = 1;
    unknown_.assign(pieces_.size(), -1);
    for (std::uint32_t i = 0; i < pieces_.size(); ++i)
        if (const std::uint32_t root = joined.root(i); isHeld[root] ? !pieces_[i].isAnchored : i != root)
            unknown_[i] = blocks_++;
}

Vec3d BondGraph::forceOf(const Spring& spring, const Vec3d& d) const {
    const double along = dot(d, spring.normal);
    return d * spring.across + spring.normal * (along * (spring.along - spring.across));
}

Vec3d BondGraph::momentOf(const Spring& spring, const Vec3d& f) const {
    return spring.bending * f * spring.young + spring.normal * (spring.twist * dot(f, spring.normal));
}

// The block of K with the forces on the row's piece per displacement of the column's piece.
void BondGraph::addBlock(const Spring& spring, bool rowIsB, bool columnIsB, double* block, int stride) const {
    const double sign = rowIsB == columnIsB ? 1 : -1;
    const Vec3d& rowArm = rowIsB ? spring.armB : spring.armA;
    const Vec3d& columnArm = columnIsB ? spring.armB : spring.armA;
    for (int c = 0; c < kSize; ++c) {
        const Vec3d e{double(c % 3 == 0), double(c % 3 == 1), double(c % 3 == 2)};
        const Vec3d force = forceOf(spring, c < 3 ? e : cross(e, columnArm));
        const Vec3d torque = cross(rowArm, force) + (c < 3 ? Vec3d{} : momentOf(spring, e));
        const double column[kSize] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
        for (int r = 0; r < kSize; ++r)
            block[r * stride + c] += sign * column[r];
    }
}

linear::FrontCholesky::Matrix BondGraph::matrix() const {
    linear::FrontCholesky::Matrix matrix;
    matrix.diagonals.assign(std::size_t(blocks_), {});
    std::vector<std::tuple<int, int, std::uint32_t>> joined;  // blocks, the lower first; bond
    joined.reserve(bonds_.size());
    for (std::uint32_t i = 0; i < bonds_.size(); ++i) {
        const Spring& spring = bonds_[i];
        const int a = unknown_[spring.a], b = unknown_[spring.b];
        if (a >= 0)
            addBlock(spring, false, false, matrix.diagonals[a].data(), kSize);
        if (b >= 0)
            addBlock(spring, true, true, matrix.diagonals[b].data(), kSize);
        if (a >= 0 && b >= 0)
            joined.emplace_back(std::min(a, b), std::max(a, b), i);
    }
    std::sort(joined.begin(), joined.end());
    for (const auto& [i, j, bond] : joined) {
        if (matrix.neighbours.empty() || matrix.neighbours.back() != std::pair(i, j)) {
            matrix.neighbours.emplace_back(i, j);
            matrix.pairs.push_back({});
        }
        const bool rowIsB = unknown_[bonds_[bond].b] == i;
        addBlock(bonds_[bond], rowIsB, !rowIsB, matrix.pairs.back().data(), kSize);
    }
    return matrix;
}

void BondGraph::assemble(const Earlier& earlier) {
    linear::FrontCholesky::Matrix whole = matrix();
    std::vector<linear::FrontTree::Point> points;
    std::vector<int> sameAs;
    for (std::size_t i = 0; i < pieces_.size(); ++i)
        if (unknown_[i] >= 0) {
            points.push_back({pieces_[i].center.x, pieces_[i].center.y, pieces_[i].center.z});
            if (earlier.graph)
                sameAs.push_back(earlier.graph->unknown_[earlier.numbers[i]]);
        }
    linear::FrontTree tree(points, whole.neighbours);
    isDirect_ = tree.cost * (kSize * kSize * kSize) < kDirectBudget;
    if (isDirect_) {
        const bool hasEarlier = earlier.graph && earlier.graph->isDirect_;
        factor_ =
            linear::FrontCholesky(std::move(tree), std::move(whole), hasEarlier ? &earlier.graph->factor_ : nullptr, sameAs);
        return;
    }
    for (linear::FrontCholesky::Block& block : whole.diagonals) {
        linear::choleskyFactor(block.data(), kSize, kSize, kLeastPivotOfBonds);
        diagonals_.insert(diagonals_.end(), block.begin(), block.end());
    }
}

Wrench BondGraph::loadOf(const Spring& spring, std::span<const double> x, int sides, int side) const {
    const auto part = [&](std::uint32_t piece, int from) {
        const int block = unknown_[piece];
        if (block < 0)
            return Vec3d{};
        const double* at = x.data() + std::size_t((block * kSize + from) * sides + side);
        return Vec3d{at[0], at[sides], at[2 * sides]};
    };
    const Vec3d turnA = part(spring.a, 3), turnB = part(spring.b, 3);
    const Vec3d stretch = part(spring.b, 0) + cross(turnB, spring.armB) - part(spring.a, 0) - cross(turnA, spring.armA);
    return {forceOf(spring, stretch), momentOf(spring, turnB - turnA)};
}

void BondGraph::multiply(std::span<const double> x, std::span<double> result) const {
    std::fill(result.begin(), result.end(), 0.0);
    const auto add = [&](std::uint32_t piece, const Vec3d& arm, const Wrench& load, double sign) {
        const int block = unknown_[piece];
        if (block < 0)
            return;
        const Vec3d torque = load.torque + cross(arm, load.force);
        double* at = result.data() + std::size_t(block) * kSize;
        const double values[kSize] = {load.force.x, load.force.y, load.force.z, torque.x, torque.y, torque.z};
        for (int i = 0; i < kSize; ++i)
            at[i] += sign * values[i];
    };
    for (const Spring& spring : bonds_) {
        const Wrench load = loadOf(spring, x);
        add(spring.a, spring.armA, load, -1);
        add(spring.b, spring.armB, load, 1);
    }
}

// x: the loads, then the solution.
void BondGraph::iterate(std::span<double> x) const {
    const auto byDiagonals = [&](std::span<double> scaled) {
        for (int block = 0; block < blocks_; ++block) {
            const double* factor = diagonals_.data() + std::size_t(block) * kSize * kSize;
            linear::choleskySolve(factor, scaled.data() + std::size_t(block) * kSize, kSize, kSize);
        }
    };
    linear::conjugateGradients(
        x, kLimits, [&](std::span<const double> u, std::span<double> image) { multiply(u, image); }, byDiagonals);
}

// The loads as one of several right-hand sides, number by number beside each other.
void BondGraph::set(std::span<const Wrench> loads, int sides, int side) {
    x_.resize(std::size_t(blocks_ * sides) * kSize);
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        if (unknown_[i] < 0)
            continue;
        const Wrench& load = loads[i];
        const double values[kSize] = {load.force.x, load.force.y, load.force.z, load.torque.x, load.torque.y, load.torque.z};
        double* at = x_.data() + std::size_t(unknown_[i] * kSize * sides + side);
        for (int k = 0; k < kSize; ++k)
            at[k * sides] = values[k];
    }
}

void BondGraph::findLoads(int sides, int side, std::span<Wrench> bondLoads) const {
    for (std::size_t i = 0; i < bonds_.size(); ++i)
        bondLoads[i] = loadOf(bonds_[i], x_, sides, side);
}

void BondGraph::solve(std::span<const Wrench> loads, std::span<Wrench> bondLoads) {
    set(loads, 1, 0);
    if (isDirect_)
        factor_.solve(x_);
    else
        iterate(x_);
    findLoads(1, 0, bondLoads);
}

void BondGraph::solveBoth(std::span<const Wrench> loadsA, std::span<const Wrench> loadsB, std::span<Wrench> bondLoadsA,
                          std::span<Wrench> bondLoadsB) {
    if (!isDirect_) {
        solve(loadsA, bondLoadsA);
        return solve(loadsB, bondLoadsB);
    }
    set(loadsA, 2, 0);
    set(loadsB, 2, 1);
    factor_.solveTwo(x_);
    findLoads(2, 0, bondLoadsA);
    findLoads(2, 1, bondLoadsB);
}

double BondGraph::energy(std::size_t i, const Wrench& load) const {
    const Spring& spring = bonds_[i];
    const double along = dot(load.force, spring.normal), twist = dot(load.torque, spring.normal);
    const Vec3d across = load.force - spring.normal * along, bending = load.torque - spring.normal * twist;
    double energy = along * along / spring.along + dot(across, across) / spring.across;
    if (spring.twist > 0)
        energy += twist * twist / spring.twist;
    // The turn (rad) by which this moment bends it, in the plane of the face.
    const Vec3d u = anyPerpendicular(spring.normal), v = cross(spring.normal, u);
    const double uu = dot(u, spring.bending * u), vv = dot(v, spring.bending * v), uv = dot(u, spring.bending * v);
    const double determinant = uu * vv - uv * uv, mu = dot(bending, u), mv = dot(bending, v);
    if (determinant > 0)
        energy += (mu * mu * vv - 2 * mu * mv * uv + mv * mv * uu) / (determinant * spring.young);
    return energy / 2;
}

double BondGraph::utilisation(std::size_t i, const BondStrength& strength, const Wrench& load) const {
    const Spring& spring = bonds_[i];
    const double A = spring.area;
    const double pull = dot(load.force, spring.normal) / A, twist = std::fabs(dot(load.torque, spring.normal));
    const double across = length(load.force - spring.normal * (pull * A)) / A;
    const Vec3d bending = load.torque - spring.normal * dot(load.torque, spring.normal);
    const double moment = dot(bending, bending);
    // Section moduli: of a rectangle the edge is sqrt(3 I / A) from the middle, so W = sqrt(I A / 3).
    const double inertia = moment > 0 ? dot(bending, spring.bending * bending) / moment : 0;
    const double edge = inertia > 0 ? std::sqrt(moment / (inertia * A / 3)) : 0;
    const double torsion = spring.polar > 0 ? twist / std::sqrt(spring.polar * A / 3) : 0;
    const double most = std::max({pull / double(strength.tension), -pull / double(strength.compression),
                                  (across + torsion) / double(strength.shear), (edge + pull) / double(strength.bending)});
    return spring.strength > 0 ? most / spring.strength : (most > 0 ? 1e30 : 0);
}

}  // namespace sunder::fracture
