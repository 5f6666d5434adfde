// Hairline cracks as thin dark rods on the surface.
#include "sunder/scene/crack_picture.h"

#include <cmath>

#include "core/task_runner.h"
#include "math/bounds.h"
#include "render/image.h"
#include "render/scene.h"
#include "scene/picture/collect_world.h"

namespace sunder {

namespace {

// Thickness of the rods, as a share of the diagonal of the cracks' bounds: thick enough to be seen.
constexpr Real kThickness = Real(0.006);

void addRods(const CrackLines& cracks, render::RenderScene& scene) {
    Bounds bounds;
    for (const auto& line : cracks.lines)
        bounds = unite(unite(bounds, line[0]), line[1]);
    const Real radius = kThickness * length(bounds.high - bounds.low);
    std::vector<Vec3> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (const auto& [from, to] : cracks.lines) {
        const Vec3 along = normalizeOr(to - from, {1, 0, 0});
        const Vec3 across =
            normalizeOr(cross(along, std::fabs(along.x) < Real(0.7) ? Vec3{1, 0, 0} : Vec3{0, 1, 0}), {0, 0, 1});
        const Vec3 up = cross(along, across);
        const auto first = std::uint32_t(vertices.size());
        for (const Vec3& out : {across, up * Real(0.87) - across * Real(0.5), up * Real(-0.87) - across * Real(0.5)}) {
            vertices.push_back(from + out * radius);
            vertices.push_back(to + out * radius);
        }
        for (std::uint32_t i = 0; i < 3; ++i) {
            const std::uint32_t a = first + 2 * i, b = first + 2 * ((i + 1) % 3);
            triangles.push_back({a, b, b + 1});
            triangles.push_back({a, b + 1, a + 1});
        }
    }
    render::Look look;
    look.albedo = look.opened = {Real(0.01), Real(0.01), Real(0.01)};
    look.gloss = 0;
    scene.add({render::SolidType::Triangles, {}, std::make_shared<render::TriangleSurface>(vertices, triangles)},
              cracks.worldFromBody, look);
}

class CollectCracks final : public CrackDraw {
public:
    std::vector<CrackLines> found;
    void cracks(const CrackLines& cracks) override { found.push_back(cracks); }
};

}  // namespace

std::vector<CrackLines> crackLines(const World& world) {
    CollectCracks collect;
    world.debugDraw(collect);
    return std::move(collect.found);
}

Image drawCracks(const World& world, const std::vector<CrackLines>& cracks, const RenderOptions& options,
                 const std::optional<Camera>& camera) {
    render::RenderScene scene;
    scene::WorldCollector collector;
    collector.collect(world, scene);
    for (const CrackLines& lines : cracks)
        addRods(lines, scene);
    scene.build();
    const std::unique_ptr<TaskRunner> runner = makeTaskRunner(options.threads);
    const Camera seen = camera ? *camera : frameBodies(world, Real(options.width) / Real(options.height));
    return render::drawImage(scene, seen, options, *runner);
}

}  // namespace sunder
