// Stress maps as coloured surfaces in a picture of their world, with a legend.
#include "sunder/scene/stress_picture.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/task_runner.h"
#include "render/font.h"
#include "render/image.h"
#include "render/scene.h"
#include "scene/picture/collect_world.h"
#include "scene/picture/stress_colours.h"

namespace sunder {

namespace {

// Steps from no tension to the strength, and one more for all above it.
constexpr int kSteps = 12;

// The last step below the strength is red.
Vec3 colourOf(int step) {
    return scene::stressColour(step >= kSteps ? Real(1) : std::min(Real(step) / Real(kSteps - 1), Real(0.9999)));
}

int stepOf(const StressMap& map, const std::array<std::uint32_t, 3>& triangle) {
    const Real mean = (map.tensions[triangle[0]] + map.tensions[triangle[1]] + map.tensions[triangle[2]]) / 3;
    return int(std::clamp(mean / map.strength * Real(kSteps), Real(0), Real(kSteps)));
}

void addMap(const StressMap& map, render::RenderScene& scene) {
    for (int step = 0; step <= kSteps; ++step) {
        std::vector<std::array<std::uint32_t, 3>> triangles;
        for (const auto& triangle : map.triangles)
            if (stepOf(map, triangle) == step)
                triangles.push_back(triangle);
        if (triangles.empty())
            continue;
        render::Look look;
        look.albedo = look.opened = colourOf(step);
        look.gloss = 0;
        scene.add({render::SolidType::Triangles, {}, std::make_shared<render::TriangleSurface>(map.vertices, triangles)},
                  map.worldFromBody, look);
    }
}

void drawLegend(Image& image, const StressMap& map) {
    const int scale = std::max(1, image.width / 640), line = 12 * scale, left = 10 * scale, box = 12 * scale;
    int top = 10 * scale;
    char text[96];
    std::snprintf(text, sizeof text, "tension 0 to %.3g Pa, violet above; most %.3g Pa", double(map.strength),
                  double(map.worstTension));
    render::drawText(image, left, top, text, scale, {20, 20, 24});
    top += line;
    const auto shade = [](Real x) { return std::uint8_t(255 * std::sqrt(x)); };  // near enough to what screens do
    for (int step = 0; step <= kSteps; ++step) {
        const Vec3 linear = colourOf(step);
        for (int y = top; y < std::min(top + box, image.height); ++y)
            for (int x = left + step * box; x < std::min(left + (step + 1) * box, image.width); ++x) {
                std::uint8_t* pixel = image.rgb.data() + 3 * (std::size_t(y) * std::size_t(image.width) + std::size_t(x));
                pixel[0] = shade(linear.x);
                pixel[1] = shade(linear.y);
                pixel[2] = shade(linear.z);
            }
    }
}

class Collect final : public StressDraw {
public:
    std::vector<StressMap> maps;
    void stress(const StressMap& map) override { maps.push_back(map); }
};

}  // namespace

std::vector<StressMap> stressMaps(const World& world) {
    Collect collect;
    world.debugDraw(collect);
    return std::move(collect.maps);
}

std::vector<StressMap> stressMaps(const SceneRunner& runner) {
    std::vector<StressMap> maps = runner.stressMaps();
    for (StressMap& map : stressMaps(runner.world()))
        if (runner.world().isValid(map.body) && runner.world().vertices(map.body))
            maps.push_back(std::move(map));
    return maps;
}

Image drawStress(const World& world, const std::vector<StressMap>& maps, const RenderOptions& options,
                 const std::optional<Camera>& camera) {
    render::RenderScene scene;
    scene::WorldCollector collector;
    collector.leaveOut([&](BodyId body) {
        return std::any_of(maps.begin(), maps.end(),
                           [&](const StressMap& map) { return map.body == body || map.body == world.parent(body); });
    });
    collector.collect(world, scene);
    for (const StressMap& map : maps)
        addMap(map, scene);
    scene.build();
    const std::unique_ptr<TaskRunner> runner = makeTaskRunner(options.threads);
    const Camera seen = camera ? *camera : frameBodies(world, Real(options.width) / Real(options.height));
    Image image = render::drawImage(scene, seen, options, *runner);
    const auto worst = std::max_element(maps.begin(), maps.end(), [](const StressMap& a, const StressMap& b) {
        return a.worstTension * b.strength < b.worstTension * a.strength;
    });
    if (worst != maps.end())
        drawLegend(image, *worst);
    return image;
}

}  // namespace sunder
