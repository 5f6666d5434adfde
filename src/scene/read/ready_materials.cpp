// Materials that need no definition: those of sunder/materials.h that have a look and a pattern. A pattern's y comes to lie
// along the normal of the hit, so grain is in the plane.
#include "sunder/materials.h"
#include "sunder/scene/scene.h"

namespace sunder {

namespace {

SceneMaterial material(const char* name, const Vec3& color, const Vec3& inner, Real gloss, Real opacity = 1) {
    return {
        name, *namedMaterial(name), {.color = color, .innerColor = inner, .innerName = {}, .gloss = gloss, .opacity = opacity}};
}

std::vector<ReadyMaterial> makeMaterials() {
    const auto r = [](double value) { return Real(value); };
    const auto color = [&](double x, double y, double z) { return Vec3{r(x), r(y), r(z)}; };
    return {
        {"plaster", material("plaster", color(.78, .75, .70), color(.88, .87, .84), r(0.1)),
         R"({ "type": "voronoi", "pieces": 70, "clustering": 0.8, "roughness": 0.03, "seed": 5, "nodes": 89 })"},
        {"ice", material("ice", color(.62, .80, .88), color(.84, .92, .95), 1, r(0.55)),
         R"({ "type": "voronoi", "pieces": 45, "clustering": 0.5, "seed": 11, "nodes": 97 })"},
        {"glass", material("glass", color(.55, .78, .70), color(.70, .90, .82), 1, r(0.25)),
         R"({ "type": "radial", "rays": 13, "rings": 5, "inner_radius": 0.03, "growth": 1.8, "jitter": 0.6, "seed": 3 })"},
        {"ceramic", material("ceramic", color(.80, .80, .84), color(.62, .34, .20), 1),
         R"({ "type": "radial", "rays": 7, "rings": 3, "jitter": 0.9, "seed": 8 })"},
        {"brick", material("brick", color(.45, .12, .06), color(.62, .24, .13), r(0.1)),
         R"({ "type": "brick", "size": [0.2, 0.12, 0.075], "bond": 0.5, "roughness": 0.006, "seed": 2 })"},
        {"stone", material("stone", color(.30, .29, .27), color(.50, .48, .45), r(0.2)),
         R"({ "type": "voronoi", "pieces": 18, "roughness": 0.04, "roughness_octaves": 3, "seed": 4, "nodes": 81 })"},
        {"concrete", material("concrete", color(.42, .42, .41), color(.60, .58, .54), r(0.1)),
         R"({ "type": "voronoi", "pieces": 45, "clustering": 0.6, "roughness": 0.025, "seed": 7, "nodes": 81 })"},
        {"wood", material("wood", color(.38, .20, .08), color(.74, .54, .30), r(0.3)),
         R"({ "type": "wood", "pieces": 40, "anisotropy": 12, "grain": [0, 0, 1], "seed": 6, "nodes": 97 })"},
    };
}

}  // namespace

const std::vector<ReadyMaterial>& readyMaterials() {
    static const std::vector<ReadyMaterial> materials = makeMaterials();
    return materials;
}

const ReadyMaterial* findReadyMaterial(std::string_view name) {
    for (const ReadyMaterial& ready : readyMaterials())
        if (ready.name == name)
            return &ready;
    return nullptr;
}

}  // namespace sunder
