// What bonds bear, against statics.
#include "fracture/bonds/bond_graph.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "math/linear/dense_cholesky.h"
#include "sunder/definitions.h"

namespace sunder::fracture {
namespace {

constexpr double kYoung = 1e9, kPoisson = 0.2;

GraphPiece cube(double x, double y, double z, double side, double density) {
    GraphPiece piece;
    piece.mass = density * side * side * side;
    piece.center = {x, y, z};
    const double moment = piece.mass * side * side / 6;
    piece.inertia = {moment, moment, moment, 0, 0, 0};
    return piece;
}

Bond square(std::uint32_t a, std::uint32_t b, const Vec3& point, const Vec3& normal, Real side) {
    Bond bond;
    bond.a = a;
    bond.b = b;
    bond.point = point;
    bond.normal = normal;
    bond.area = side * side;
    return bond;
}

// A row of n cubes of 0.2 m along x, the first at the origin.
struct Row {
    std::vector<GraphPiece> pieces;
    std::vector<Bond> bonds;

    explicit Row(int n, double density = 2000) {
        for (int i = 0; i < n; ++i)
            pieces.push_back(cube(0.2 * i, 0, 0, 0.2, density));
        for (int i = 0; i + 1 < n; ++i)
            bonds.push_back(square(std::uint32_t(i), std::uint32_t(i + 1), {Real(0.2 * i + 0.1), 0, 0}, {1, 0, 0}, Real(0.2)));
    }
};

void expectNear(const Vec3d& a, const Vec3d& b, double tolerance) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
    EXPECT_NEAR(a.z, b.z, tolerance);
}

// The bond loads by a dense solve of K x = loads, K written down from its definition in bond_graph.h. Bonds are given without
// second moments, or with those of findBonds. The first piece is held.
std::vector<Wrench> directLoads(const std::vector<GraphPiece>& pieces, const std::vector<Bond>& bonds,
                                const std::vector<Wrench>& loads) {
    const double G = kYoung / (2 * (1 + kPoisson));
    const auto loadOf = [&](const Bond& bond, const std::vector<double>& x) {
        const auto part = [&](std::uint32_t piece, std::size_t from) {
            return Vec3d{x[piece * 6 + from], x[piece * 6 + from + 1], x[piece * 6 + from + 2]};
        };
        const Vec3d point = toDouble(bond.point), n = toDouble(bond.normal), turn = part(bond.b, 3) - part(bond.a, 3);
        const Vec3d d = part(bond.b, 0) + cross(part(bond.b, 3), point - pieces[bond.b].center) - part(bond.a, 0) -
                        cross(part(bond.a, 3), point - pieces[bond.a].center);
        const Vec3 &m = bond.secondMoments, &p = bond.secondProducts;
        const Vec3d v = cross(turn, n);  // [n]^T turn
        const Vec3d R{m.x * v.x + p.x * v.y + p.y * v.z, p.x * v.x + m.y * v.y + p.z * v.z, p.y * v.x + p.z * v.y + m.z * v.z};
        const double A = bond.area, l = length(pieces[bond.b].center - pieces[bond.a].center), along = dot(d, n);
        return Wrench{(n * (kYoung * A * along) + (d - n * along) * (G * A)) * (1 / l),
                      (cross(n, R) * kYoung + n * (G * double(m.x + m.y + m.z) * dot(turn, n))) * (1 / l)};
    };
    const std::size_t size = pieces.size() * 6;
    std::vector<double> K(size * size, 0), x(size), unit(size, 0);
    for (std::size_t c = 0; c < size; ++c) {
        unit[c] = 1;
        for (const Bond& bond : bonds) {
            if (bond.a != c / 6 && bond.b != c / 6)
                continue;
            const Wrench load = loadOf(bond, unit);
            for (const bool isB : {false, true}) {
                const std::uint32_t piece = isB ? bond.b : bond.a;
                const Vec3d torque = load.torque + cross(toDouble(bond.point) - pieces[piece].center, load.force);
                const double values[6] = {load.force.x, load.force.y, load.force.z, torque.x, torque.y, torque.z};
                for (std::size_t r = 0; r < 6; ++r)
                    K[(piece * 6 + r) * size + c] += isB ? values[r] : -values[r];
            }
        }
        unit[c] = 0;
    }
    for (std::size_t r = 0; r < 6; ++r)
        K[r * size + r] += 1e9;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Wrench& load = loads[i];
        const double values[6] = {load.force.x, load.force.y, load.force.z, load.torque.x, load.torque.y, load.torque.z};
        std::copy(values, values + 6, x.begin() + std::ptrdiff_t(i * 6));
    }
    linear::choleskyFactor(K.data(), int(size), int(size), 1e-14);
    linear::choleskySolve(K.data(), x.data(), int(size), int(size));
    std::vector<Wrench> borne;
    for (const Bond& bond : bonds)
        borne.push_back(loadOf(bond, x));
    return borne;
}

