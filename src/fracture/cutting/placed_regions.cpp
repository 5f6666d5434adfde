#include "fracture/cutting/placed_regions.h"

#include <algorithm>
#include <cmath>

#include "geometry/patterns/generators.h"

namespace sunder::fracture {

using geometry::RegionAt;
using geometry::RegionSource;

namespace {

class SampledRegions final : public RegionSource {
public:
    explicit SampledRegions(const geometry::Pattern& pattern) : pattern_(pattern) {}
    RegionAt at(const Vec3d& point) const override {
        const geometry::Grid& grid = pattern_.grid;
        const Vec3d cells = (point - toDouble(grid.origin)) * (1 / double(grid.cell));
        const geometry::PatternSample found = geometry::samplePattern(pattern_, toReal(cells));
        return {found.label, double(found.cells) * double(grid.cell)};
    }

private:
    const geometry::Pattern& pattern_;
};

class PlacedRegions final : public RegionSource {
public:
    PlacedRegions(std::unique_ptr<RegionSource> regions, const PatternPlace& place, const Vec3& center)
        : regions_(std::move(regions)),
          patternFromBody_(toMatrix(conjugate(place.bodyFromPattern))),
          point_(toDouble(place.point)),
          center_(toDouble(center)),
          scale_(place.scale) {}
    void focus(const Vec3d& center, double radius, double reach) override {
        regions_->focus(inPattern(center), radius / scale_, reach / scale_);
    }
    RegionAt at(const Vec3d& point) const override {
        const RegionAt found = regions_->at(inPattern(point));
        return {found.region, found.distance * scale_};
    }

private:
    Vec3d inPattern(const Vec3d& p) const {
        const Mat3& m = patternFromBody_;
        const Vec3d q = (p - point_) * (1 / scale_);
        return center_ + Vec3d{dot(toDouble(m.row0), q), dot(toDouble(m.row1), q), dot(toDouble(m.row2), q)};
    }
    std::unique_ptr<RegionSource> regions_;
    Mat3 patternFromBody_;
    Vec3d point_, center_;
    double scale_;
};

class PlaneRegions final : public RegionSource {
public:
    PlaneRegions(const Vec3& point, const Vec3& normal)
        : normal_(normalizeOr(toDouble(normal), {0, 1, 0})), offset_(dot(normal_, toDouble(point))) {}
    RegionAt at(const Vec3d& point) const override {
        const double height = dot(normal_, point) - offset_;
        return {height > 0 ? std::uint64_t(1) : 0, std::fabs(height)};
    }

private:
    Vec3d normal_;
    double offset_;
};

class ReachRegions final : public RegionSource {
public:
    ReachRegions(std::unique_ptr<RegionSource> regions, const Vec3& point, Real reach)
        : regions_(std::move(regions)), point_(toDouble(point)), reach_(reach) {}
    void focus(const Vec3d& center, double radius, double reach) override { regions_->focus(center, radius, reach); }
    RegionAt at(const Vec3d& point) const override {
        const double beyond = length(point - point_) - reach_;
        if (beyond > 0)
            return {~std::uint64_t(0), beyond};
        const RegionAt found = regions_->at(point);
        return {found.region, std::min(found.distance, -beyond)};
    }

private:
    std::unique_ptr<RegionSource> regions_;
    Vec3d point_;
    double reach_;
};

}  // namespace

std::unique_ptr<RegionSource> placedRegions(const BuiltPattern& pattern, const PatternPlace& place) {
    std::unique_ptr<RegionSource> regions;
    if (pattern.definition)
        regions = geometry::makeRegions(*pattern.definition);
    else
        regions = std::make_unique<SampledRegions>(pattern.pattern);
    return std::make_unique<PlacedRegions>(std::move(regions), place, pattern.pattern.center);
}

std::unique_ptr<RegionSource> planeRegions(const Vec3& point, const Vec3& normal) {
    return std::make_unique<PlaneRegions>(point, normal);
}

std::unique_ptr<RegionSource> withinReach(std::unique_ptr<RegionSource> regions, const Vec3& point, Real reach) {
    return std::make_unique<ReachRegions>(std::move(regions), point, reach);
}

}  // namespace sunder::fracture
