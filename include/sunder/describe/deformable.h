// The description of deformable solids.
#pragma once

#include "sunder/definitions.h"
#include "sunder/describe/field_info.h"
#include "sunder/describe/fracture.h"

namespace sunder {

inline constexpr EnumName<Splinters> kSplintersNames[] = {
    {"none", Splinters::None}, {"wood", Splinters::Wood}, {"brick", Splinters::Brick}};
constexpr std::span<const EnumName<Splinters>> enumNames(Splinters) { return kSplintersNames; }

inline constexpr EnumName<FleshResponse> kFleshResponseNames[] = {
    {"springs", FleshResponse::Springs}, {"damping", FleshResponse::Damping}, {"mortar", FleshResponse::Mortar}};
constexpr std::span<const EnumName<FleshResponse>> enumNames(FleshResponse) { return kFleshResponseNames; }

inline constexpr EnumName<FleshPlasticity> kFleshPlasticityNames[] = {{"additive", FleshPlasticity::Additive},
                                                                      {"multiplicative", FleshPlasticity::Multiplicative}};
constexpr std::span<const EnumName<FleshPlasticity>> enumNames(FleshPlasticity) { return kFleshPlasticityNames; }

inline constexpr EnumName<FleshStiction> kFleshStictionNames[] = {{"dampers", FleshStiction::Dampers},
                                                                  {"pid", FleshStiction::Pid}};
constexpr std::span<const EnumName<FleshStiction>> enumNames(FleshStiction) { return kFleshStictionNames; }

template <MaybeConst<DeformableHold> H, class Visit>
void visitFields(H& h, Visit&& visit) {
    visit(FieldInfo{.name = "body", .required = true, .doc = "name of a body that was added before"}, h.body);
    visit(FieldInfo{.name = "low", .unit = "m", .low = -kMaxSize, .high = kMaxSize, .required = true, .doc = "body frame"},
          h.low);
    visit(FieldInfo{.name = "high", .unit = "m", .low = -kMaxSize, .high = kMaxSize, .required = true, .doc = "body frame"},
          h.high);
}

namespace detail {
template <MaybeConst<DeformableDef> D, class Visit>
void visitTearing(D& d, Visit&& visit) {
    visit(FieldInfo{.name = "tears", .doc = "whether it tears at a tension beyond its material's strength"}, d.tears);
    visit(FieldInfo{.name = "tear_interval",
                    .unit = "s",
                    .low = 0,
                    .high = 1e3,
                    .doc = "how often it is looked whether it tears; 0: in every step and substep"},
          d.tearInterval);
    visit(FieldInfo{.name = "most_tears", .low = 1, .high = 10000, .doc = "most nodes that open at a time"}, d.mostTears);
    visit(FieldInfo{.name = "tear_rounds",
                    .low = 0,
                    .high = 100,
                    .doc = "how often a step is taken back and made again with what tore in it"},
          d.tearRounds);
    visit(FieldInfo{.name = "smallest_piece",
                    .low = 1,
                    .high = 1000000,
                    .doc = "tetrahedra: what would come off in smaller pieces does not"},
          d.smallestPiece);
    visit(FieldInfo{.name = "rigid_pieces",
                    .low = 0,
                    .high = 1000000,
                    .doc = "tetrahedra: torn pieces of no more than this move without deforming, and tear no further; 0: none"},
          d.rigidPieces);
    visit(FieldInfo{.name = "strike_rate",
                    .unit = "Hz",
                    .low = 0,
                    .high = 1e5,
                    .doc = "steps in which something strikes a body that tears are divided into steps of this rate; 0: never"},
          d.strikeRate);
    visit(FieldInfo{.name = "residual_propagation",
                    .low = 0,
                    .high = 1,
                    .doc = "share of what an opening node bears beyond the strength that goes on to its neighbours at once"},
          d.residualPropagation);
    visit(FieldInfo{.name = "dust",
                    .unit = "1/m^2",
                    .low = 0,
                    .high = 1e6,
                    .doc = "grains of dust that fly from new faces, by their area; drawn only"},
          d.dust);
    visit(FieldInfo{.name = "splinters", .doc = "what it is drawn as: its tetrahedra, splinters of wood, or bricks"},
          d.splinters);
    visit(FieldInfo{.name = "splinter_size",
                    .unit = "m",
                    .low = 1e-3,
                    .high = kMaxSize,
                    .doc = "of a mean splinter or a brick, body axes"},
          d.splinterSize);
    visit(FieldInfo{.name = "splinter_seed", .doc = "of their random sizes"}, d.splinterSeed);
    visit(FieldInfo{.name = "pays_toughness",
                    .doc = "whether a node opens only where the stress frees as much energy as the material's toughness takes"},
          d.paysToughness);
}
}  // namespace detail

template <MaybeConst<DeformableDef> D, class Visit>
void visitFields(D& d, Visit&& visit) {
    visit(FieldInfo{.name = "cell",
                    .unit = "m",
                    .low = 0,
                    .high = kMaxSize,
                    .doc = "size of the cells that are filled with tetrahedra; 0: a sixth of the longest side"},
          d.cell);
    visit(FieldInfo{.name = "nodes",
                    .unit = "m",
                    .low = -kMaxSize,
                    .high = kMaxSize,
                    .doc = "of tetrahedra that are given, body frame"},
          d.nodes);
    visit(FieldInfo{.name = "tets", .low = 0, .doc = "four nodes each, in place of tetrahedra that fill the shape"}, d.tets);
    visit(
        FieldInfo{.name = "stiffness_damping", .unit = "s", .low = 0, .high = 1e3, .doc = "Rayleigh's share of the stiffness"},
        d.stiffnessDamping);
    visit(FieldInfo{.name = "mass_damping",
                    .unit = "1/s",
                    .low = 0,
                    .high = 1e6,
                    .doc = "Rayleigh's share of the mass; acts on the deformation, not on rigid motion"},
          d.massDamping);
    visit(FieldInfo{.name = "creep_rate",
                    .unit = "1/s",
                    .low = 0,
                    .high = 1e6,
                    .doc = "how fast strain beyond the material's yield becomes permanent"},
          d.creepRate);
    visit(FieldInfo{.name = "largest_plastic", .low = 0, .high = 10, .doc = "permanent strain at which flow ends"},
          d.largestPlastic);
    visit(FieldInfo{.name = "plasticity",
                    .doc = "how strain becomes permanent: added to the elastic one, or as a change of the rest shape that "
                           "keeps its volume"},
          d.plasticity);
    visit(FieldInfo{.name = "pinned", .doc = "boxes: nodes inside of them stay where they are in the world"}, d.pinned);
    visit(FieldInfo{.name = "attached", .doc = "boxes: nodes inside of them are held by another body"}, d.attached);
    visit(FieldInfo{.name = "self_collision", .doc = "whether its surface touches itself"}, d.selfCollision);
    visit(FieldInfo{.name = "contact_response",
                    .doc = "how its contacts act: springs that let nothing pass, damping or a penalty on overlap volumes"},
          d.contactResponse);
    visit(
        FieldInfo{.name = "static_friction",
                  .doc = "what holds contacts that stick: stiff dampers, or a PID controller that takes back what they creep"},
        d.staticFriction);
    visit(FieldInfo{.name = "strain_smoothing",
                    .low = 0,
                    .high = 1,
                    .doc = "share of its energy that is that of strains averaged at nodes; against locking in bending"},
          d.strainSmoothing);
    detail::visitTearing(d, visit);
}

}  // namespace sunder