// A cantilever is statically determinate: each bond bears the weight beyond it, and its moment.
TEST(BondGraph, CantileverBearsWhatHangsBeyond) {
    Row row(8);
    row.pieces[0].isAnchored = true;
    std::vector<Wrench> loads(8), bonds(7);
    for (std::size_t i = 0; i < 8; ++i)
        loads[i].force = {0, -9.81 * row.pieces[i].mass, 0};
    BondGraph graph(row.pieces, row.bonds, kYoung, kPoisson);
    graph.solve(loads, bonds);
    const double weight = 9.81 * row.pieces[0].mass;
    for (int i = 0; i < 7; ++i) {
        const int beyond = 7 - i;
        // What b does to a: it pulls it down, and its weight acts beyond the bond by 0.1 m for the first cube, 0.3 m, ...
        expectNear(bonds[std::size_t(i)].force, {0, -weight * beyond, 0}, 1e-6 * weight);
        expectNear(bonds[std::size_t(i)].torque, {0, 0, -weight * 0.1 * beyond * beyond}, 1e-6 * weight);
    }
}

// A free bar pushed at its end: the force through it falls linearly with the mass beyond.
TEST(BondGraph, FreeBarCarriesTheInertiaBeyond) {
    Row row(10);
    std::vector<Wrench> loads(10), bonds(9);
    loads[0].force = {100, 0, 0};
    balanceLoads(row.pieces, {}, loads);
    BondGraph graph(row.pieces, row.bonds, kYoung, kPoisson);
    graph.solve(loads, bonds);
    for (int i = 0; i < 9; ++i)  // b presses on a
        expectNear(bonds[std::size_t(i)].force, {-100.0 * (9 - i) / 10, 0, 0}, 1e-6);
}

// A spinning bar: the tension at a bond is that of the mass beyond, m w^2 r.
TEST(BondGraph, SpinningBarIsPulledApart) {
    Row row(6);
    std::vector<Wrench> loads(6), bonds(5);
    balanceLoads(row.pieces, {0, 0, 10}, loads);
    BondGraph graph(row.pieces, row.bonds, kYoung, kPoisson);
    graph.solve(loads, bonds);
    for (int i = 0; i < 5; ++i) {
        double tension = 0;
        for (int k = i + 1; k < 6; ++k)
            tension += row.pieces[0].mass * 100 * (0.2 * k - 0.5);
        expectNear(bonds[std::size_t(i)].force, {tension, 0, 0}, 1e-6 * tension);
    }
}

