// Slabs, bricks and shells.
#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "geometry/patterns/generators.h"

namespace sunder::geometry {
namespace {

constexpr double kFarthest = 1.7320508075688772;  // corner of the cube

class SlabRegions final : public RegionSource {
public:
    SlabRegions(const SlabPattern& kind, std::uint64_t seed) {
        core::Random random(seed);
        const Vec3d axis = normalizeOr(toDouble(kind.axis), {0, 0, 1}), u = anyPerpendicular(axis), v = cross(axis, u);
        const double thickness = kind.thickness;
        const int half = int(kFarthest / thickness) + 2;
        for (int i = -half; i <= half; ++i) {
            const double tiltU = kind.tilt * random.between(-1, 1), tiltV = kind.tilt * random.between(-1, 1);
            // The centre lies in the middle of a slab.
            const double offset = thickness * (i + 0.5 + 0.5 * kind.jitter * random.between(-1, 1));
            const Vec3d normal = normalizeOr(axis + u * tiltU + v * tiltV, axis);
            planes_.push_back({normal, offset * dot(normal, axis)});
        }
    }
    // The region is the number of planes below: it changes at every plane, even where two of them cross.
    RegionAt at(const Vec3d& p) const override {
        RegionAt result{0, INFINITY};
        for (const Plane& plane : planes_) {
            const double above = dot(plane.normal, p) - plane.offset;
            result.region += above >= 0 ? 1 : 0;
            result.distance = std::min(result.distance, std::fabs(above));
        }
        return result;
    }

private:
    struct Plane {
        Vec3d normal;
        double offset;
    };
    std::vector<Plane> planes_;
};

class BrickRegions final : public RegionSource {
public:
    explicit BrickRegions(const BrickPattern& kind) : size_(toDouble(kind.size)), bond_(kind.bond) {}

    RegionAt at(const Vec3d& p) const override {
        const Along z(p.z / size_.z + 0.5), y(p.y / size_.y + 0.5);
        const Along x(p.x / size_.x + 0.5 + (std::int64_t(z.number) % 2 != 0 ? bond_ : 0));
        const auto key = [](const Along& a) { return std::uint64_t(std::int64_t(a.number) + (1 << 19)); };
        return {key(x) | key(y) << 20 | key(z) << 40,
                std::min({x.toBorder * size_.x, y.toBorder * size_.y, z.toBorder * size_.z})};
    }

private:
    struct Along {
        double number, toBorder;  // in bricks
        explicit Along(double t) : number(std::floor(t)), toBorder(std::min(t - number, number + 1 - t)) {}
    };
    Vec3d size_;
    double bond_;
};

class ShellRegions final : public RegionSource {
public:
    ShellRegions(const ShellPattern& kind, std::uint64_t seed) : sectors_(std::size_t(kind.sectors)) {
        core::Random random(seed);
        const double thickness = kind.thickness;
        const int shells = int(kFarthest / thickness) + 2;
        for (int shell = 0; shell < shells; ++shell) {
            radii_.push_back(thickness * (shell + 1 + 0.45 * kind.jitter * random.between(-1, 1)));
            for (int sector = 0; sector < kind.sectors; ++sector)
                directions_.push_back(randomDirection(random));
        }
    }
    RegionAt at(const Vec3d& p) const override {
        const double radius = length(p);
        std::size_t shell = 0;
        while (shell + 1 < radii_.size() && radius >= radii_[shell])
            ++shell;
        double distance = std::fabs(radii_[shell] - radius);
        if (shell > 0)
            distance = std::min(distance, radius - radii_[shell - 1]);
        const Vec3d* directions = &directions_[shell * sectors_];
        std::size_t own = 0;
        for (std::size_t i = 1; i < sectors_; ++i)
            own = dot(p, directions[i]) > dot(p, directions[own]) ? i : own;
        for (std::size_t i = 0; i < sectors_; ++i) {
            const Vec3d apart = directions[own] - directions[i];
            const double size = length(apart);
            if (i != own && size > 0)
                distance = std::min(distance, dot(p, apart) / size);
        }
        return {shell * sectors_ + own, distance};
    }

private:
    static Vec3d randomDirection(core::Random& random) {
        for (;;) {
            const double x = random.between(-1, 1), y = random.between(-1, 1), z = random.between(-1, 1);
            const double size = length(Vec3d{x, y, z});
            if (size > 0.1 && size < 1)
                return Vec3d{x, y, z} * (1 / size);
        }
    }
    std::size_t sectors_;
    std::vector<double> radii_;
    std::vector<Vec3d> directions_;  // per shell and sector
};

}  // namespace

std::unique_ptr<RegionSource> slabRegions(const SlabPattern& kind, std::uint64_t seed) {
    return std::make_unique<SlabRegions>(kind, seed);
}
std::unique_ptr<RegionSource> brickRegions(const BrickPattern& kind) { return std::make_unique<BrickRegions>(kind); }
std::unique_ptr<RegionSource> shellRegions(const ShellPattern& kind, std::uint64_t seed) {
    return std::make_unique<ShellRegions>(kind, seed);
}

}  // namespace sunder::geometry
