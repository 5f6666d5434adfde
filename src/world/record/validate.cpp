// Checks definitions against describe.h, and what a range cannot say: unit quaternions, paths, meshes that would move.
#include <algorithm>

#include "collision/built_shape.h"
#include "core/union_find.h"
#include "world/record/bonded.h"
#include "world/record/deformable_body.h"
#include "world/record/field_checker.h"

namespace sunder {

using world::FieldChecker;
using world::Messages;

namespace {

bool isMesh(const Shape& shape) {
    if (const SharedShape* shared = std::get_if<SharedShape>(&shape))
        return *shared && (*shared)->type == ShapeType::Mesh;
    return std::holds_alternative<Mesh>(shape) || std::holds_alternative<HeightField>(shape);
}

void checkFracture(const BodyDef& def, Messages& messages) {
    if (isMesh(def.shape))
        messages.push_back("fracture: a mesh cannot break (use a level_set of it)");
    if (def.sensor)
        messages.push_back("fracture: a sensor feels no impulses and cannot break");
    const bool isStressed = std::holds_alternative<Stressed>(def.fracture->method);
    if (isStressed && !(def.material.strength > 0))
        messages.push_back("material.strength: " + numberText(def.material.strength) +
                           " is not allowed (above 0, for a body that cracks by stress)");
    if (isStressed && !(def.material.poisson < Real(0.5)))
        messages.push_back("material.poisson: " + numberText(def.material.poisson) +
                           " is not allowed (below 0.5, for a body that cracks by stress)");
    if (!isStressed && def.fracture->threshold == 0 && def.material.fractureImpulse == 0)
        messages.push_back("fracture.threshold: 0 is not allowed (above 0, or the material needs a fracture_impulse)");
    if (const Prescored* method = std::get_if<Prescored>(&def.fracture->method);
        method && method->pieceSize > 0 && method->size != 1)
        messages.push_back("fracture.size: " + numberText(method->size) + " is not allowed (1, beside a piece_size)");
    if (const Real cell = def.fracture->cell; cell > 0 && cell < Real(kMinSize))
        messages.push_back("fracture.cell: " + numberText(cell) + " is not allowed (" + numberText(kMinSize) +
                           " m and more, or 0: 36 cells along the longest side)");
    if (!def.fracture->anchors.empty() && def.motion != Motion::Static)
        messages.push_back("fracture.anchors: only a static body can be anchored");
}

std::string bondPath(std::size_t i, const char* field) { return "bonds.list[" + std::to_string(i) + "]." + field + ": "; }

// Whether bonds connect all pieces with each other.
void checkConnected(std::size_t pieces, const std::vector<Bond>& bonds, Messages& messages) {
    UnionFind joined(pieces);
    for (const Bond& bond : bonds)
        joined.join(bond.a, bond.b);
    for (std::uint32_t i = 0; i < pieces; ++i)
        if (joined.root(i) != 0) {
            messages.push_back("bonds.list: no bonds join piece " + std::to_string(i) +
                               " to piece 0 (every piece must hang on)");
            return;
        }
}

void checkBondPieces(const BodyDef& def, const Compound& compound, Messages& messages) {
    const std::size_t pieces = compound.children.size();
    const std::string allowed = "0 to " + std::to_string(pieces - 1);
    const std::vector<Bond>& bonds = def.bonds->bonds;
    const std::size_t before = messages.size();
    for (std::size_t i = 0; i < bonds.size(); ++i) {
        if (bonds[i].a >= pieces)
            messages.push_back(bondPath(i, "a") + std::to_string(bonds[i].a) + " is not allowed (" + allowed + ")");
        if (bonds[i].b >= pieces)
            messages.push_back(bondPath(i, "b") + std::to_string(bonds[i].b) + " is not allowed (" + allowed + ")");
        if (bonds[i].a == bonds[i].b)
            messages.push_back(bondPath(i, "b") + "is the same piece as a (a bond needs two)");
        if (bonds[i].normal == Vec3{})
            messages.push_back(bondPath(i, "normal") + "[0, 0, 0] is not allowed (any other direction)");
    }
    for (std::size_t i = 0; i < def.bonds->anchored.size(); ++i)
        if (def.bonds->anchored[i] >= pieces)
            messages.push_back("bonds.anchored[" + std::to_string(i) + "]: " + std::to_string(def.bonds->anchored[i]) +
                               " is not allowed (" + allowed + ")");
    if (messages.size() == before)
        checkConnected(pieces, bonds.empty() ? findBonds(compound) : bonds, messages);
}

void checkBonds(const BodyDef& def, Messages& messages) {
    const Compound* compound = world::compoundOf(def.shape);
    const BondsDef& bonds = *def.bonds;
    if (!compound)
        messages.push_back("bonds: only a compound has pieces that can be bonded");
    if (def.motion == Motion::Kinematic)
        messages.push_back("bonds: a kinematic body cannot break (dynamic, or static with anchored pieces)");
    if (def.sensor)
        messages.push_back("bonds: a sensor feels no impulses and cannot break");
    if (def.fracture)
        messages.push_back("bonds: a body has either bonds or a fracture");
    if (bonds.anchored.empty() && def.motion == Motion::Static)
        messages.push_back("bonds.anchored: a static body needs pieces that are fixed to the world");
    if (!bonds.anchored.empty() && def.motion != Motion::Static)
        messages.push_back("bonds.anchored: only a static body can be anchored");
    if (compound && messages.empty())
        checkBondPieces(def, *compound, messages);
}

void checkDeformable(const BodyDef& def, Messages& messages) {
    if (def.motion != Motion::Dynamic)
        messages.push_back("deformable: only a dynamic body deforms");
    if (isMesh(def.shape))
        messages.push_back("deformable: a mesh is a surface and has no inside to fill (use a hull or a level_set of it)");
    if (world::compoundOf(def.shape))
        messages.push_back("deformable: a compound cannot deform (use a level_set of its parts)");
    if (def.fracture || def.bonds)
        messages.push_back("deformable: a body either deforms or has a fracture or bonds");
    if (def.sensor)
        messages.push_back("deformable: a sensor feels no impulses and cannot deform");
    if (def.lockedAxes != 0)
        messages.push_back("deformable: locked_axes are for rigid bodies (use pinned)");
    for (const std::string& complaint : world::complaintsAbout(def.material, *def.deformable))
        messages.push_back(complaint);
}

}  // namespace

std::vector<std::string> validate(const Material& material) {
    Messages messages;
    visitFields(material, FieldChecker(messages));
    return messages;
}

std::vector<std::string> validate(const BodyDef& def) {
    Messages messages;
    visitFields(def, FieldChecker(messages));
    if (def.motion == Motion::Dynamic && isMesh(def.shape))
        messages.push_back("shape: a mesh is not allowed for a dynamic body (static or kinematic; or use a hull or compound)");
    if (def.motion != Motion::Kinematic && !def.keyframes.empty())
        messages.push_back("keyframes: " + std::to_string(def.keyframes.size()) +
                           " keys are not allowed (only a kinematic body follows keyframes)");
    if (def.fracture)
        checkFracture(def, messages);
    if (def.bonds)
        checkBonds(def, messages);
    if (def.deformable)
        checkDeformable(def, messages);
    return messages;
}

std::vector<std::string> validate(const WorldDef& def) {
    Messages messages;
    visitFields(def, FieldChecker(messages));
    if (def.release.outward + def.release.free > 1)
        messages.push_back("release.free: " + numberText(def.release.free) + " is not allowed with release.outward " +
                           numberText(def.release.outward) + " (together at most 1)");
    if (const Real speed = def.scatter.speed; speed > 0) {
        if (speed < def.restitutionThreshold)
            messages.push_back("scatter.speed: " + numberText(speed) + " is not allowed with restitution_threshold " +
                               numberText(def.restitutionThreshold) + " (at least that: slower collisions are sticky)");
        if (!def.impulseClamp)
            messages.push_back("scatter.speed: " + numberText(speed) +
                               " is not allowed with impulse_clamp off (a scattered collision must not gain energy)");
    }
    return messages;
}

}  // namespace sunder