// Every piece of a wall with random loads is in balance with its bonds.
TEST(BondGraph, EveryPieceIsInBalance) {
    core::Random random(7);
    std::vector<GraphPiece> pieces;
    std::vector<Bond> bonds;
    constexpr int kWide = 9, kHigh = 7;
    for (int y = 0; y < kHigh; ++y)
        for (int x = 0; x < kWide; ++x) {
            pieces.push_back(cube(0.2 * x, 0.2 * y, 0, 0.2, 1500));
            const auto at = std::uint32_t(y * kWide + x);
            if (x > 0)
                bonds.push_back(square(at - 1, at, {Real(0.2 * x - 0.1), Real(0.2 * y), 0}, {1, 0, 0}, Real(0.2)));
            if (y > 0)
                bonds.push_back(square(at - kWide, at, {Real(0.2 * x), Real(0.2 * y - 0.1), 0}, {0, 1, 0}, Real(0.2)));
        }
    std::vector<Wrench> loads(pieces.size()), result(bonds.size());
    for (Wrench& load : loads) {
        load.force = {random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
        load.torque = {random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
    }
    balanceLoads(pieces, {1, 2, 3}, loads);
    BondGraph graph(pieces, bonds, kYoung, kPoisson);
    graph.solve(loads, result);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        Vec3d force = loads[i].force, torque = loads[i].torque;
        for (std::size_t k = 0; k < bonds.size(); ++k) {
            if (bonds[k].a != i && bonds[k].b != i)
                continue;
            const Vec3d given = result[k].force * (bonds[k].a == i ? 1 : -1);
            force += given;
            torque += result[k].torque * (bonds[k].a == i ? 1 : -1) + cross(toDouble(bonds[k].point) - pieces[i].center, given);
        }
        expectNear(force, {}, 1e-6);  // the largest load is some 100 N
        expectNear(torque, {}, 1e-6);
    }
}

// Stresses of a square of side s: N / A, V / A, 6 M / s^3.
TEST(BondGraph, UtilisationIsStressOverStrength) {
    Row row(2);
    BondGraph graph(row.pieces, row.bonds, kYoung, kPoisson);
    BondStrength strength;
    strength.tension = 1000;
    strength.shear = 500;
    strength.compression = 8000;
    strength.bending = 2000;
    EXPECT_NEAR(graph.utilisation(0, strength, {{40, 0, 0}, {}}), 1, 1e-6);
    EXPECT_NEAR(graph.utilisation(0, strength, {{-320, 0, 0}, {}}), 1, 1e-6);
    EXPECT_NEAR(graph.utilisation(0, strength, {{0, 12, 16}, {}}), 1, 1e-6);
    const double moment = 2000 * 0.008 / 6;
    EXPECT_NEAR(graph.utilisation(0, strength, {{}, {0, moment, 0}}), 1, 1e-6);
    // Pressure keeps a face shut.
    EXPECT_NEAR(graph.utilisation(0, strength, {{-40, 0, 0}, {0, 0, moment}}), 0.5, 1e-6);
}

// Energy is half of force times stretch: two cubes of modulus E stretched, bent and twisted between their centres.
TEST(BondGraph, EnergyIsThatOfTheSpring) {
    Row row(2);
    BondGraph graph(row.pieces, row.bonds, kYoung, kPoisson);
    const double A = 0.04, l = 0.2, I = 0.2 * 0.2 * 0.2 * 0.2 / 12, G = kYoung / (2 * (1 + kPoisson));
    EXPECT_NEAR(graph.energy(0, {{1e4, 0, 0}, {}}), 1e8 * l / (2 * kYoung * A), 1e-6);
    EXPECT_NEAR(graph.energy(0, {{0, 6e3, 8e3}, {}}), 1e8 * l / (2 * G * A), 1e-6);
    EXPECT_NEAR(graph.energy(0, {{}, {0, 300, 400}}), 25e4 * l / (2 * kYoung * I), 1e-6);
    EXPECT_NEAR(graph.energy(0, {{}, {500, 0, 0}}), 25e4 * l / (2 * G * 2 * I), 1e-6);
}

// Too large to be factored: conjugate gradients give what statics say.
TEST(BondGraph, LongBarIsTheSameByEitherSolve) {
    // A block of 18^3 cubes, pressed from one side: every section bears the inertia beyond it.
    constexpr int n = 18;
    std::vector<GraphPiece> pieces;
    std::vector<Bond> bonds;
    const auto number = [](int x, int y, int z) { return std::uint32_t((z * n + y) * n + x); };
    for (int z = 0; z < n; ++z)
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x) {
                pieces.push_back(cube(0.2 * x, 0.2 * y, 0.2 * z, 0.2, 1000));
                const Vec3 at{Real(0.2 * x), Real(0.2 * y), Real(0.2 * z)};
                if (x > 0)
                    bonds.push_back(
                        square(number(x - 1, y, z), number(x, y, z), {at.x - Real(0.1), at.y, at.z}, {1, 0, 0}, Real(0.2)));
                if (y > 0)
                    bonds.push_back(
                        square(number(x, y - 1, z), number(x, y, z), {at.x, at.y - Real(0.1), at.z}, {0, 1, 0}, Real(0.2)));
                if (z > 0)
                    bonds.push_back(
                        square(number(x, y, z - 1), number(x, y, z), {at.x, at.y, at.z - Real(0.1)}, {0, 0, 1}, Real(0.2)));
            }
    std::vector<Wrench> loads(pieces.size()), result(bonds.size());
    for (int z = 0; z < n; ++z)
        for (int y = 0; y < n; ++y)
            loads[number(0, y, z)].force = {1, 0, 0};
    balanceLoads(pieces, {}, loads);
    BondGraph graph(pieces, bonds, kYoung, kPoisson);
    graph.solve(loads, result);
    std::vector<double> section(n);
    for (std::size_t i = 0; i < bonds.size(); ++i)
        if (bonds[i].normal.x == 1)
            section[bonds[i].a % n] += result[i].force.x;
    for (int x = 0; x + 1 < n; ++x)
        EXPECT_NEAR(section[std::size_t(x)], -double(n) * n * (n - 1 - x) / n, 1e-3);
}

