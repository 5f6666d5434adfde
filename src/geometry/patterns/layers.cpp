// Slabs, bricks and shells.
#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "geometry/patterns/generators.h"

namespace sunder::geometry {
namespace {

constexpr double kCubeCorner = 1.7320508075688772;  // corner of the cube

class SlabRegions final : public RegionSource {
public:
    SlabRegions(const SlabPattern& kind, std::uint64_t seed) {
        core::Random random(seed);
        const Vec3d axis = normalizeOr(toDouble(kind.axis), {0, 0, 1}), u = anyPerpendicular(axis), v = cross(axis, u);
        const double thickness = kind.thickness;
        const int half = int(kCubeCorner / thickness) + 2;
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

    bool addCells(const CellRange& range, std::vector<ConvexCell>& cells) const override {
        ConvexCell all(range.low, range.high);
        std::vector<ConvexCell> parts{all};
        for (std::uint64_t i = 0; i < planes_.size(); ++i) {
            const Plane& plane = planes_[i];
            std::vector<ConvexCell> next;
            for (ConvexCell& part : parts) {
                ConvexCell above = part;
                if (part.clip({plane.normal, plane.offset, i, false}))
                    next.push_back(std::move(part));
                above.region += 1;
                if (above.clip({plane.normal * -1, -plane.offset, i, true}))
                    next.push_back(std::move(above));
            }
            parts.swap(next);
        }
        for (ConvexCell& part : parts)
            cells.push_back(std::move(part));
        return true;
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
        const auto number = [](const Along& a) { return key(std::int64_t(a.number)); };
        return {number(x) | number(y) << 20 | number(z) << 40,
                std::min({x.toBorder * size_.x, y.toBorder * size_.y, z.toBorder * size_.z})};
    }

    bool addCells(const CellRange& range, std::vector<ConvexCell>& cells) const override {
        const auto first = [](double low, double size) { return std::int64_t(std::floor(low / size + 0.5)); };
        for (std::int64_t z = first(range.low.z, size_.z); z <= first(range.high.z, size_.z); ++z) {
            const double shift = z % 2 != 0 ? bond_ : 0;
            for (std::int64_t y = first(range.low.y, size_.y); y <= first(range.high.y, size_.y); ++y)
                for (std::int64_t x = first(range.low.x + shift * size_.x, size_.x);
                     x <= first(range.high.x + shift * size_.x, size_.x); ++x)
                    addBrick(range, x, y, z, shift, cells);
        }
        return true;
    }

private:
    static std::uint64_t key(std::int64_t number) { return std::uint64_t(number + (1 << 19)); }
    void addBrick(const CellRange& range, std::int64_t x, std::int64_t y, std::int64_t z, double shift,
                  std::vector<ConvexCell>& cells) const {
        ConvexCell cell(range.low, range.high);
        cell.region = key(x) | key(y) << 20 | key(z) << 40;
        const auto clip = [&](const Vec3d& axis, double size, double from, std::int64_t number, std::uint64_t kind) {
            const std::uint64_t wall = kind << 40 | key(number);
            return cell.clip({axis * -1, -(double(number) - from) * size, wall, true}) &&
                   cell.clip({axis, (double(number) + 1 - from) * size, wall + 1, false});
        };
        // Courses that are shifted have walls of their own across x.
        const std::uint64_t course = z % 2 != 0 ? 4 : 1;
        if (clip({1, 0, 0}, size_.x, 0.5 + shift, x, course) && clip({0, 1, 0}, size_.y, 0.5, y, 2) &&
            clip({0, 0, 1}, size_.z, 0.5, z, 3))
            cells.push_back(std::move(cell));
    }

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
        const int shells = int(kCubeCorner / thickness) + 2;
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

    bool addCells(const CellRange& range, std::vector<ConvexCell>& cells) const override {
        const ConvexCell box(range.low, range.high);
        const double reach = box.reach({});
        const std::vector<std::array<Vec3d, 3>> facets = ballFacets(range.roundness / reach);
        for (std::uint64_t f = 0; f < facets.size(); ++f) {
            const auto& [a, b, c] = facets[f];
            ConvexCell cone = box;
            bool isLeft = true;
            for (const auto& [p, q] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)})
                isLeft = isLeft && cone.clip({normalizeOr(cross(q, p), p), 0});
            const Vec3d out = normalizeOr(cross(b - a, c - a), a);
            for (std::size_t shell = 0; isLeft && shell < radii_.size(); ++shell) {
                const auto wallOf = [&](std::size_t border) { return kSpheres + border * facets.size() + f; };
                ConvexCell cell = cone;
                if (shell > 0 && !cell.clip({out * -1, -radii_[shell - 1] * dot(out, a), wallOf(shell - 1), true}))
                    break;
                if (shell + 1 < radii_.size() && !cell.clip({out, radii_[shell] * dot(out, a), wallOf(shell), false}))
                    continue;
                addSectors(cell, shell, f, cells);
            }
        }
        return true;
    }

private:
    static constexpr std::uint64_t kSpheres = std::uint64_t(1) << 40;  // number of the first wall that is part of a sphere

    void addSectors(const ConvexCell& whole, std::size_t shell, std::uint64_t facet, std::vector<ConvexCell>& cells) const {
        const Vec3d* directions = &directions_[shell * sectors_];
        for (std::size_t own = 0; own < sectors_; ++own) {
            ConvexCell cell = whole;
            cell.region = shell * sectors_ + own;
            bool isLeft = true;
            for (std::size_t i = 0; isLeft && i < sectors_; ++i) {
                const Vec3d apart = directions[i] - directions[own];
                const double size = length(apart);
                const std::uint64_t wall = (shell * sectors_ + std::min(i, own)) * sectors_ + std::max(i, own);
                isLeft = i == own || !(size > 0) || cell.clip({apart * (1 / size), 0, wall, own > i, facet});
            }
            if (isLeft)
                cells.push_back(std::move(cell));
        }
    }

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
