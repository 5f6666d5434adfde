// The pieces of a bonded body as rigid bodies on elastic bonds, and the loads of its bonds under given loads of the pieces.
//
// Displacement u and rotation t of each piece; a bond at p with normal n, of pieces a and b with centres ca, cb, is stretched
// and bent by
//     d = (ub + tb x (p - cb)) - (ua + ta x (p - ca))        f = tb - ta
// and bears the force F = Df d and the moment M = Dm f, with A its area, R = integral of r r^T over its face, [n] the matrix of
// n x, l the distance of the centres, E Young's modulus and G = E / (2 (1 + poisson)):
//     Df = (E A n n^T + G A (1 - n n^T)) / l                 Dm = (E [n] R [n]^T + G trace(R) n n^T) / l
// F and M are what b exerts on a: F.n > 0 is tension. The loads on the pieces give the linear system K x = loads. In a
// component (pieces that bonds join) without an anchored piece the loads must balance (balanceLoads), and one piece stays where
// it is. Body frame, double, SI units.
//
// A graph that lost a few bonds or pieces takes over most of the factor of the graph it was (FrontCholesky). Its numbers are,
// to the bit, those of a graph made from nothing, so that a restored world need not have kept the earlier one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/mass_properties.h"
#include "math/linear/front_cholesky.h"
#include "math/vec3d.h"
#include "sunder/bonds.h"

namespace sunder::fracture {

// N and N m, or N s and N m s; about the centre of a piece or the point of a bond.
struct Wrench {
    Vec3d force, torque;
};

struct GraphPiece {
    double mass = 0;
    Vec3d center;
    std::array<double, 6> inertia{};  // xx yy zz xy xz yz about the centre
    bool isAnchored = false;          // fixed to the world
};

// Pieces that move as one.
struct PieceSum {
    double mass = 0;
    Vec3d center;
    std::array<double, 6> inertia{};  // xx yy zz xy xz yz about the centre
};
PieceSum sumOf(std::span<const GraphPiece> pieces);
// 1/kg: how fast along a unit direction the point moves after a unit impulse there along it.
double yieldAt(const PieceSum& sum, const Vec3d& point, const Vec3d& direction);

// Subtracts from the loads of a free body the forces that accelerate its pieces, centrifugal ones included, so that they
// balance.
void balanceLoads(std::span<const GraphPiece> pieces, const Vec3d& angularVelocity, std::span<Wrench> loads);

// Piece numbers are dense: a bond's a and b are below pieces.size().
class BondGraph {
public:
    // What a graph was before bonds broke: the graph, and of each piece its number there. Relative order is kept.
    struct Earlier {
        const BondGraph* graph = nullptr;
        std::span<const std::uint32_t> numbers;
    };
    BondGraph(std::vector<GraphPiece> pieces, std::span<const Bond> bonds, double young, double poisson, Earlier earlier);
    BondGraph(std::vector<GraphPiece> pieces, std::span<const Bond> bonds, double young, double poisson)
        : BondGraph(std::move(pieces), bonds, young, poisson, Earlier{}) {}

    std::span<const GraphPiece> pieces() const { return pieces_; }
    std::size_t bondCount() const { return bonds_.size(); }
    // The load of every bond under these loads of the pieces.
    void solve(std::span<const Wrench> loads, std::span<Wrench> bondLoads);
    // Under two sets of loads at once, which takes little longer than one.
    void solveBoth(std::span<const Wrench> loadsA, std::span<const Wrench> loadsB, std::span<Wrench> bondLoadsA,
                   std::span<Wrench> bondLoadsB);
    // Fronts of the factor, and how many of them are those of the earlier graph.
    int frontCount() const { return factor_.frontCount(); }
    int keptFronts() const { return factor_.keptFronts(); }
    // Energy (J) that bond i stores under this load.
    double energy(std::size_t i, const Wrench& load) const;
    // Load (N, N m) of bond i over its strength; above 1 it breaks.
    double utilisation(std::size_t i, const BondStrength& strength, const Wrench& load) const;

private:
    struct Sym {  // 3 x 3
        double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
        Vec3d operator*(const Vec3d& v) const {
            return {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z, xz * v.x + yz * v.y + zz * v.z};
        }
    };
    struct Spring {
        std::uint32_t a = 0, b = 0;
        Vec3d normal, armA, armB;  // from the centres to the point
        double area = 0, strength = 1;
        Sym bending;                                         // [n] R [n]^T
        double polar = 0;                                    // trace(R)
        double across = 0, along = 0, twist = 0, young = 0;  // N/m, N/m, N m/rad, Pa/m
    };
    Vec3d forceOf(const Spring& spring, const Vec3d& stretch) const;
    Vec3d momentOf(const Spring& spring, const Vec3d& turn) const;
    Wrench loadOf(const Spring& spring, std::span<const double> x, int sides = 1, int side = 0) const;
    void holdOne();
    void assemble(const Earlier& earlier);
    linear::FrontCholesky::Matrix matrix() const;
    void set(std::span<const Wrench> loads, int sides, int side);
    void findLoads(int sides, int side, std::span<Wrench> bondLoads) const;
    void addBlock(const Spring& spring, bool rowIsB, bool columnIsB, double* block, int stride) const;
    void multiply(std::span<const double> x, std::span<double> result) const;
    void iterate(std::span<double> x) const;

    std::vector<GraphPiece> pieces_;
    std::vector<Spring> bonds_;
    std::vector<std::int32_t> unknown_;  // of each piece: number of its block, -1 where it is anchored
    int blocks_ = 0;
    bool isDirect_ = true;
    linear::FrontCholesky factor_;
    std::vector<double> diagonals_;  // factored 6 x 6 blocks, for the iterative solve
    std::vector<double> x_;
};

}  // namespace sunder::fracture