// A wall of cubes, each in half-stone bond over two others.
struct Wall {
    std::vector<GraphPiece> pieces;
    std::vector<Bond> bonds;

    Wall(int across, int up) {
        Compound compound;
        const Box box{{Real(0.1), Real(0.1), Real(0.1)}};
        for (int y = 0; y < up; ++y)
            for (int x = 0; x < across; ++x) {
                const double at = 0.2 * x + (y % 2 == 0 ? 0 : 0.1);
                pieces.push_back(cube(at, 0.2 * y, 0, 0.2, 2000));
                compound.children.push_back({box, {Real(at), Real(0.2 * y), 0}, {}});
            }
        bonds = findBonds(compound);
    }
};

// What the bonds must be in balance with is the load of each piece; what they bear must come from displacements, so that no
// other loads in balance store less energy. Both together have one solution, the one of a direct solve.
TEST(BondGraph, LoadsAreThoseOfADirectSolve) {
    Wall wall(12, 14);
    std::erase_if(wall.bonds, [](const Bond& bond) { return bond.a == 40 && bond.b != 41; });
    BondGraph graph(wall.pieces, wall.bonds, kYoung, kPoisson);
    std::vector<Wrench> loads(wall.pieces.size()), borne(wall.bonds.size());
    loads[77] = {{5, -30, -700}, {1, 2, 3}};
    balanceLoads(wall.pieces, {}, loads);
    graph.solve(loads, borne);
    // K x = loads with K from its definition: the forces that unit displacements cause, bond by bond.
    const std::vector<Wrench> expected = directLoads(wall.pieces, wall.bonds, loads);
    double most = 0;
    for (const Wrench& load : expected)
        most = std::max(most, length(load.force));
    for (std::size_t i = 0; i < borne.size(); ++i) {
        expectNear(borne[i].force, expected[i].force, 1e-6 * most);
        expectNear(borne[i].torque, expected[i].torque, 1e-6 * most);
    }
}

