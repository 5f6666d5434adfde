// A picture of a pattern: what it makes of a box, drawn apart.
#include <algorithm>

#include "math/vec3.h"
#include "sunder/scene/pattern_files.h"
#include "sunder/scored_solid.h"
#include "sunder/world.h"

namespace sunder {

namespace {

// Cells along the longest side of the box: the picture has a few pixels for each.
constexpr Real kCells = 120;
constexpr Real kApart = Real(1.18);      // how far pieces are moved from the middle
constexpr Real kPlateShare = Real(0.1);  // thickness of the box of a pattern that does not change along its normal

// m: the box as large as the drawing, or one that any other pattern covers.
Vec3 boxOf(const PatternInfo& info) {
    if (!info.isInMetres)
        return {1, 1, 1};
    if (!info.isPrism)
        return info.size;
    return {info.size.x, kPlateShare * max(info.size.x, info.size.z), info.size.z};
}

}  // namespace

Image drawPattern(const SharedPattern& pattern, const RenderOptions& options) {
    const PatternInfo info = inspectPattern(*pattern);
    const Vec3 size = boxOf(info);
    const Real longest = max(size.x, max(size.y, size.z));
    ScoredPatternDef def;
    def.shape = Box{size * Real(0.5)};
    def.cell = longest / kCells;
    def.pattern = pattern;
    def.normal = {0, 0, 1};
    if (info.isPrism || !info.isInMetres)
        def.shape = Box{Vec3{size.x, size.z, size.y} * Real(0.5)};
    const ScoredPattern scored = scoreByPattern(def);
    World world;
    for (const CompoundChild& child : scored.pieces.children) {
        BodyDef body;
        body.shape = child.shape;
        body.position = child.position * kApart;
        body.gravityFactor = 0;
        world.addBody(body);
    }
    Renderer renderer(options);
    Camera camera;
    camera.target = {};
    camera.position = Vec3{Real(0.55), Real(0.6), Real(1.3)} * (longest * Real(1.75));
    renderer.setCamera(camera);
    return renderer.draw(world);
}

}  // namespace sunder
