// The description of everything that breaks: fracture methods, patterns, bonds, and the energy that a break releases.
// describe.h says what a description is for.
#pragma once

#include <iterator>
#include <span>
#include <string_view>
#include <variant>

#include "sunder/bonds.h"
#include "sunder/definitions.h"
#include "sunder/describe/field_info.h"
#include "sunder/patterns.h"

namespace sunder {

// Names of fracture methods, in the order of FractureMethod.
inline constexpr std::string_view kFractureMethodNames[] = {"prescored", "stress"};
static_assert(std::size(kFractureMethodNames) == std::variant_size_v<FractureMethod>);
inline constexpr EnumName<FracturePlacement> kFracturePlacementNames[] = {{"general", FracturePlacement::General},
                                                                          {"aligned", FracturePlacement::Aligned}};
inline constexpr EnumName<FractureSurface> kFractureSurfaceNames[] = {{"level_set", FractureSurface::LevelSet},
                                                                      {"cut", FractureSurface::Cut}};
constexpr std::span<const EnumName<FractureSurface>> enumNames(FractureSurface) { return kFractureSurfaceNames; }
inline constexpr EnumName<Debris> kDebrisNames[] = {
    {"stay", Debris::Stay}, {"freeze", Debris::Freeze}, {"shrink", Debris::Shrink}, {"remove", Debris::Remove}};
constexpr std::span<const EnumName<FracturePlacement>> enumNames(FracturePlacement) { return kFracturePlacementNames; }
constexpr std::span<const EnumName<Debris>> enumNames(Debris) { return kDebrisNames; }
inline constexpr EnumName<ReleaseForm> kReleaseFormNames[] = {{"pair", ReleaseForm::Pair}, {"paper", ReleaseForm::Paper}};
constexpr std::span<const EnumName<ReleaseForm>> enumNames(ReleaseForm) { return kReleaseFormNames; }

// The method by which a body breaks; a scene file writes its name. The fields of that method are visited after it.
template <MaybeConst<FractureDef> Fracture>
struct MethodChoice {
    Fracture& fracture;
    std::string_view name() const { return kFractureMethodNames[fracture.method.index()]; }
};

// Makes a variant hold a default value of the alternative with this index; false where it has none.
template <class... T>
bool holdAlternative(std::variant<T...>& variant, std::size_t index) {
    std::size_t next = 0;
    return ((next++ == index ? (variant.template emplace<T>(), true) : false) || ...);
}

template <MaybeConst<FractureAnchor> A, class Visit>
void visitFields(A& a, Visit&& visit) {
    visit(FieldInfo{.name = "low", .unit = "m", .low = -kMaxSize, .high = kMaxSize, .required = true, .doc = "body frame"},
          a.low);
    visit(FieldInfo{.name = "high", .unit = "m", .low = -kMaxSize, .high = kMaxSize, .required = true, .doc = "body frame"},
          a.high);
}

template <MaybeConst<Prescored> P, class Visit>
void visitFields(P& p, Visit&& visit) {
    visit(FieldInfo{.name = "pattern", .required = true, .doc = "the name of one of the scene's patterns"}, p.pattern);
    visit(FieldInfo{.name = "placement", .doc = "turned to the normal of the hit, or aligned with the body's grid"},
          p.placement);
    visit(FieldInfo{.name = "size", .low = 0.01, .high = 100, .doc = "of the pattern: above 1, fewer and larger pieces"},
          p.size);
    visit(FieldInfo{.name = "reach",
                    .unit = "m",
                    .low = 0,
                    .high = kMaxSize,
                    .doc = "cracks end at this distance from the hit; 0: they go through the body"},
          p.reach);
    visit(FieldInfo{.name = "piece_size",
                    .unit = "m",
                    .low = 0,
                    .high = kMaxSize,
                    .doc = "how large pieces are, whatever the body's size; 0: the pattern is fitted to the body"},
          p.pieceSize);
    visit(FieldInfo{.name = "alpha",
                    .low = 0,
                    .high = 1e6,
                    .doc = "share of the energy stored by the blow that the pieces get as motion away from it"},
          p.alpha);
}

template <MaybeConst<Stressed> S, class Visit>
void visitFields(S& s, Visit&& visit) {
    visit(FieldInfo{.name = "elements", .low = 50, .high = 200000, .doc = "about how many tetrahedra the body has"},
          s.elements);
    visit(FieldInfo{.name = "rounds",
                    .low = 1,
                    .high = 1000,
                    .doc = "how often the stress is found again after cracks have grown, at most"},
          s.rounds);
    visit(FieldInfo{.name = "most_cracks", .low = 1, .high = 1000, .doc = "most cracks that start in one round"}, s.mostCracks);
    visit(FieldInfo{.name = "grains",
                    .low = 0,
                    .high = 10000,
                    .doc = "random regions along whose boundaries the body is weaker; 0: none"},
          s.grains);
    visit(FieldInfo{.name = "grain_strength",
                    .low = 0.01,
                    .high = 1,
                    .doc = "what boundaries of grains bear, as a share of what the material does"},
          s.grainStrength);
    visit(FieldInfo{.name = "grain_unevenness", .low = 0, .high = 0.9, .doc = "how much the sizes of grains differ"},
          s.grainUnevenness);
    visit(FieldInfo{.name = "seed", .low = 0, .doc = "of the grains"}, s.seed);
    visit(FieldInfo{.name = "pliability",
                    .low = 0,
                    .high = 100,
                    .doc = "share of what a blow loses that dents a material with a yield; 0: no dents"},
          s.pliability);
}

// The method, its own fields, and those that all methods share: keys of one object in a scene file, so no two may have one
// name.
template <MaybeConst<FractureDef> F, class Visit>
void visitFields(F& f, Visit&& visit) {
    visit(FieldInfo{.name = "method", .doc = "how the body breaks"}, MethodChoice<F>{f});
    std::visit([&](auto& method) { visitFields(method, visit); }, f.method);
    visit(FieldInfo{.name = "threshold",
                    .unit = "N s",
                    .low = 0,
                    .high = 1e15,
                    .doc = "a blow beyond this breaks the body; 0: its material's fracture_impulse times volume^(2/3)"},
          f.threshold);
    visit(FieldInfo{.name = "cell",
                    .unit = "m",
                    .low = 0,
                    .high = kMaxSize,
                    .doc = "cell of the grid on which a body that is no level set breaks"},
          f.cell);
    visit(FieldInfo{.name = "resolution",
                    .low = 0,
                    .high = kMaxLevelSetNodes,
                    .doc = "instead of cell: the most nodes of the grid along each axis"},
          f.resolution);
    visit(FieldInfo{.name = "surface",
                    .doc = "what is drawn of pieces: the grid's surface, or the body's own, cut along the cracks"},
          f.surface);
    visit(FieldInfo{.name = "smallest",
                    .unit = "m^3",
                    .low = 0,
                    .doc = "smaller pieces stay with a neighbour; 0: a 200th of the body that was added"},
          f.smallest);
    visit(FieldInfo{.name = "most_pieces", .low = 2, .high = 4096, .doc = "most pieces of one break"}, f.mostPieces);
    visit(FieldInfo{.name = "generations",
                    .low = 1,
                    .high = 100,
                    .doc = "how many times a body, its pieces, their pieces ... may break"},
          f.generations);
    visit(FieldInfo{.name = "size_exponent",
                    .low = 0,
                    .high = 10,
                    .doc = "a piece's threshold is the body's times (its share of the volume)^this"},
          f.sizeExponent);
    visit(FieldInfo{.name = "weakest_hit",
                    .low = 0,
                    .high = 1,
                    .doc = "blows above this share of the threshold add up as damage; 1: none do"},
          f.weakestHit);
    visit(FieldInfo{.name = "anchors", .doc = "boxes of a static body: pieces that contain none of them become dynamic"},
          f.anchors);
    visit(FieldInfo{.name = "debris", .doc = "what happens to small pieces after debris_time"}, f.debris);
    visit(FieldInfo{.name = "debris_volume", .unit = "m^3", .low = 0, .doc = "pieces below this are debris"}, f.debrisVolume);
    visit(FieldInfo{.name = "debris_time", .unit = "s", .low = 0, .high = 1e6, .doc = "after the break"}, f.debrisTime);
}

template <MaybeConst<Bond> B, class Visit>
void visitFields(B& b, Visit&& visit) {
    visit(FieldInfo{.name = "a", .low = 0, .high = 4294967295.0, .required = true, .doc = "a piece: number of the child"}, b.a);
    visit(FieldInfo{.name = "b", .low = 0, .high = 4294967295.0, .required = true, .doc = "the other piece"}, b.b);
    visit(FieldInfo{.name = "point",
                    .unit = "m",
                    .low = -kMaxSize,
                    .high = kMaxSize,
                    .required = true,
                    .doc = "centroid of the shared face, body frame"},
          b.point);
    visit(FieldInfo{.name = "normal", .low = -1e6, .high = 1e6, .required = true, .doc = "of the face, from a to b"}, b.normal);
    visit(FieldInfo{.name = "area", .unit = "m^2", .low = 0, .lowExcluded = true, .required = true, .doc = "of the face"},
          b.area);
    visit(FieldInfo{.name = "second_moments", .unit = "m^4", .low = 0, .doc = "xx, yy, zz of the face; all 0: of a square"},
          b.secondMoments);
    visit(FieldInfo{.name = "second_products", .unit = "m^4", .doc = "xy, xz, yz of the face"}, b.secondProducts);
    visit(FieldInfo{.name = "strength", .low = 0, .high = 1e12, .doc = "factor on the strengths of all bonds"}, b.strength);
}

template <MaybeConst<BondStrength> S, class Visit>
void visitFields(S& s, Visit&& visit) {
    const auto stress = [](std::string_view name, std::string_view doc) {
        return FieldInfo{.name = name, .unit = "Pa", .low = 0, .high = 1e15, .lowExcluded = true, .doc = doc};
    };
    visit(stress("tension", "pull per area that a bond bears"), s.tension);
    visit(stress("shear", "force across it per area, with the stress of its torsion"), s.shear);
    visit(stress("compression", "pressure"), s.compression);
    visit(stress("bending", "stress at the edge of the face"), s.bending);
    visit(FieldInfo{.name = "impact_time",
                    .unit = "s",
                    .low = 0,
                    .high = 1e6,
                    .lowExcluded = true,
                    .doc = "a blow breaks a bond where its impulse exceeds strength times this time"},
          s.impactTime);
}

template <MaybeConst<BondsDef> B, class Visit>
void visitFields(B& b, Visit&& visit) {
    visit(FieldInfo{.name = "list", .doc = "the bonds; none: found where faces of pieces lie on each other"}, b.bonds);
    visit(FieldInfo{.name = "strength", .doc = "what bonds bear"}, b.strength);
    visit(FieldInfo{.name = "young",
                    .unit = "Pa",
                    .low = 0,
                    .high = 1e15,
                    .lowExcluded = true,
                    .doc = "in place of the material's: stiffness, from which loads and stored energies follow"},
          b.young);
    visit(FieldInfo{.name = "poisson", .low = 0, .high = 0.5, .doc = "Poisson's ratio, in place of the material's"}, b.poisson);
    visit(FieldInfo{.name = "alpha", .low = 0, .high = 1e6, .doc = "share of its stored energy that a break releases"},
          b.alpha);
    visit(FieldInfo{.name = "break_interval",
                    .unit = "s",
                    .low = 0,
                    .high = 1e6,
                    .doc = "least time between breaks of one body; each breaks only the most overloaded bond"},
          b.breakInterval);
    visit(FieldInfo{.name = "yield",
                    .low = 0,
                    .high = 1,
                    .lowExcluded = true,
                    .doc = "share of its strength at which a bond flows and stores no more energy; 1: it is brittle"},
          b.yield);
    visit(FieldInfo{.name = "ductility",
                    .unit = "m",
                    .low = 0,
                    .high = kMaxSize,
                    .lowExcluded = true,
                    .doc = "with joined: how far pieces part for good until they bear no more"},
          b.ductility);
    visit(FieldInfo{.name = "anchored",
                    .low = 0,
                    .high = 4294967295.0,
                    .doc = "pieces of a static body that are fixed to the world: numbers of children"},
          b.anchored);
}

template <MaybeConst<RadialPattern> P, class Visit>
void visitFields(P& p, Visit&& visit) {
    visit(FieldInfo{.name = "rays", .low = 3, .high = 64, .doc = "cracks that run out from the centre"}, p.rays);
    visit(FieldInfo{.name = "rings", .low = 1, .high = 32, .doc = "about the normal"}, p.rings);
    visit(FieldInfo{.name = "inner_radius", .low = 0.001, .high = 1, .doc = "of the disc in the middle"}, p.innerRadius);
    visit(FieldInfo{.name = "growth", .low = 1.05, .high = 10, .doc = "radius of each ring over the one within it"}, p.growth);
    visit(FieldInfo{.name = "jitter", .low = 0, .high = 1, .doc = "0: regular"}, p.jitter);
    visit(
        FieldInfo{
            .name = "split_ring", .low = 1, .high = 1048576, .doc = "from this ring outwards each sector is split in two"},
        p.splitRing);
}

template <MaybeConst<VoronoiPattern> P, class Visit>
void visitFields(P& p, Visit&& visit) {
    visit(FieldInfo{.name = "pieces", .low = 1, .high = 2000, .doc = "about so many in a ball of the body's size"}, p.pieces);
    visit(FieldInfo{.name = "evenness", .low = 0, .high = 1, .doc = "0: points are independent; 1: they keep apart"},
          p.evenness);
    visit(FieldInfo{.name = "clustering", .low = 0, .high = 1, .doc = "1: most points near the centre"}, p.clustering);
}

template <MaybeConst<WoodPattern> P, class Visit>
void visitFields(P& p, Visit&& visit) {
    visit(FieldInfo{.name = "pieces", .low = 1, .high = 2000, .doc = "about so many in a ball of the body's size"}, p.pieces);
    visit(FieldInfo{.name = "anisotropy", .low = 1, .high = 100, .doc = "length of a splinter over its width"}, p.anisotropy);
    visit(FieldInfo{.name = "grain", .doc = "direction in the pattern's frame"}, p.grain);
}

template <MaybeConst<SlabPattern> P, class Visit>
void visitFields(P& p, Visit&& visit) {
    visit(FieldInfo{.name = "thickness", .low = 0.01, .high = 4, .doc = "mean, in diameters of the body"}, p.thickness);
    visit(FieldInfo{.name = "axis", .doc = "normal of the plates in the pattern's frame"}, p.axis);
    visit(FieldInfo{.name = "jitter", .low = 0, .high = 1, .doc = "of each plane, in thicknesses"}, p.jitter);
    visit(FieldInfo{.name = "tilt", .low = 0, .high = 0.5, .doc = "of each plane, as a slope"}, p.tilt);
}

template <MaybeConst<BrickPattern> P, class Visit>
void visitFields(P& p, Visit&& visit) {
    visit(FieldInfo{.name = "size", .low = 0.01, .high = 4, .doc = "length x, depth y, height z, in diameters of the body"},
          p.size);
    visit(FieldInfo{.name = "bond", .low = 0, .high = 1, .doc = "shift of every other course, in lengths"}, p.bond);
}

template <MaybeConst<ShellPattern> P, class Visit>
void visitFields(P& p, Visit&& visit) {
    visit(FieldInfo{.name = "thickness", .low = 0.01, .high = 4, .doc = "mean, in diameters of the body"}, p.thickness);
    visit(FieldInfo{.name = "sectors", .low = 1, .high = 64, .doc = "per shell"}, p.sectors);
    visit(FieldInfo{.name = "jitter", .low = 0, .high = 1, .doc = "of the radii, in thicknesses"}, p.jitter);
}

// Fields that all kinds of pattern share.
template <MaybeConst<PatternDef> P, class Visit>
void visitFields(P& p, Visit&& visit) {
    visit(FieldInfo{.name = "seed", .low = 0, .doc = "of the random layout"}, p.seed);
    visit(FieldInfo{.name = "nodes", .low = 9, .high = 513, .doc = "per axis of the cube it is sampled on"}, p.nodes);
    visit(FieldInfo{.name = "roughness", .low = 0, .high = 1, .doc = "how far noise moves its faces"}, p.roughness.amplitude);
    visit(FieldInfo{.name = "roughness_wavelength", .low = 0.001, .high = 4, .doc = "of the largest bumps"},
          p.roughness.wavelength);
    visit(FieldInfo{.name = "roughness_octaves", .low = 1, .high = 6, .doc = "each of half the size of the one before"},
          p.roughness.octaves);
}

template <MaybeConst<ReleaseOptions> R, class Visit>
void visitFields(R& r, Visit&& visit) {
    visit(FieldInfo{.name = "form", .doc = "pair: momentum is conserved; paper: each body is pushed outward by itself"},
          r.form);
    visit(FieldInfo{.name = "outward", .low = 0, .high = 1, .doc = "share of the energy at right angles to the force"},
          r.outward);
    visit(FieldInfo{.name = "free", .low = 0, .high = 1, .doc = "share in directions that joints which still hold leave free"},
          r.free);
    visit(FieldInfo{.name = "time", .unit = "s", .low = 0, .high = 60, .doc = "over which energy is released; 0: at once"},
          r.time);
    visit(FieldInfo{.name = "seed", .low = 0, .doc = "of the random directions"}, r.seed);
}

}  // namespace sunder
