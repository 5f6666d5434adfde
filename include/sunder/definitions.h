// Everything a user can set, with defaults. Scene files and --set use the same field names; describe.h lists units and ranges,
// and validate() checks them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "sunder/bonds.h"
#include "sunder/mechanisms.h"
#include "sunder/patterns.h"
#include "sunder/shapes.h"
#include "sunder/types.h"

namespace sunder {

// Bad input to the library: names the field, the value and the allowed range.
class Error : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

enum class Motion : std::uint8_t { Static, Kinematic, Dynamic };

struct Material {
    Real density = 1000;        // kg/m^3, > 0
    Real friction = Real(0.5);  // Coulomb coefficient, >= 0; a contact uses sqrt(a b)
    Real restitution = 0;       // 0 to 1; a contact uses max(a, b)
    // m, >= 0: torque per newton of load, against rolling and against spinning about the normal. A contact uses sqrt(a b); of
    // two bodies of which one has none set, the other's; where neither has, a hundredth of the radius of a ball, capsule or
    // cylinder, so that round things come to rest, and 0 of other shapes. 0 rolls for ever.
    std::optional<Real> rollingFriction{}, spinningFriction{};
    // N s/m^2, >= 0: bodies without a threshold of their own break at a blow of this times volume^(2/3); 0: they do not
    Real fractureImpulse = 0;
    // What the solid itself bears. Bonded bodies take their stiffness from the first two; the fracture method Stressed uses all
    // five, deformable bodies too, `toughness` where they have paysToughness.
    Real young = Real(1e9);      // Pa, > 0: Young's modulus
    Real poisson = Real(0.2);    // above -1, up to 0.5: Poisson's ratio
    Real strength = Real(3e6);   // Pa, >= 0: tensile stress at which it cracks
    Real toughness = Real(100);  // J/m^2, >= 0: energy that a unit area of crack takes
    Real yield = 0;              // Pa, >= 0: stress at which it flows; 0: never
};

// One key of a kinematic body's path.
struct Keyframe {
    Real time = 0;  // s since the start of the world's time
    Vec3 position{};
    Quat orientation{};
};

// Bits of BodyDef::lockedAxes: world axes along which (kLockX ..) or about which (kLockRx ..) a body may not move.
enum LockedAxis : std::uint8_t { kLockX = 1, kLockY = 2, kLockZ = 4, kLockRx = 8, kLockRy = 16, kLockRz = 32 };

// General: the pattern is turned to the normal of the hit. Aligned: it is turned to the nearest axis of the body's grid and
// moved to the nearest node; faster, and off by up to half a cell.
enum class FracturePlacement : std::uint8_t { General, Aligned };
// How pieces are drawn. LevelSet: the surface of their grid, rounded by about a cell. Cut: the body's own surface, cut along
// the cracks; sharp however coarse the grid is. [Su09] 4.4
enum class FractureSurface : std::uint8_t { LevelSet, Cut };
// What happens to small pieces after debrisTime. Stay: nothing. Freeze: they become static. Shrink: they are drawn smaller and
// smaller for half a second (drawnScale), then removed. Remove: they are removed.
enum class Debris : std::uint8_t { Stay, Freeze, Shrink, Remove };

// A box in the body's frame that is fixed to the world.
struct FractureAnchor {
    Vec3 low{}, high{};
};

// A fracture method: a pattern of cracks that exists before the body is hit is placed at the hit and cuts it. [Su09] 4
struct Prescored {
    SharedPattern pattern{};
    FracturePlacement placement = FracturePlacement::General;
    Real size = 1;   // 0.01 to 100: size of the pattern; above 1, fewer and larger pieces
    Real reach = 0;  // m, >= 0: cracks end at this distance from the hit; 0: they go through the body
    // m, >= 0: how large pieces are, however large the body is, in place of `size`; 0: the pattern is fitted to the body. Where
    // the pattern does not cover the body, cracks end where it does: a pattern of many pieces reaches farther.
    Real pieceSize = 0;
    // >= 0: share of the energy that the blow stored in the body, which its pieces get as motion away from the hit; what has
    // struck it pays for that as long as it is at most 1, above 1 it adds energy [Li18] 5
    Real alpha = 0;
};

// A fracture method: the body is an elastic solid of its material, loads stress it, and it cracks where the stress exceeds what
// the material bears. Blows and resting loads count alike; FractureDef::threshold does not. [Bao07]
struct Stressed {
    int elements = 6000;               // 50 to 200000: about how many tetrahedra the body has; its pieces their share of them
    int rounds = 32;                   // 1 to 1000: how often the stress is found again after cracks have grown, at most
    int mostCracks = 16;               // 1 to 1000: most cracks that start in one round
    int grains = 0;                    // 0 to 10000: random regions along whose boundaries it is weaker; 0: none
    Real grainStrength = Real(0.5);    // 0.01 to 1: what boundaries of grains bear, as a share of what the material does
    Real grainUnevenness = Real(0.3);  // 0 to 0.9: how much the sizes of grains differ
    std::uint64_t seed = 1;            // of the grains
    // 0 to 100: share of what a blow loses that dents the body, where the material's yield is above 0 and exceeded; 0: no dents
    Real pliability = 1;
};

// The ways in which a body can break. How to add one: docs/adding-a-fracture-method.md.
using FractureMethod = std::variant<Prescored, Stressed>;

// When a body breaks, how, and what becomes of its pieces (docs/fracture.md). Pieces are bodies like any other and may break
// again.
struct FractureDef {
    FractureMethod method{};  // "method" in scene files, whose fields stand beside those below
    // N s: a blow above this breaks the body; 0: its material's fractureImpulse times volume^(2/3). A blow is the impulse of a
    // contact in one step beyond the load that the contact carried before.
    Real threshold = 0;
    Real cell = 0;  // m, >= 0: cell of the grid on which a body that is no level set breaks
    // Most nodes along each axis, in place of cell; with neither, 38 along the longest side, or more where the body is thin.
    std::array<std::uint32_t, 3> resolution{};
    FractureSurface surface = FractureSurface::LevelSet;
    // m^3, >= 0: smaller pieces stay with a neighbour; 0: a 200th of the body that was added, so that it never becomes more
    // than 200 pieces, however often they break
    Real smallest = 0;
    int mostPieces = 64;                    // 2 to 4096: most pieces of one break
    int generations = 1;                    // 1 to 100: how many times a body, its pieces, their pieces ... may break
    Real sizeExponent = Real(2) / 3;        // a piece's threshold is the body's times (its share of the volume)^sizeExponent
    Real weakestHit = 1;                    // 0 to 1: blows above this share of the threshold add up as damage; 1: none do
    std::vector<FractureAnchor> anchors{};  // for static bodies: pieces that contain no anchor become dynamic
    Debris debris = Debris::Stay;
    Real debrisVolume = 0;  // m^3: pieces below this are debris
    Real debrisTime = 5;    // s from the break until `debris` applies
};

// Nodes of a deformable body, in a box of its frame, that hold on to another body.
struct DeformableHold {
    std::string body{};  // its name; it was added before
    Vec3 low{}, high{};  // m, frame of the deformable body
};

// What a deformable body is drawn as where it tears: slivers along x, or bricks in courses along y. [Parker09] 5
enum class Splinters : std::uint8_t { None, Wood, Brick };

// How contacts of a deformable body act. Springs: they let nothing pass, and what rests on them stays. Damping: they only slow
// down what closes in, by the volume that overlaps. Mortar: springs of a given stiffness on overlap volumes. The last two are
// there to compare with. [Parker09] 6
enum class FleshResponse : std::uint8_t { Springs, Damping, Mortar };

// How strain beyond the yield becomes permanent. Additive: a plastic strain is taken off the elastic one; it is right where it
// is small. Multiplicative: the rest shape itself changes and keeps its volume, however far it flows. [Parker09] 3
enum class FleshPlasticity : std::uint8_t { Additive, Multiplicative };

// What holds a contact that does not slip. Dampers: in the system, far stiffer than what they hold; under a load they creep.
// Pid: with the way that the contact has slipped since it stuck, which it takes back. [Parker09] 6
enum class FleshStiction : std::uint8_t { Dampers, Pid };

// A body whose shape is filled with tetrahedra that deform (docs/deformable.md). Its material's density, young, poisson and
// yield say how. Contacts with anything else are solved in one system with the deformation. Where it tears, it does so along
// the faces of its tetrahedra, at nodes whose tension exceeds its material's strength. [Parker09]
struct DeformableDef {
    Real cell = 0;                         // m, >= 0: size of the cells that are filled; 0: a sixth of the shape's longest side
    Real stiffnessDamping = Real(0.005);   // s, >= 0: Rayleigh's share of the stiffness; larger is duller
    Real massDamping = 0;                  // 1/s, >= 0: Rayleigh's share of the mass; of the deformation, not of rigid motion
    Real creepRate = 20;                   // 1/s, >= 0: how fast strain beyond the yield becomes permanent
    Real largestPlastic = Real(0.5);       // 0 to 10: permanent strain at which flow ends
    std::vector<FractureAnchor> pinned{};  // nodes in these boxes stay where they are in the world
    std::vector<DeformableHold> attached{};  // nodes that are held by other bodies, as rigid as these are
    bool selfCollision = false;              // whether its surface touches itself
    Real strainSmoothing = 0;  // 0 to 1: share of the energy that is that of strains averaged at nodes; for bending
    bool tears = false;        // at a tension beyond the material's strength
    Real tearInterval = 0;     // s, >= 0: how often it is looked whether it tears; 0: in every step and substep
    int mostTears = 96;        // 1 to 10000: most nodes that open at a time
    int tearRounds = 2;        // 0 to 100: how often a step is taken back and made again with what tore in it
    int smallestPiece = 3;     // 1 to 1000000: tetrahedra; what would come off in smaller pieces does not
    int rigidPieces = 0;       // 0 to 1000000: tetrahedra; torn pieces of no more than this move without deforming
    Real strikeRate = 480;     // Hz, >= 0: steps in which something strikes a body that tears are divided; 0: never
    // 0 to 1: share of what an opening node bears beyond the strength that its neighbours along the crack bear in its place at
    // once, so that a crack runs on without another solve.
    Real residualPropagation = 0;
    Real dust = 0;  // 1/m^2, >= 0: grains of dust that fly from new faces; drawn only
    FleshResponse contactResponse = FleshResponse::Springs;
    Splinters splinters = Splinters::None;
    Vec3 splinterSize{Real(0.2), Real(0.04), Real(0.04)};  // m, > 0: of a mean splinter, body axes
    std::uint64_t splinterSeed = 1;
    // Tetrahedra of your own in place of those that fill the shape: nodes in the body's frame, m, and four of them, a, b, c and
    // d, for each, with (b - a) x (c - a) . (d - a) above 0. They hang together.
    std::vector<Vec3> nodes{};
    std::vector<std::array<std::uint32_t, 4>> tets{};
    // Whether a node opens only where the stress also frees as much energy as the crack takes by the material's toughness.
    bool paysToughness = false;
    FleshPlasticity plasticity = FleshPlasticity::Additive;
    FleshStiction staticFriction = FleshStiction::Dampers;
};

struct BodyDef {
    std::string name{};  // shown in traces and messages; need not be unique in the API
    Shape shape = Box{};
    Motion motion = Motion::Dynamic;
    Vec3 position{};         // m, of the body's frame (not of its centre of mass)
    Quat orientation{};      // unit quaternion; normalised on entry
    Vec3 velocity{};         // m/s, of the centre of mass
    Vec3 angularVelocity{};  // rad/s, world axes
    Material material{};
    std::optional<Real> mass{};        // kg, > 0; overrides density
    std::optional<Vec3> inertia{};     // kg m^2, principal moments about the centre, body axes; overrides the shape's
    Real linearDamping = 0;            // 1/s, >= 0: dv/dt = -c v
    Real angularDamping = 0;           // 1/s, >= 0
    Real gravityFactor = 1;            // multiplies the world's gravity
    std::uint8_t lockedAxes = 0;       // LockedAxis bits
    Vec3 surfaceVelocity{};            // m/s in body axes: the surface moves as a conveyor belt's does
    std::uint32_t layer = 1;           // bits: the layers that this body is in
    std::uint32_t mask = 0xffffffffu;  // bits: the layers that it collides with; both bodies must agree
    bool sensor = false;               // reports contacts; neither feels nor exerts impulses
    bool allowSleep = true;            // false: the body stays awake, and so does everything it touches
    Real sleepFactor = 1;              // > 0: multiplies the world's sleepSpeed; above 1 it falls asleep more readily
    // Overlap with others at the time it is added is tolerated, not pushed apart, until they have separated.
    bool tolerateOverlap = false;
    std::uint64_t userData = 0;
    std::vector<Keyframe> keyframes{};  // kinematic bodies: the path; times strictly rising
    std::optional<FractureDef> fracture{};
    std::optional<BondsDef> bonds{};            // of a compound: its children are pieces that are bonded to each other
    std::optional<DeformableDef> deformable{};  // dynamic bodies only
};

enum class Stepper : std::uint8_t {
    FrameRate,      // soft substeps on one set of manifolds per step; the default
    Impulse,        // GBF03 in SSF08's order with Su09's fixes: the papers' reference
    Damped,         // Egan03's damped integration: few passes, then whatever chatters is damped until it rests
    Timewarp,       // Egan03's modified timewarp: collisions one by one, in the order of time
    TimewarpSafer,  // the same, and before each collision its neighbours are tested for one that was missed
};

// Options of Stepper::FrameRate, the default.
struct FrameRateOptions {
    Real substepRate = 780;         // Hz, > 0: each step has ceil(dt * substepRate) solver substeps
    Real recoveryRate = Real(2.5);  // 1/s: an overlap is repaired at this rate times its depth; larger is stiffer
    Real recoverySpeed = 3;         // m/s: fastest repair of an overlap
    Real massRatio = 20;      // light bodies that carry ones this many times heavier are solved together as a block; 0: never
    Real liftRate = 0;        // 1/s: as in DampedOptions; 0: contact alone repairs overlaps
    bool energyGuard = true;  // limits the energy of every island to what it had plus the work done on it
    Mechanisms without{};     // switched off, for measuring; none by default
};

// How bodies turn in a step of Stepper::Impulse. Split: exact turns, in as many parts as their error asks for. OneStep: one
// step of the explicit midpoint rule, which keeps the angular momentum and, without energyFix, not the energy [SSF08].
enum class RotationStep : std::uint8_t { Split, OneStep };

// Options of Stepper::Impulse, the names of [GBF03].
struct ImpulseOptions {
    int collisionPasses = 5;
    int contactPasses = 10;
    int shockPasses = 1;      // upward sweeps with finished levels infinitely heavy
    Real liftRate = 0;        // 1/s: as in DampedOptions; 0: contact alone repairs overlaps
    bool energyGuard = true;  // as in FrameRateOptions; the papers have none
    RotationStep rotation = RotationStep::Split;
};

// Options of Stepper::Damped [Egan03] 5.2 to 5.4 (docs/steppers.md). The thesis' k and epsilon constants, whose values it does
// not print, are rates, angles and shares here: none depends on the size or mass of a body or on the length of a step.
struct DampedOptions {
    int collisionPasses = 5;
    int contactPasses = 10;
    Real contactDamping = Real(0.2);  // 1/s, k1: a body that rests on another loses its speed over that at this rate
    Real spinDamping = Real(0.5);     // 1/s, k2: the same of its spin
    Real chatterSpeed = Real(0.01);   // e3, e5, e7: share of sqrt(g r), r the body's radius; what is slower chatters
    Real chatterDamping = 10;         // 1/s, k3, k5, k7: damping of speed and spin of what chatters
    Real restShare = Real(0.02);      // e5, e8 to e11: share of the speed that gravity gives in a step; what is slower rests
    Real alignAngleDegrees = 1;       // e4: a face that lies on another within this angle is turned flat on it
    Real alignRate = 5;               // 1/s: share of that angle that is closed per second
    Real liftRate = 10;               // 1/s: share of an overlap that lifting closes per second; 0: bodies are not lifted
    bool stability = true;            // geometrically stable bodies count as immovable in the analytic stage
    // [Egan03] 3.3.1: contact forces by Baraff's pivoting method in place of passes, for groups of bodies with at most
    // analyticPoints contact points; larger groups, and those for which it fails, are solved by passes.
    bool analytic = false;
    int analyticPoints = 64;
    bool energyGuard = true;  // as in FrameRateOptions; the thesis has none
};

// Options of Stepper::Timewarp and Stepper::TimewarpSafer [Egan03] 5.1, A.1 (docs/steppers.md).
struct TimewarpOptions {
    // Collisions are found along the ways of bodies through the step. false: only between bodies that overlap at its end, as in
    // the thesis; a body that is fast enough then passes another.
    bool swept = true;
    int eventsPerBody = 32;  // >= 1: most collisions of a step, per moving body; the rest is left to contact
    int contactPasses = 10;
    int shockPasses = 1;  // as in ImpulseOptions
    Real liftRate = 10;   // 1/s, as in DampedOptions
    bool analytic = false;
    int analyticPoints = 64;  // both as in DampedOptions
    bool energyGuard = true;  // as in FrameRateOptions; the thesis has none
};

// How the energy of a broken joint or bond goes back into its bodies [Li18] 3.6 (docs/energised-fracture.md).
enum class ReleaseForm : std::uint8_t {
    Pair,   // equal and opposite impulses at one point: momentum is conserved
    Paper,  // each body is pushed outward by itself: momentum is not conserved
};
struct ReleaseOptions {
    ReleaseForm form = ReleaseForm::Pair;
    // 0 to 1: share of the energy that is released at right angles to the force; the rest along it. Where the torque leaves
    // that direction open it is random.
    Real outward = 0;
    // 0 to 1: share that is released in the directions that the joints which still hold leave free (the null space of their
    // constraints), so that they do not take it up again. With `outward` at most 1; the rest goes along the force. [Li18] 5
    Real free = 0;
    Real time = 0;           // s, >= 0: the energy is released in equal portions over the steps of this time; 0: at once
    std::uint64_t seed = 1;  // of the random directions
};

// Visual plausibility [Egan03] 4.2, of any stepper: the normal of a collision between rigid bodies that is faster than `speed`
// is tilted at random. Impulses stay equal and opposite, and no energy comes of it. Slower collisions and resting contact are
// untouched.
struct ScatterOptions {
    Real speed = 0;          // m/s, not below WorldDef::restitutionThreshold; 0: no collision is tilted
    Real degrees = 5;        // 0 to 30: the largest tilt
    std::uint64_t seed = 1;  // of the random tilts
};

struct WorldDef {
    Vec3 gravity{0, Real(-9.81), 0};  // m/s^2
    Stepper stepper = Stepper::FrameRate;
    FrameRateOptions frameRate{};
    ImpulseOptions impulse{};
    DampedOptions damped{};
    TimewarpOptions timewarp{};
    bool energyFix = true;                  // [Su09] 2: rotation keeps its kinetic energy
    bool impulseClamp = true;               // [Su09] 3.2: no contact impulse may add kinetic energy
    Real restitutionThreshold = Real(0.5);  // m/s: slower impacts do not bounce (sticky collisions [Egan03] 4.3)
    bool sleeping = true;                   // bodies at rest are put to sleep (not by Stepper::Impulse)
    Real sleepTime = Real(0.5);             // s, > 0: an island sleeps once all its bodies have rested this long
    Real sleepSpeed = Real(1e-3);           // m/s, > 0: a body rests while no point of it moves on faster than this
    int mostPiecesPerStep = 4096;           // breaks that would exceed this wait for the next step
    int mostPieces = 65536;                 // in the world at a time; breaks that would exceed this wait
    // Pieces below their FractureDef::debrisVolume at a time: a step that begins with more removes the oldest. 0: no limit
    int mostDebris = 0;
    // s: about how long the breaks of a step may take on one core. Further ones wait for the next step, in order, and none
    // lapses. It counts work (nodes, pieces, elements) and not time, so that a replay breaks alike. 0: no limit
    Real breakingBudget = 0;
    // How often a step, or each of the parts into which breaking bonds divide it, may be solved again without the joints and
    // bonds that broke in it. Those that break in the last attempt are gone from the next step on.
    int rewinds = 8;
    ReleaseOptions release{};
    ScatterOptions scatter{};
    bool persistEvents = true;  // false: contact events only for contacts that begin or end
    int threads = 1;            // >= 1; results do not depend on it
};

// Each returns an empty vector for a valid definition, else one message per bad field: "friction: -1 is not allowed (0 to
// inf)".
std::vector<std::string> validate(const Material& material);
std::vector<std::string> validate(const Shape& shape);
std::vector<std::string> validate(const BodyDef& def);
std::vector<std::string> validate(const WorldDef& def);

}  // namespace sunder
