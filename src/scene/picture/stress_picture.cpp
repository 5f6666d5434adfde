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

void drawLegend(Image& image, const std::string& text) {
    const int scale = std::max(1, image.width / 640), line = 12 * scale, left = 10 * scale, box = 12 * scale;
    int top = 10 * scale;
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

std::string textOf(const char* format, double first, double second) {
    char text[96];
    std::snprintf(text, sizeof text, format, first, second);
    return text;
}

class CollectStress final : public StressDraw {
public:
    std::vector<StressMap> maps;
    void stress(const StressMap& map) override { maps.push_back(map); }
};

// The world with these maps in the place of their bodies.
Image drawMaps(const World& world, const std::vector<StressMap>& maps, const RenderOptions& options,
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
    return render::drawImage(scene, seen, options, *runner);
}

}  // namespace

std::vector<StressMap> stressMaps(const World& world) {
    CollectStress collect;
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
    Image image = drawMaps(world, maps, options, camera);
    const auto worst = std::max_element(maps.begin(), maps.end(), [](const StressMap& a, const StressMap& b) {
        return a.worstTension * b.strength < b.worstTension * a.strength;
    });
    if (worst != maps.end())
        drawLegend(image, textOf("tension 0 to %.3g Pa, violet above; most %.3g Pa", double(worst->strength),
                                 double(worst->worstTension)));
    return image;
}

std::vector<StressMap> strainMaps(std::vector<StressMap> maps) {
    std::erase_if(maps, [](const StressMap& map) { return map.strains.empty(); });
    Real most = 0;
    for (const StressMap& map : maps)
        most = std::max(most, *std::max_element(map.strains.begin(), map.strains.end()));
    for (StressMap& map : maps) {
        map.tensions = map.strains;
        map.strength = most > 0 ? most * Real(1.0001) : Real(1);  // nothing is above
    }
    return maps;
}

Image drawStrain(const World& world, std::vector<StressMap> maps, const RenderOptions& options,
                 const std::optional<Camera>& camera) {
    maps = strainMaps(std::move(maps));
    Image image = drawMaps(world, maps, options, camera);
    if (!maps.empty())
        drawLegend(image, textOf("largest principal strain, 0 to %.3g", double(maps.front().strength), 0));
    return image;
}

}  // namespace sunder
