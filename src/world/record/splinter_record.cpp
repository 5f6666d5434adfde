// Splinters of deformable bodies, which are only drawn.
#include <algorithm>
#include <cmath>

#include "sunder/describe.h"
#include "world/record/deformable_body.h"

namespace sunder::world {

namespace {

std::vector<deformable::Splinter> allSplinters(const DeformableDef& def, const Vec3& halfExtents) {
    return def.splinters == Splinters::Wood ? deformable::splintersOfWood(halfExtents, def.splinterSize, def.splinterSeed)
                                            : deformable::splintersOfBrick(halfExtents, def.splinterSize);
}

// More take seconds to draw.
constexpr double kMostSplinters = 200000;

double splinterCount(const Vec3& half, const Vec3& size) {
    return 8 * double(half.x / size.x + 1) * double(half.y / size.y + 1) * double(half.z / size.z + 1);
}

}  // namespace

Rare<SplinterRecord> makeSplinters(const BuiltShape& shape, const DeformableDef& def, const deformable::SolidModel& model) {
    if (def.splinters == Splinters::None)
        return {};
    if (shape.type != ShapeType::Box)
        throw Error("deformable.splinters: only a box is filled with splinters");
    if (const double count = splinterCount(shape.halfExtents, def.splinterSize); count > kMostSplinters)
        throw Error("deformable.splinter_size: it makes about " + numberText(std::floor(count)) + " splinters, more than " +
                    numberText(kMostSplinters));
    SplinterRecord record;
    record.halfExtents = shape.halfExtents;
    record.owner = deformable::ownersOf(model, allSplinters(def, shape.halfExtents));
    for (std::uint32_t i = 0; i < record.owner.size(); ++i)
        record.number.push_back(i);
    return record;
}

bool areSound(const SplinterRecord& splinters, const DeformableDef& def, std::size_t tets) {
    const auto isSize = [](Real x) { return std::isfinite(x) && x > 0 && x <= Real(kMaxSize); };
    const Vec3& half = splinters.halfExtents;
    if (def.splinters == Splinters::None || !isSize(half.x) || !isSize(half.y) || !isSize(half.z) ||
        !isFinite(splinters.shift) || splinters.number.size() != splinters.owner.size() ||
        splinterCount(half, def.splinterSize) > kMostSplinters)
        return false;
    const std::size_t all = allSplinters(def, half).size();
    return std::all_of(splinters.number.begin(), splinters.number.end(), [&](std::uint32_t n) { return n < all; }) &&
           std::all_of(splinters.owner.begin(), splinters.owner.end(), [&](std::uint32_t tet) { return tet < tets; });
}

const deformable::SplinterSkin& skinOf(const DeformableBody& solid, const BuiltShape& shape) {
    const SplinterRecord& record = *solid.splinters;
    if (!record.skin) {
        const std::vector<deformable::Splinter> all = allSplinters(solid.def, record.halfExtents);
        std::vector<deformable::Splinter> own;
        for (const std::uint32_t number : record.number) {
            own.push_back(all[number]);
            for (Vec3& corner : own.back().corners)
                corner += record.shift;
        }
        record.skin = std::make_shared<const deformable::SplinterSkin>(
            deformable::attachSplinters(modelOf(solid, shape), own, record.owner));
    }
    return *record.skin;
}

}  // namespace sunder::world
