// Definitions of the generators that keep big scenes short, described like every other definition.
//
// A generator stands in `bodies` in place of a body:
//   { "wall": { "count": [8, 6] }, "body": { ... }, "name": "brick", "position": [0, 0, 3] }
// The optional position and orientation move the whole set, velocities included; names are numbered: brick_0, brick_1, ...
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "sunder/describe.h"

namespace sunder::scene {

// Heights of a file of 16-bit numbers: 0 is `low`, 65535 is `high`.
struct HeightRange {
    Real low = 0, high = 100;  // m
};
template <MaybeConst<HeightRange> H, class Visit>
void visitFields(H& h, Visit&& visit) {
    visit(FieldInfo{.name = "low", .unit = "m", .low = -kMaxSize, .high = kMaxSize, .doc = "height of the number 0"}, h.low);
    visit(FieldInfo{.name = "high", .unit = "m", .low = -kMaxSize, .high = kMaxSize, .doc = "height of 65535"}, h.high);
}

inline constexpr int kMaxBodies = 200'000;

// Three numbers; a single number applies to every axis.
struct PerAxis {
    Vec3 value;
    bool single = true;
};

// How many along x, y, z; one number means that many in a line.
struct Counts {
    std::array<int, 3> along{1, 1, 1};
    bool line = true;
};

// Two numbers; a single one applies to both.
struct Widths {
    Real x = 1, z = 1;
};

// Bricks in a row, and rows.
struct WallCount {
    int bricks = 1, rows = 1;
};

enum class Bond : std::uint8_t { Running, Stack };
enum class Ends : std::uint8_t { Flush, Ragged };
inline constexpr EnumName<Bond> kBondNames[] = {{"running", Bond::Running}, {"stack", Bond::Stack}};
inline constexpr EnumName<Ends> kEndsNames[] = {{"flush", Ends::Flush}, {"ragged", Ends::Ragged}};
constexpr std::span<const EnumName<Bond>> enumNames(Bond) { return kBondNames; }
constexpr std::span<const EnumName<Ends>> enumNames(Ends) { return kEndsNames; }

struct RepeatDef {
    Counts count;
    PerAxis spacing;
    PerAxis jitter;
    std::uint64_t seed = 0;
};

struct PyramidDef {
    int base = 1;
    std::optional<Real> spacing;
};

struct WallDef {
    WallCount count;
    Bond bond = Bond::Running;
    Ends ends = Ends::Flush;
    Real gap = 0;
};

struct StackDef {
    int count = 1;
    Vec3 shift;
    std::optional<Real> spacing;
};

struct PileDef {
    Counts count;
    PerAxis spacing;
    std::optional<Real> first;
    PerAxis jitter;
    Real sizeJitter = 0;
    Real spin = 0;
    bool turn = false;
    std::uint64_t seed = 0;
};

struct PitDef {
    Widths width;
    Real height = 1;
    Real thickness = 1;
    bool mesh = false;
};

struct RandomHullDef {
    int count = 12;
    Real radius = Real(0.5);
    std::uint64_t seed = 0;
};

// A mesh file scored into pieces (sunder/scored_solid.h); file and scale are read apart.
struct ScoredMeshDef {
    Real cell = 0, thickness = 0;
    std::uint32_t pieces = 10;
    std::uint64_t seed = 1;
};

// A solid scored by one of the scene's patterns (sunder/scored_solid.h); the solid is read apart.
struct ScoredSolidShapeDef {
    Real cell = 0;
    SharedPattern pattern{};
    Vec3 center{}, normal{0, 1, 0};
    Real scale = 0, smallest = 0;
    std::uint32_t mostPieces = 1000;
};

// Compounds of many children, to be bonded: a wall whose foot is in the origin, an arch whose feet are at height 0.
struct BrickWallDef {
    WallCount count;
    Vec3 size{Real(0.25), Real(0.1), Real(0.12)};
    Bond bond = Bond::Running;
};

struct ArchDef {
    int stones = 11;
    Real radius = 2;
    Real thickness = Real(0.4);
    Real depth = Real(0.5);
    Real angle = 180;
};

struct RotationDef {
    Vec3 axis{0, 1, 0};
    Real angle = 0;
};

constexpr FieldInfo countInfo(std::string_view name, std::string_view doc) {
    return {.name = name, .low = 1, .high = kMaxBodies, .required = true, .doc = doc};
}
constexpr FieldInfo seedInfo() { return {.name = "seed", .low = 0, .doc = "of the random numbers"}; }
constexpr FieldInfo distanceInfo(std::string_view name, std::string_view doc, bool required = false) {
    return {.name = name, .unit = "m", .low = 0, .high = kMaxSize, .required = required, .doc = doc};
}

template <MaybeConst<RepeatDef> R, class Visit>
void visitFields(R& r, Visit&& visit) {
    visit(countInfo("count", "along x, y, z; a single number: that many in a line"), r.count);
    visit(FieldInfo{.name = "spacing",
                    .unit = "m",
                    .low = -kMaxSize,
                    .high = kMaxSize,
                    .required = true,
                    .doc = "from one to the next along x, y, z; a line takes it as one vector"},
          r.spacing);
    visit(distanceInfo("jitter", "each is moved by up to this along each axis"), r.jitter);
    visit(seedInfo(), r.seed);
}

template <MaybeConst<PyramidDef> P, class Visit>
void visitFields(P& p, Visit&& visit) {
    visit(countInfo("base", "bodies in the lowest row; each row above has one less; rows touch"), p.base);
    visit(distanceInfo("spacing", "between neighbours in a row; the body's width unless given"), p.spacing);
}

template <MaybeConst<WallDef> W, class Visit>
void visitFields(W& w, Visit&& visit) {
    visit(countInfo("count", "bricks in a row (along x), and rows (along y)"), w.count);
    visit(FieldInfo{.name = "bond", .doc = "running: every other row is shifted by half a brick"}, w.bond);
    visit(FieldInfo{.name = "ends", .doc = "flush: shifted rows end in half bricks, where the body is a box"}, w.ends);
    visit(distanceInfo("gap", "between neighbours in a row"), w.gap);
}

template <MaybeConst<StackDef> S, class Visit>
void visitFields(S& s, Visit&& visit) {
    visit(countInfo("count", "bodies, one above the other"), s.count);
    visit(FieldInfo{.name = "shift", .unit = "m", .low = -kMaxSize, .high = kMaxSize, .doc = "of each from the one below"},
          s.shift);
    visit(distanceInfo("spacing", "between centres; unless given they touch"), s.spacing);
}

template <MaybeConst<PileDef> P, class Visit>
void visitFields(P& p, Visit&& visit) {
    visit(countInfo("count", "along x, y, z; a grid centred on x and z"), p.count);
    visit(distanceInfo("spacing", "of the grid", true), p.spacing);
    visit(distanceInfo("first", "height of the lowest layer's centres; half the spacing unless given"), p.first);
    visit(distanceInfo("jitter", "each is moved by up to this along each axis"), p.jitter);
    visit(FieldInfo{.name = "size_jitter",
                    .low = 0,
                    .high = 0.9,
                    .doc = "each size of each body is changed by up to this fraction (boxes: each axis by itself)"},
          p.sizeJitter);
    visit(FieldInfo{.name = "spin",
                    .unit = "rad/s",
                    .low = 0,
                    .high = kMaxSpin,
                    .doc = "each component of the angular velocity is random up to this"},
          p.spin);
    visit(FieldInfo{.name = "turn", .doc = "each body starts in a random orientation"}, p.turn);
    visit(seedInfo(), p.seed);
}

template <MaybeConst<PitDef> P, class Visit>
void visitFields(P& p, Visit&& visit) {
    visit(sizeInfo("width", "inside, along x and z; its floor's top is at the position"), p.width);
    visit(sizeInfo("height", "of the walls above the floor"), p.height);
    visit(FieldInfo{.name = "thickness", .unit = "m", .low = kMinSize, .high = kMaxSize, .doc = "of walls and floor"},
          p.thickness);
    visit(FieldInfo{.name = "mesh", .doc = "one body made of triangles instead of five boxes"}, p.mesh);
}

template <MaybeConst<RandomHullDef> R, class Visit>
void visitFields(R& r, Visit&& visit) {
    visit(FieldInfo{.name = "count", .low = 4, .high = 1000, .required = true, .doc = "points on the sphere"}, r.count);
    visit(sizeInfo("radius", "of the sphere"), r.radius);
    visit(seedInfo(), r.seed);
}

constexpr FieldInfo cellInfo(const char* doc) {
    return {.name = "cell", .unit = "m", .low = 0, .high = kMaxSize, .lowExcluded = true, .required = true, .doc = doc};
}

template <MaybeConst<ScoredMeshDef> S, class Visit>
void visitFields(S& s, Visit&& visit) {
    visit(cellInfo("of the lattice of tetrahedra"), s.cell);
    visit(distanceInfo("thickness", "of the wall of a hollow solid, at least 1.5 cells; 0: solid"), s.thickness);
    visit(FieldInfo{.name = "pieces", .low = 1, .high = 1000, .doc = "into which it is scored"}, s.pieces);
    visit(seedInfo(), s.seed);
}

template <MaybeConst<ScoredSolidShapeDef> S, class Visit>
void visitFields(S& s, Visit&& visit) {
    visit(cellInfo("of the grid on which it is scored"), s.cell);
    visit(FieldInfo{.name = "pattern", .required = true, .doc = "the name of one of the scene's patterns"}, s.pattern);
    visit(FieldInfo{.name = "center",
                    .unit = "m",
                    .low = -kMaxSize,
                    .high = kMaxSize,
                    .doc = "where the pattern's centre lies, in the frame of the shape"},
          s.center);
    visit(FieldInfo{.name = "normal", .doc = "where its +y points; of any length but 0"}, s.normal);
    visit(distanceInfo("pattern_scale", "what the distance 1 of the pattern becomes; 0: the diameter of the shape"), s.scale);
    visit(FieldInfo{.name = "smallest", .unit = "m^3", .low = 0, .doc = "smaller pieces stay with a neighbour"}, s.smallest);
    visit(FieldInfo{.name = "most_pieces", .low = 2, .high = 1000, .doc = "the smallest of more stay with a neighbour"},
          s.mostPieces);
}

template <MaybeConst<BrickWallDef> W, class Visit>
void visitFields(W& w, Visit&& visit) {
    visit(countInfo("count", "bricks in a row (along x), and rows (along y)"), w.count);
    visit(sizeInfo("size", "of a brick along x, y, z"), w.size);
    visit(FieldInfo{.name = "bond", .doc = "running: every other row is shifted by half a brick and ends in half ones"},
          w.bond);
}

template <MaybeConst<ArchDef> A, class Visit>
void visitFields(A& a, Visit&& visit) {
    visit(FieldInfo{.name = "stones", .low = 2, .high = 1000, .doc = "the first is at +x, the keystone in the middle"},
          a.stones);
    visit(sizeInfo("radius", "of its inner side"), a.radius);
    visit(sizeInfo("thickness", "outwards"), a.thickness);
    visit(sizeInfo("depth", "along z"), a.depth);
    visit(FieldInfo{.name = "angle", .unit = "degrees", .low = 10, .high = 350, .doc = "that it spans; 180: a half circle"},
          a.angle);
}

template <MaybeConst<RotationDef> R, class Visit>
void visitFields(R& r, Visit&& visit) {
    visit(FieldInfo{.name = "axis", .required = true, .doc = "of any length but 0"}, r.axis);
    visit(FieldInfo{.name = "angle",
                    .unit = "degrees",
                    .low = -36000,
                    .high = 36000,
                    .required = true,
                    .doc = "counter-clockwise seen against the axis"},
          r.angle);
}

}  // namespace sunder::scene
