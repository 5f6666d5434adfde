// Splinters of deformable bodies, which are only drawn.
#include <algorithm>
#include <cmath>

#include "collision/query/point_distance.h"
#include "math/vec3d.h"
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

// Corners outside of the shape go to the nearest point of its surface. Returns whether any was inside.
bool trim(const BuiltShape& shape, deformable::Splinter& splinter) {
    bool isIn = false;
    for (Vec3& corner : splinter.corners) {
        const auto hit = collision::findDistance({shape, toDouble(-corner), Quat{0, 0, 0, 1}}, kMaxSize);
        if (!hit)
            continue;
        isIn = isIn || hit->distance < 0;
        if (hit->distance > 0)
            corner += toReal(hit->point);
    }
    return isIn;
}

// Those of the box about a shape that lie in it.
void trimToShape(const BuiltShape& shape, std::vector<deformable::Splinter>& splinters, SplinterRecord& record) {
    const Vec3 middle = (shape.localBounds.low + shape.localBounds.high) / 2;
    for (std::uint32_t i = 0; i < splinters.size(); ++i) {
        for (Vec3& corner : splinters[i].corners)
            corner += middle;
        if (!trim(shape, splinters[i]))
            continue;
        record.number.push_back(i);
        record.trimmed.push_back(splinters[i]);
    }
    splinters = record.trimmed;
}

}  // namespace

Rare<SplinterRecord> makeSplinters(const BuiltShape& shape, const DeformableDef& def, const deformable::SolidModel& model) {
    if (def.splinters == Splinters::None)
        return {};
    const bool isBox = shape.type == ShapeType::Box;
    const Vec3 half = isBox ? shape.halfExtents : (shape.localBounds.high - shape.localBounds.low) / 2;
    if (const double count = splinterCount(half, def.splinterSize); count > kMostSplinters)
        throw Error("deformable.splinter_size: it makes about " + numberText(std::floor(count)) + " splinters, more than " +
                    numberText(kMostSplinters));
    SplinterRecord record;
    record.halfExtents = half;
    std::vector<deformable::Splinter> all = allSplinters(def, half);
    for (std::uint32_t i = 0; i < all.size() && isBox; ++i)
        record.number.push_back(i);
    if (!isBox)
        trimToShape(shape, all, record);
    record.owner = deformable::ownersOf(model, all);
    return record;
}

bool areSound(const SplinterRecord& splinters, const DeformableDef& def, std::size_t tets) {
    const auto isSize = [](Real x) { return std::isfinite(x) && x > 0 && x <= Real(kMaxSize); };
    const Vec3& half = splinters.halfExtents;
    if (def.splinters == Splinters::None || !isSize(half.x) || !isSize(half.y) || !isSize(half.z) ||
        !isFinite(splinters.shift) || splinters.number.size() != splinters.owner.size() ||
        (!splinters.trimmed.empty() && splinters.trimmed.size() != splinters.owner.size()) ||
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
        for (std::size_t i = 0; i < record.number.size(); ++i) {
            own.push_back(record.trimmed.empty() ? all[record.number[i]] : record.trimmed[i]);
            for (Vec3& corner : own.back().corners)
                corner += record.shift;
        }
        record.skin = std::make_shared<const deformable::SplinterSkin>(
            deformable::attachSplinters(modelOf(solid, shape), own, record.owner));
    }
    return *record.skin;
}

}  // namespace sunder::world
