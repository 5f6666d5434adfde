#include "world/record/deformable_body.h"

#include <algorithm>
#include <cmath>

#include "geometry/tets/stuff_tets.h"
#include "geometry/tets/tet_pieces.h"
#include "math/quat.h"
#include "sunder/describe.h"
#include "world/record/given_tets.h"

namespace sunder::world {

namespace {

// Cells along the longest side, where the definition does not say.
constexpr Real kDefaultFleshCells = 6;
// Beyond it the stiffness against a change of volume outgrows all else, and elements of constant strain lock.
constexpr Real kMostPoisson = Real(0.49);
constexpr double kTetsPerBoxCell = 5, kTetsPerLatticeCell = 12;

Real cellOf(const BuiltShape& shape, const DeformableDef& def) {
    const Vec3 size = shape.localBounds.high - shape.localBounds.low;
    return def.cell > 0 ? def.cell : max(size.x, max(size.y, size.z)) / kDefaultFleshCells;
}

void requireFew(const BuiltShape& shape, Real cell, double tetsPerCell) {
    const Vec3 size = shape.localBounds.high - shape.localBounds.low;
    const double tets = tetsPerCell * double(size.x / cell) * double(size.y / cell) * double(size.z / cell);
    if (tets > kMostTets)
        throw Error("deformable.cell: " + numberText(cell) + " m makes about " + numberText(std::floor(tets)) +
                    " tetrahedra, more than " + numberText(kMostTets));
}

geometry::DistanceField metres(const geometry::LevelSet16& field) {
    geometry::DistanceField out{field.grid, {}};
    out.values.reserve(field.values.size());
    for (std::size_t node = 0; node < field.values.size(); ++node)
        out.values.push_back(field.distance(node));
    return out;
}

geometry::TetMesh fill(const BuiltShape& shape, const DeformableDef& def) {
    if (!def.tets.empty())
        return {def.nodes, {def.tets.begin(), def.tets.end()}};
    const Real cell = cellOf(shape, def);
    if (shape.type == ShapeType::Box) {
        requireFew(shape, cell, kTetsPerBoxCell);
        const auto cells = [&](Real half) { return std::max(1, static_cast<int>(std::floor(2 * half / cell + Real(0.5)))); };
        return deformable::boxOfTets(shape.halfExtents,
                                     {cells(shape.halfExtents.x), cells(shape.halfExtents.y), cells(shape.halfExtents.z)});
    }
    geometry::TetResult result;
    if (shape.type == ShapeType::LevelSet) {
        result = geometry::stuffTets(metres(shape.levelSet->solid->field));
    } else {
        requireFew(shape, cell, kTetsPerLatticeCell);
        LevelSet levelSet;
        levelSet.parts.push_back({shape.definition, {}, {}});
        levelSet.cell = cell / geometry::kFieldCellsPerLatticeCell;
        const SharedShape sampled = buildShape(levelSet);
        result = geometry::stuffTets(metres(sampled->levelSet->solid->field));
    }
    if (!result.error.empty())
        throw Error("deformable.cell: " + numberText(cell) + " m cannot fill the shape: " + result.error);
    return geometry::largestComponent(result.mesh);
}

deformable::SolidResult build(const DeformableBody& solid, const BuiltShape& shape) {
    return deformable::buildSolid(solid.torn ? *solid.torn : fill(shape, solid.def), solid.material);
}

// A stress at which the solid flows is the norm of a deviatoric strain: von Mises' stress is sqrt(3/2) 2 mu |e|.
Real yieldStrainOf(const Material& material) {
    const Real mu = material.young / (2 * (1 + material.poisson));
    return material.yield / (2 * mu * std::sqrt(Real(1.5)));
}

}  // namespace

DeformableBody makeDeformable(const BuiltShape& shape, const DeformableDef& def, const Material& material,
                              const std::optional<Real>& mass) {
    DeformableBody solid;
    solid.def = def;
    solid.material.elastic = {material.young, material.poisson, material.density};
    solid.material.massDamping = def.massDamping;
    solid.material.stiffnessDamping = def.stiffnessDamping;
    solid.material.yieldStrain = yieldStrainOf(material);
    solid.material.creepRate = def.creepRate;
    solid.material.largestPlastic = def.largestPlastic;
    solid.material.plasticity = plasticityOf(def);
    solid.material.smoothing = def.strainSmoothing;
    const auto made = [&] {
        deformable::SolidResult result = build(solid, shape);
        if (!result.model)
            throw Error("deformable: the shape " + result.error);
        return result.model;
    };
    solid.model = made();
    if (mass) {
        solid.material.elastic.density *= *mass / solid.model->mass;
        solid.model = made();
    }
    solid.memory = deformable::freshMemory(*solid.model);
    solid.splinters = makeSplinters(shape, def, *solid.model);
    return solid;
}

std::vector<std::string> complaintsAbout(const Material& material, const DeformableDef& def) {
    std::vector<std::string> messages;
    if (def.tears && !(material.strength > 0))
        messages.push_back("deformable.tears: needs a material whose strength is above 0 Pa");
    if (const std::string complaint = complaintAboutTets(def); !complaint.empty())
        messages.push_back("deformable." + complaint);
    if (material.poisson > kMostPoisson)
        messages.push_back("material.poisson: " + numberText(material.poisson) + " is not allowed (up to " +
                           numberText(kMostPoisson) + " for a deformable body)");
    return messages;
}

void changeMaterial(DeformableBody& solid, const BuiltShape& shape, const Material& before, const Material& now) {
    const Real share = solid.material.elastic.density / before.density;
    solid.material.elastic = {now.young, now.poisson, now.density * share};
    solid.material.yieldStrain = yieldStrainOf(now);
    solid.model = build(solid, shape).model;
    if (solid.material.yieldStrain > 0)  // what has flowed stays as it is
        solid.memory.plastic.resize(solid.model->blocks.size());
}

const deformable::SolidModel& modelOf(const DeformableBody& solid, const BuiltShape& shape) {
    if (!solid.model)
        solid.model = build(solid, shape).model;
    return *solid.model;
}

BodyVertices verticesOf(const deformable::SolidModel& model) {
    BodyVertices vertices;
    vertices.positions = model.mesh.vertices;
    vertices.velocities.resize(model.nodeCount());
    vertices.triangles = model.triangles;
    vertices.revision = 1;
    vertices.colliders.resize(1);
    vertices.colliders[0].vertices = model.surfaceNodes;
    return vertices;
}

void pinNodes(DeformableBody& solid, const WorldPoint& position, const Quat& orientation) {
    const std::vector<Vec3>& nodes = solid.model->mesh.vertices;
    std::vector<bool> isPinned(nodes.size());
    for (const FractureAnchor& box : solid.def.pinned)
        for (const std::uint32_t node : nodesIn(*solid.model, box.low, box.high))
            isPinned[node] = true;
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
        if (isPinned[i])
            solid.pins.push_back({i, position + rotate(orientation, nodes[i])});
}

bool isHeldBy(const DeformableBody& solid, std::uint32_t node, std::uint32_t slot) {
    return std::any_of(solid.holds.begin(), solid.holds.end(),
                       [&](const DeformableBody::Hold& hold) { return hold.node == node && hold.body.index == slot; });
}

std::vector<std::uint32_t> nodesIn(const deformable::SolidModel& model, const Vec3& low, const Vec3& high) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < model.nodeCount(); ++i)
        if (const Vec3& p = model.mesh.vertices[i];
            p.x >= low.x && p.y >= low.y && p.z >= low.z && p.x <= high.x && p.y <= high.y && p.z <= high.z)
            found.push_back(i);
    return found;
}