// A wall from which bonds and pieces have come off takes over most of the factor of the whole wall; no bit tells.
TEST(BondGraph, TakenOverFromEarlierIsTheSameToTheBit) {
    const Wall wall(20, 24);
    const BondGraph whole(wall.pieces, wall.bonds, kYoung, kPoisson);
    std::vector<GraphPiece> pieces;
    std::vector<std::uint32_t> numbers, newNumber(wall.pieces.size(), ~0u);
    for (std::uint32_t i = 0; i < wall.pieces.size(); ++i)
        if (i != 0 && i != 263 && i != 264) {  // the first one held the wall where it is
            newNumber[i] = std::uint32_t(pieces.size());
            numbers.push_back(i);
            pieces.push_back(wall.pieces[i]);
        }
    std::vector<Bond> bonds;
    for (Bond bond : wall.bonds) {
        bond.a = newNumber[bond.a];
        bond.b = newNumber[bond.b];
        if (bond.a != ~0u && bond.b != ~0u && !(bond.a == 300))
            bonds.push_back(bond);
    }
    BondGraph over(pieces, bonds, kYoung, kPoisson, {&whole, numbers}), anew(pieces, bonds, kYoung, kPoisson);
    EXPECT_GT(over.keptFronts(), over.frontCount() / 2);
    std::vector<Wrench> loads(pieces.size()), other(pieces.size()), a(bonds.size()), b(bonds.size()), c(bonds.size());
    loads[290].force = {3, 100, -900};
    other[10].force = {0, 500, 0};
    balanceLoads(pieces, {}, loads);
    balanceLoads(pieces, {1, 2, 0}, other);
    anew.solve(loads, a);
    over.solveBoth(loads, other, b, c);
    for (std::size_t i = 0; i < bonds.size(); ++i) {
        expectNear(a[i].force, b[i].force, 0);
        expectNear(a[i].torque, b[i].torque, 0);
    }
    anew.solve(other, a);
    for (std::size_t i = 0; i < bonds.size(); ++i)
        expectNear(a[i].force, c[i].force, 0);
}

TEST(FindBonds, BricksThatLieOnEachOther) {
    Compound compound;
    const Box brick{{Real(0.1), Real(0.05), Real(0.06)}};
    compound.children.push_back({brick, {0, 0, 0}, {}});
    compound.children.push_back({brick, {Real(0.1), Real(0.1), 0}, {}});   // half over the first
    compound.children.push_back({brick, {Real(0.2), 0, 0}, {}});           // beside the first
    compound.children.push_back({brick, {Real(0.2), Real(-0.3), 0}, {}});  // alone
    const std::vector<Bond> bonds = findBonds(compound);
    ASSERT_EQ(bonds.size(), 3u);
    EXPECT_EQ(bonds[0].a, 0u);
    EXPECT_EQ(bonds[0].b, 1u);
    EXPECT_NEAR(bonds[0].area, 0.1 * 0.12, 1e-6);
    EXPECT_NEAR(bonds[0].point.x, 0.05, 1e-6);
    EXPECT_NEAR(bonds[0].point.y, 0.05, 1e-6);
    EXPECT_NEAR(bonds[0].normal.y, 1, 1e-6);
    EXPECT_NEAR(bonds[0].secondMoments.x, 0.12 * 0.001 / 12, 1e-9);
    EXPECT_NEAR(bonds[0].secondMoments.z, 0.1 * 0.001728 / 12, 1e-9);
    EXPECT_EQ(bonds[1].b, 2u);
    EXPECT_NEAR(bonds[1].area, 0.1 * 0.12, 1e-6);
    EXPECT_NEAR(bonds[1].normal.x, 1, 1e-6);
    EXPECT_EQ(bonds[2].a, 1u);
    EXPECT_EQ(bonds[2].b, 2u);
}

TEST(FindBonds, TrianglesOfOneFaceAreItsBond) {
    const std::vector<std::array<Vec3, 3>> triangles = {{{{0, 0, 1}, {2, 0, 1}, {2, 1, 1}}},
                                                        {{{0, 0, 1}, {0, 1, 1}, {2, 1, 1}}}};
    const Bond bond = bondOfTriangles(3, 5, triangles, {0, 0, -1});
    EXPECT_NEAR(bond.area, 2, 1e-6);
    EXPECT_NEAR(bond.point.x, 1, 1e-6);
    EXPECT_NEAR(bond.point.y, 0.5, 1e-6);
    EXPECT_NEAR(bond.normal.z, -1, 1e-6);
    EXPECT_NEAR(bond.secondMoments.x, 8.0 / 12, 1e-5);
    EXPECT_NEAR(bond.secondMoments.y, 2.0 / 12, 1e-5);
    EXPECT_NEAR(bond.secondProducts.x, 0, 1e-6);
}

}  // namespace
}  // namespace sunder::fracture
