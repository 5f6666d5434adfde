// Rays from the centre and rings about the normal (y).
#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "geometry/patterns/generators.h"
#include "math/trigonometry.h"

namespace sunder::geometry {
namespace {

constexpr double kTurn = 2 * 3.14159265358979323846;

class RadialRegions final : public RegionSource {
public:
    RadialRegions(const RadialPattern& kind, std::uint64_t seed) : kind_(kind) {
        core::Random random(seed);
        const double start = kTurn * random.unit();
        for (int ray = 0; ray < 2 * kind.rays; ++ray) {  // odd rays divide a sector
            const double shift = kind.jitter * random.between(-0.45, 0.45) * (ray % 2 == 0 ? 1 : 0.5);
            const double angle = start + kTurn * (0.5 * ray + shift) / kind.rays;
            const SinCos turn = sinCos(Real(angle));
            rays_.push_back({double(turn.cos), double(turn.sin)});
        }
        double radius = kind.innerRadius;
        const double gap = double(kind.growth) - 1;
        for (int ring = 0; ring < kind.rings; ++ring, radius *= kind.growth)
            for (int sector = 0; sector < kind.rays; ++sector)
                // The innermost ring is a circle; the others move by less than half the distance to their neighbours.
                radii_.push_back(radius *
                                 (ring == 0 ? 1 : 1 + 0.45 * kind.jitter * gap / double(kind.growth) * random.between(-1, 1)));
    }

    RegionAt at(const Vec3d& p) const override {
        const double radius = std::sqrt(p.x * p.x + p.z * p.z), inner = kind_.innerRadius;
        if (radius < inner)
            return {0, inner - radius};
        int sector = 0;
        while (sector + 1 < kind_.rays && !isBetween(p, 2 * sector))
            ++sector;
        double distance =
            std::min({radius - inner, distanceToRay(p, radius, 2 * sector), distanceToRay(p, radius, 2 * sector + 2)});
        int ring = 1;
        for (; ring < kind_.rings && radius >= ringRadius(ring, sector); ++ring)
            distance = std::min(distance, radius - ringRadius(ring, sector));
        if (ring < kind_.rings)
            distance = std::min(distance, ringRadius(ring, sector) - radius);
        std::uint64_t half = 0;
        if (ring >= kind_.splitRing) {
            half = across(2 * sector + 1, p) > 0 ? 1 : 0;
            distance = std::min(distance, distanceToRay(p, radius, 2 * sector + 1));
        }
        return {1 + half + 2 * (std::uint64_t(sector) + std::uint64_t(kind_.rays) * std::uint64_t(ring)), distance};
    }

    bool isPrism() const override { return true; }

    // Each sector is divided into wedges so narrow that chords serve as arcs.
    bool addCells(const CellRange& range, std::vector<ConvexCell>& cells) const override {
        const std::vector<Wedge> wedges = wedgesFor(range);
        for (std::uint64_t w = 0; w < wedges.size(); ++w) {
            const Direction &d = wedges[w].from, &e = wedges[w].to;
            ConvexCell wedge(range.low, range.high);
            if (!wedge.clip({{d.z, 0, -d.x}, 0, w, true}) || !wedge.clip({{-e.z, 0, e.x}, 0, (w + 1) % wedges.size(), false}))
                continue;
            const Vec3d out = normalizeOr(Vec3d{d.x + e.x, 0, d.z + e.z}, {d.x, 0, d.z});
            const double chord = out.x * d.x + out.z * d.z;  // distance over radius
            for (int ring = 0; ring <= kind_.rings; ++ring) {
                ConvexCell cell = wedge;
                const auto wallOf = [&](int border) { return kArcs + std::uint64_t(border) * wedges.size() + w; };
                const auto radiusOf = [&](int border) {
                    return border == 0 ? double(kind_.innerRadius) : ringRadius(border, wedges[w].sector);
                };
                if (ring > 0 && !cell.clip({out * -1, -chord * radiusOf(ring - 1), wallOf(ring - 1), true}))
                    continue;
                if (ring < kind_.rings && !cell.clip({out, chord * radiusOf(ring), wallOf(ring), false}))
                    continue;
                const std::uint64_t half = ring >= kind_.splitRing ? wedges[w].half : 0;
                const std::uint64_t sector = std::uint64_t(wedges[w].sector);
                cell.region = ring == 0 ? 0 : 1 + half + 2 * (sector + std::uint64_t(kind_.rays) * std::uint64_t(ring));
                cells.push_back(std::move(cell));
            }
        }
        return true;
    }

private:
    static constexpr std::uint64_t kArcs = 1u << 20;  // number of the first wall that is part of an arc
    struct Direction {
        double x, z;
    };