TetMemory unpack(const DeformableBody& solid) {
    TetMemory memory;
    for (std::size_t t = 0; t < solid.memory.tets; ++t) {
        const std::size_t block = t / wide::kLanes, lane = t % wide::kLanes;
        memory.usesQr.push_back(solid.memory.usesQr[block].lane[lane] != 0);
        if (solid.memory.plastic.empty())
            continue;
        std::array<Real, 6>& strain = memory.plastic.emplace_back();
        for (std::size_t k = 0; k < 6; ++k)
            strain[k] = solid.memory.plastic[block].strain[k].lane[lane];
    }
    return memory;
}

// Lanes without a tetrahedron of their own are copies of the block's first (TetBlock).
void pack(const TetMemory& memory, DeformableBody& solid) {
    const std::size_t tets = memory.usesQr.size(), blocks = (tets + wide::kLanes - 1) / wide::kLanes;
    const bool flows = !memory.plastic.empty() && memory.plastic.size() == tets;
    solid.memory = {};
    solid.memory.tets = tets;
    solid.memory.usesQr.resize(blocks);
    solid.memory.plastic.resize(flows ? blocks : 0);
    for (std::size_t slot = 0; slot < blocks * wide::kLanes; ++slot) {
        const std::size_t block = slot / wide::kLanes, lane = slot % wide::kLanes;
        const std::size_t t = slot < tets ? slot : block * wide::kLanes;
        solid.memory.usesQr[block].set(static_cast<int>(lane), memory.usesQr[t] != 0);
        for (std::size_t k = 0; flows && k < 6; ++k)
            solid.memory.plastic[block].strain[k].lane[lane] = memory.plastic[t][k];
    }
    solid.model.reset();
}

