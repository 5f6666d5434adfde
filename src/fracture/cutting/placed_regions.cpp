#include "fracture/cutting/placed_regions.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "geometry/patterns/generators.h"

namespace sunder::fracture {

using geometry::CellComplex;
using geometry::CellRange;
using geometry::ConvexCell;
using geometry::RegionAt;
using geometry::RegionSource;

namespace {

class SampledRegions final : public RegionSource {
public:
    explicit SampledRegions(const BuiltPattern& built) : pattern_(built.pattern), complex_(built.complex.get()) {}
    RegionAt at(const Vec3d& point) const override {
        const geometry::Grid& grid = pattern_.grid;
        const Vec3d cells = (point - toDouble(grid.origin)) * (1 / double(grid.cell));
        const geometry::PatternSample found = geometry::samplePattern(pattern_, toReal(cells));
        return {found.label, double(found.cells) * double(grid.cell)};
    }

    std::optional<CellComplex> complex(const Vec3d& low, const Vec3d& high) const override {
        const auto holds = [](const Vec3d& a, const Vec3d& b) { return a.x <= b.x && a.y <= b.y && a.z <= b.z; };
        if (!complex_ || !holds(complex_->low, low) || !holds(high, complex_->high))
            return {};
        return complex_->complex;
    }

private:
    const geometry::Pattern& pattern_;
    const geometry::DrawnComplex* complex_;  // of drawn pieces whose faces are known
};

class PlacedRegions final : public RegionSource {
public:
    PlacedRegions(std::unique_ptr<RegionSource> regions, const PatternPlace& place, const Vec3& center)
        : regions_(std::move(regions)), point_(toDouble(place.point)), center_(toDouble(center)), scale_(place.scale) {
        // Exact to the last bit of a double, or planes and corners of cells would part when they are turned.
        const Mat3 turn = toMatrix(conjugate(place.bodyFromPattern));
        rows_[0] = normalizeOr(toDouble(turn.row0), {1, 0, 0});
        const Vec3d second = toDouble(turn.row1);
        rows_[1] = normalizeOr(second - rows_[0] * dot(rows_[0], second), {0, 1, 0});
        rows_[2] = cross(rows_[0], rows_[1]);
    }
    void focus(const Vec3d& center, double radius, double reach) override {
        regions_->focus(inPattern(center), radius / scale_, reach / scale_);
    }
    RegionAt at(const Vec3d& point) const override {
        const RegionAt found = regions_->at(inPattern(point));
        return {found.region, found.distance * scale_};
    }

    bool addCells(const CellRange& range, std::vector<ConvexCell>& cells) const override {
        const auto [low, high] = boxInPattern(range.low, range.high);
        const std::size_t first = cells.size();
        if (!regions_->addCells({low, high, range.roundness / scale_}, cells))
            return false;
        const Vec3d axes[3] = {inBody({1, 0, 0}), inBody({0, 1, 0}), inBody({0, 0, 1})};
        const Vec3d rows[3] = {
            {axes[0].x, axes[1].x, axes[2].x}, {axes[0].y, axes[1].y, axes[2].y}, {axes[0].z, axes[1].z, axes[2].z}};
        for (std::size_t i = first; i < cells.size(); ++i)
            cells[i].transform(rows, scale_, point_ - inBody(center_) * scale_);
        return true;
    }
    std::optional<CellComplex> complex(const Vec3d& low, const Vec3d& high) const override {
        const auto box = boxInPattern(low, high);
        std::optional<CellComplex> placed = regions_->complex(box.first, box.second);
        if (!placed)
            return {};
        for (Vec3d& p : placed->points)
            p = point_ + inBody(p - center_) * scale_;
        for (CellComplex::Face& face : placed->faces)
            face.normal = inBody(face.normal);
        return placed;
    }
    Vec3d roughen(const Vec3d& point) const override {
        return point_ + inBody(regions_->roughen(inPattern(point)) - center_) * scale_;
    }
    double roughSize() const override { return regions_->roughSize() * scale_; }

private:
    // Of a vector.
    Vec3d inBody(const Vec3d& v) const { return rows_[0] * v.x + rows_[1] * v.y + rows_[2] * v.z; }
    Vec3d inPattern(const Vec3d& p) const {
        const Vec3d q = (p - point_) * (1 / scale_);
        return center_ + Vec3d{dot(rows_[0], q), dot(rows_[1], q), dot(rows_[2], q)};
    }
    // The box about the corners of another one.
    std::pair<Vec3d, Vec3d> boxInPattern(const Vec3d& first, const Vec3d& last) const {
        Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
        for (int i = 0; i < 8; ++i) {
            const Vec3d p = inPattern({i & 1 ? last.x : first.x, i & 2 ? last.y : first.y, i & 4 ? last.z : first.z});
            low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        }
        return {low, high};
    }
    std::unique_ptr<RegionSource> regions_;
    Vec3d rows_[3];  // of the matrix that turns from the body's frame to the pattern's
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

    bool addCells(const CellRange& range, std::vector<ConvexCell>& cells) const override {
        ConvexCell below(range.low, range.high), above = below;
        above.region = 1;
        if (below.clip({normal_, offset_, 0, false}))
            cells.push_back(std::move(below));
        if (above.clip({normal_ * -1, -offset_, 0, true}))
            cells.push_back(std::move(above));
        return true;
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

    bool addCells(const CellRange& range, std::vector<ConvexCell>& cells) const override {
        std::vector<ConvexCell> inside;
        if (!regions_->addCells(range, inside))
            return false;
        std::vector<ConvexCell> all = geometry::cellsWithin(std::move(inside), point_, reach_, range.roundness / reach_,
                                                            range.low, range.high, ~std::uint64_t(0), kBall);
        for (ConvexCell& cell : all)
            cells.push_back(std::move(cell));
        return true;
    }
    Vec3d roughen(const Vec3d& point) const override { return regions_->roughen(point); }
    double roughSize() const override { return regions_->roughSize(); }

private:
    static constexpr std::uint64_t kBall = std::uint64_t(1) << 63;  // number of the first wall of the ball
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
        regions = std::make_unique<SampledRegions>(pattern);
    return std::make_unique<PlacedRegions>(std::move(regions), place, pattern.pattern.center);
}

std::unique_ptr<RegionSource> planeRegions(const Vec3& point, const Vec3& normal) {
    return std::make_unique<PlaneRegions>(point, normal);
}

std::unique_ptr<RegionSource> withinReach(std::unique_ptr<RegionSource> regions, const Vec3& point, Real reach) {
    return std::make_unique<ReachRegions>(std::move(regions), point, reach);
}

}  // namespace sunder::fracture
