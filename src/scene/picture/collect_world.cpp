// Shapes become solids; compounds become those of their children.
#include "scene/picture/collect_world.h"

#include "collision/built_shape.h"
#include "core/hash.h"
#include "geometry/convex_hull.h"
#include "sunder/scene/surface.h"

namespace sunder::scene {

namespace {

using render::Look;
using render::RenderScene;
using render::SolidType;
using render::TriangleSurface;
constexpr Vec3 kDustColor{Real(.78), Real(.76), Real(.72)};
constexpr Vec3 kSleeperColor{Real(.45), Real(.58), Real(.75)};

}  // namespace

void WorldCollector::collect(const World& world, RenderScene& scene, const std::function<bool(Motion)>& wanted) {
    scene.clear();
    for (auto& entry : prepared_)
        entry.second.used = false;
    for (const BodyId body : world.bodies()) {
        if ((wanted && !wanted(world.motion(body))) || (isLeftOut_ && isLeftOut_(body)))
            continue;
        const Pose pose{world.position(body), world.orientation(body)};
        if (!isFinite(pose.position) || !isFinite(pose.orientation))
            continue;
        Look look = palette_.look(world.name(body), variantOf(world, body), world.motion(body));
        if (markSleepers_ && !world.isAwake(body) && world.motion(body) == Motion::Dynamic)
            look.albedo = look.opened = kSleeperColor;
        if (const std::optional<SplinterView> splinters = world.splinters(body))
            scene.add({SolidType::Triangles, {}, std::make_shared<TriangleSurface>(splinters->positions, splinters->triangles)},
                      pose, look);
        else if (const std::optional<VertexView> moving = world.vertices(body))
            scene.add({SolidType::Triangles, {}, std::make_shared<TriangleSurface>(moving->positions, moving->triangles)}, pose,
                      look);
        else
            addShape(world.shape(body), pose, look, scene);
    }
    Look powder;
    powder.albedo = kDustColor;
    powder.gloss = 0;
    if (!wanted || wanted(Motion::Dynamic))
        for (const DustGrain& grain : world.dust())
            scene.add({SolidType::Sphere, {grain.size, 0, 0}, nullptr}, Pose{grain.position, {}}, powder);
    std::erase_if(prepared_, [](const auto& entry) { return !entry.second.used; });
    scene.build();
}

// A piece has the colour of the body it broke off, if that was drawn.
std::uint32_t WorldCollector::variantOf(const World& world, BodyId body) {
    const BodyId parent = world.parent(body);
    const auto known = variants_.find({parent.index, parent.generation});
    const std::uint32_t variant = known != variants_.end() ? known->second : body.index;
    return variants_.try_emplace({body.index, body.generation}, variant).first->second;
}

void WorldCollector::addShape(const Shape& shape, const Pose& worldFromShape, const Look& look, RenderScene& scene) {
    const auto add = [&](SolidType type, const Vec3& size) { scene.add({type, size, nullptr}, worldFromShape, look); };
    if (const auto* sphere = std::get_if<Sphere>(&shape))
        add(SolidType::Sphere, {sphere->radius, 0, 0});
    else if (const auto* box = std::get_if<Box>(&shape))
        add(SolidType::Box, box->halfExtents);
    else if (const auto* capsule = std::get_if<Capsule>(&shape))
        add(SolidType::Capsule, {capsule->radius, capsule->halfHeight, 0});
    else if (const auto* cylinder = std::get_if<Cylinder>(&shape))
        add(SolidType::Cylinder, {cylinder->radius, cylinder->halfHeight, 0});
    else if (const auto* hull = std::get_if<Hull>(&shape))
        scene.add({SolidType::Triangles, {}, prepare(*hull)}, worldFromShape, look);
    else if (const auto* mesh = std::get_if<Mesh>(&shape))
        scene.add({SolidType::Triangles, {}, prepare(*mesh)}, worldFromShape, look);
    else if (const auto* field = std::get_if<HeightField>(&shape))
        scene.add({SolidType::Triangles, {}, prepare(*field)}, worldFromShape, look);
    else if (const auto* shell = std::get_if<Shell>(&shape))
        scene.add({SolidType::Triangles, {}, prepare(*shell)}, worldFromShape, look);
    else if (const auto* compound = std::get_if<Compound>(&shape))
        for (const CompoundChild& child : compound->children)
            addShape(child.shape, worldFromShape * Pose{child.position, normalize(child.orientation)}, look, scene);
    else if (const auto* levelSet = std::get_if<LevelSet>(&shape)) {
        if (const auto surface = prepare(*levelSet))
            scene.add({SolidType::Triangles, {}, surface}, worldFromShape, look);
    } else if (const auto* shared = std::get_if<SharedShape>(&shape))
        addShape((*shared)->definition, worldFromShape, look, scene);
}

std::shared_ptr<const TriangleSurface> WorldCollector::prepare(const Hull& hull) {
    Hasher hasher;
    for (const Vec3& point : hull.points)
        hasher.addBits(point);
    Prepared& entry = prepared_[{hasher.value(), hull.points.size()}];
    if (!entry.surface)
        entry.surface = std::make_shared<TriangleSurface>(geometry::buildConvexHull(hull.points).hull);
    entry.used = true;
    return entry.surface;
}

std::shared_ptr<const TriangleSurface> WorldCollector::prepare(const Mesh& mesh) {
    Hasher hasher;
    for (const Vec3& vertex : mesh.vertices)
        hasher.addBits(vertex);
    for (const auto& triangle : mesh.triangles)
        hasher.addBits(triangle);
    hasher.add(reinterpret_cast<std::uintptr_t>(mesh.look.get()));
    Prepared& entry = prepared_[{hasher.value(), mesh.vertices.size() + (std::uint64_t(mesh.triangles.size()) << 32)}];
    entry.look = mesh.look;
    if (!entry.surface)
        entry.surface = mesh.look ? drawn(mesh) : std::make_shared<TriangleSurface>(mesh.vertices, mesh.triangles);
    entry.used = true;
    return entry.surface;
}

std::shared_ptr<const TriangleSurface> WorldCollector::prepare(const HeightField& field) {
    Hasher hasher;
    hasher.addBits(field.spacing);
    for (const Real height : field.heights)
        hasher.addBits(height);
    for (const std::uint32_t hole : field.holes)
        hasher.add(hole);
    Prepared& entry = prepared_[{hasher.value(), field.heights.size() + (std::uint64_t(field.columns) << 32)}];
    if (!entry.surface) {
        const Mesh mesh = meshOf(field);
        entry.surface = std::make_shared<TriangleSurface>(mesh.vertices, mesh.triangles);
    }
    entry.used = true;
    return entry.surface;
}

std::shared_ptr<const TriangleSurface> WorldCollector::prepare(const Shell& shell) {
    Hasher hasher;
    hasher.addBits(shell.thickness);
    for (const Vec3& vertex : shell.vertices)
        hasher.addBits(vertex);
    for (const auto& triangle : shell.triangles)
        hasher.addBits(triangle);
    Prepared& entry = prepared_[{hasher.value(), shell.vertices.size() + (std::uint64_t(shell.triangles.size()) << 32)}];
    if (!entry.surface) {
        const Mesh walls = meshOf(shell);
        entry.surface = std::make_shared<TriangleSurface>(walls.vertices, walls.triangles);
    }
    entry.used = true;
    return entry.surface;
}

// Keyed by address: a level set in a world is sampled and shared.
std::shared_ptr<const TriangleSurface> WorldCollector::prepare(const LevelSet& levelSet) {
    Prepared& entry = prepared_[{reinterpret_cast<std::uintptr_t>(levelSet.sampled.get()), 0}];
    entry.used = true;
    entry.solid = levelSet.sampled;
    if (!entry.surface)
        entry.surface = drawn(levelSet);
    return entry.surface;
}

std::shared_ptr<const TriangleSurface> WorldCollector::drawn(const Shape& shape) {
    Surface surface = tessellate(drawnShape(shape));
    if (surface.triangles.empty())
        return nullptr;
    if (markSleepers_) {
        surface.materials.reset();
        surface.colors.clear();
    }
    return std::make_shared<TriangleSurface>(surface, textures_.of(surface.materials));
}

}  // namespace sunder::scene