namespace {

// Of multiplicative plasticity: I + B is positive definite.
bool isShape(const std::array<Real, 6>& b) {
    const Real xx = 1 + b[0], yy = 1 + b[1], zz = 1 + b[2];
    const Real minor = xx * yy - b[3] * b[3];
    const Real det = zz * minor - b[5] * (xx * b[5] - b[3] * b[4]) + b[4] * (b[3] * b[5] - yy * b[4]);
    return xx > 0 && minor > 0 && det > 0 && std::isfinite(det);
}

bool areShapes(const DeformableBody& solid) {
    if (solid.material.plasticity != deformable::Plasticity::Multiplicative)
        return true;
    const TetMemory memory = unpack(solid);
    return std::all_of(memory.plastic.begin(), memory.plastic.end(), isShape);
}

}  // namespace

bool isSound(const DeformableBody& solid, const BuiltShape& shape, std::size_t nodes) {
    const deformable::FleshMaterial& m = solid.material;
    const auto isSize = [](Real x) { return std::isfinite(x) && x >= 0; };
    if (!isSize(m.elastic.young) || !(m.elastic.young > 0) || !(m.elastic.poisson > -1) || !(m.elastic.poisson < Real(0.5)) ||
        !isSize(m.elastic.density) || !(m.elastic.density > 0) || !isSize(m.massDamping) || !isSize(m.stiffnessDamping) ||
        !isSize(m.yieldStrain) || !isSize(m.creepRate) || !isSize(m.largestPlastic) || !isSize(solid.load))
        return false;
    try {
        solid.model = build(solid, shape).model;
    } catch (const Error&) {
        return false;
    }
    const auto isPin = [&](const DeformableBody::Pin& pin) {
        return pin.node < nodes && std::isfinite(pin.place.x) && std::isfinite(pin.place.y) && std::isfinite(pin.place.z);
    };
    const auto isHold = [&](const DeformableBody::Hold& hold) { return hold.node < nodes && isFinite(hold.point); };
    const auto isForce = [&](const DeformableBody::Force& force) { return force.node < nodes && isFinite(force.force); };
    const auto isGrip = [&](const DeformableBody::Grip& grip) { return grip.node < nodes && isFinite(grip.slip); };
    if (!areShapes(solid) || !std::all_of(solid.grips.begin(), solid.grips.end(), isGrip))
        return false;
    if (solid.splinters && !areSound(*solid.splinters, solid.def, solid.memory.tets))
        return false;
    if (!std::all_of(solid.holds.begin(), solid.holds.end(), isHold) ||
        !std::all_of(solid.forces.begin(), solid.forces.end(), isForce))
        return false;
    return solid.model && solid.model->nodeCount() == nodes && solid.model->tetCount() == solid.memory.tets &&
           (!solid.memory.plastic.empty() || !(m.yieldStrain > 0)) && std::all_of(solid.pins.begin(), solid.pins.end(), isPin);
}

}  // namespace sunder::world