    struct Wedge {
        Direction from, to;
        int sector;
        std::uint64_t half;
    };
    // Rays are unit vectors in single precision only; chords of neighbouring wedges must end in the same points.
    static Direction exact(const Direction& d) {
        const double size = std::sqrt(d.x * d.x + d.z * d.z);
        return {d.x / size, d.z / size};
    }
    std::vector<Wedge> wedgesFor(const CellRange& range) const {
        const auto farther = [](double low, double high) { return std::max(std::fabs(low), std::fabs(high)); };
        const double reach = length(Vec3d{farther(range.low.x, range.high.x), 0, farther(range.low.z, range.high.z)});
        double radius = kind_.innerRadius;
        for (const double ring : radii_)
            if (ring < reach)
                radius = std::max(radius, ring);
        constexpr int kMostPerHalf = 24;
        std::vector<Wedge> wedges;
        for (int half = 0; half < 2 * kind_.rays; ++half) {
            const Direction from = exact(ray(half)), to = exact(ray(half + 1));
            const double angle = length(Vec3d{to.x - from.x, 0, to.z - from.z});
            const double wanted = range.roundness > 0 ? angle * std::sqrt(radius / (8 * range.roundness)) : 1;
            const int count = int(std::clamp(std::ceil(wanted), 1.0, double(kMostPerHalf)));
            Direction last = from;
            for (int i = 1; i <= count; ++i) {
                const double t = double(i) / count;
                const Vec3d mixed =
                    normalizeOr(Vec3d{from.x * (1 - t) + to.x * t, 0, from.z * (1 - t) + to.z * t}, {to.x, 0, to.z});
                const Direction next = i == count ? to : Direction{mixed.x, mixed.z};
                wedges.push_back({last, next, half / 2, std::uint64_t(half % 2)});
                last = next;
            }
        }
        return wedges;
    }

    double ringRadius(int ring, int sector) const { return radii_[std::size_t(ring) * kind_.rays + sector]; }
    const Direction& ray(int number) const { return rays_[std::size_t(number % (2 * kind_.rays))]; }
    double along(int number, const Vec3d& p) const { return ray(number).x * p.x + ray(number).z * p.z; }
    // Positive on the side to which the angle grows.
    double across(int number, const Vec3d& p) const { return ray(number).x * p.z - ray(number).z * p.x; }
    double distanceToRay(const Vec3d& p, double radius, int number) const {
        return along(number, p) > 0 ? std::fabs(across(number, p)) : radius;
    }
    // Whether p is between the ray and the next even one; there are at least three, so they are less than half a turn apart.
    bool isBetween(const Vec3d& p, int number) const { return across(number, p) >= 0 && across(number + 2, p) < 0; }

    RadialPattern kind_;
    std::vector<Direction> rays_;
    std::vector<double> radii_;  // per ring and sector
};

}  // namespace

std::unique_ptr<RegionSource> radialRegions(const RadialPattern& kind, std::uint64_t seed) {
    return std::make_unique<RadialRegions>(kind, seed);
}

}  // namespace sunder::geometry
