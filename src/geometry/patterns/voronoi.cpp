// Cells about random sites, in a space that may be squeezed along one direction (wood).
// The border between the cells of a and b is a plane, so that the distance to the nearest border is exact.
#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "geometry/patterns/generators.h"

namespace sunder::geometry {
namespace {

// The cube has the volume of so many balls of the body's size.
constexpr double kCubeOverBall = 8 * 6 / 3.14159265358979323846;
// A ball has about twice as many cells as its volume says, those that it has in part included.
constexpr double kCellsInPart = 2;
// Candidates per site times the square of the number of sites: what drawing sites may cost.
constexpr double kMostComparisons = 1e8;

// Points are given in the squeezed space: along the grain all lengths count 1 / anisotropy.
struct Squeeze {
    Vec3d grain{1, 0, 0};
    double along = 1;
    Vec3d operator()(const Vec3d& p) const { return p + grain * ((along - 1) * dot(grain, p)); }
};

class VoronoiRegions final : public RegionSource {
public:
    VoronoiRegions(std::vector<Vec3d> sites, const Squeeze& squeeze) : sites_(std::move(sites)), squeeze_(squeeze) {
        for (Vec3d& site : sites_)
            site = squeeze_(site);
    }

    // |p - b| - |p - a| is at most twice the distance to the border of a and b: sites farther than that do not count.
    void focus(const Vec3d& center, double radius, double reach) override {
        const Vec3d c = squeeze_(center);
        double nearest = INFINITY;
        for (const Vec3d& site : sites_)
            nearest = std::min(nearest, length(site - c));
        const double limit = nearest + 2 * radius + 2 * reach;
        near_.clear();
        for (std::uint32_t i = 0; i < sites_.size(); ++i)
            if (length(sites_[i] - c) <= limit)
                near_.push_back(i);
    }

    RegionAt at(const Vec3d& point) const override {
        const Vec3d p = squeeze_(point);
        std::uint32_t own = near_[0];
        double ownSquared = INFINITY;
        for (const std::uint32_t i : near_) {
            const Vec3d d = p - sites_[i];
            if (dot(d, d) < ownSquared) {
                ownSquared = dot(d, d);
                own = i;
            }
        }
        double distance = INFINITY, farthest = INFINITY;  // squared distance of a site that could still be nearer
        for (const std::uint32_t i : near_) {
            const Vec3d d = p - sites_[i];
            if (i == own || dot(d, d) >= farthest)
                continue;
            const double slope = length(squeeze_(sites_[own] - sites_[i]));  // of the plane's function, unsqueezed
            distance = std::min(distance, slope > 0 ? 0.5 * (dot(d, d) - ownSquared) / slope : 0);
            const double reach = std::sqrt(ownSquared) + 2 * distance;
            farthest = reach * reach;
        }
        return {own, distance};
    }

private:
    std::vector<Vec3d> sites_;  // squeezed
    Squeeze squeeze_;
    std::vector<std::uint32_t> near_;
};

Vec3d pointInCube(core::Random& random) {
    const double x = random.between(-1, 1), y = random.between(-1, 1), z = random.between(-1, 1);
    return {x, y, z};
}

// Towards the centre: the larger `clustering`, the more of the points are pulled in, by up to a factor of 100.
Vec3d clustered(const Vec3d& p, double clustering, core::Random& random) {
    const double pull = random.unit();
    return pull < clustering ? p * (pull / clustering * random.unit() * 0.6) : p;
}

// How far a site's surroundings are its own, for sites that keep apart; nearer to the centre in proportion.
double spacing(const Vec3d& p, const VoronoiPattern& kind) {
    return kind.clustering > 0 ? 0.1 + std::min(length(p), 1.0) : 1.0;
}

std::vector<Vec3d> drawSites(const VoronoiPattern& kind, const Squeeze& squeeze, std::uint64_t seed) {
    core::Random random(seed);
    const double count = std::max(1.0, std::floor(kind.pieces * kCubeOverBall / kCellsInPart));
    const int candidates = 1 + int(double(kind.evenness) * std::min(9.0, kMostComparisons / (count * count)));
    constexpr int kMostTries = 1000;
    const auto draw = [&] {
        Vec3d p;
        for (int i = 0; i < kMostTries; ++i) {
            p = clustered(pointInCube(random), kind.clustering, random);
            if (!kind.density || random.unit() < double(kind.density(toReal(p))))
                break;
        }
        return p;
    };
    // [Mit91] Mitchell: of several candidates the one that is farthest from all others.
    std::vector<Vec3d> sites;
    while (double(sites.size()) < count) {
        Vec3d best;
        double bestDistance = -1;
        for (int i = 0; i < candidates; ++i) {
            const Vec3d p = draw();
            double nearest = 10;
            for (const Vec3d& other : sites)
                nearest = std::min(nearest, length(squeeze(p - other)) / spacing(p, kind));
            if (nearest > bestDistance) {
                bestDistance = nearest;
                best = p;
            }
        }
        sites.push_back(best);
    }
    return sites;
}

}  // namespace

std::unique_ptr<RegionSource> voronoiRegions(const VoronoiPattern& kind, std::uint64_t seed) {
    return std::make_unique<VoronoiRegions>(drawSites(kind, {}, seed), Squeeze{});
}

std::unique_ptr<RegionSource> woodRegions(const WoodPattern& kind, std::uint64_t seed) {
    const Squeeze squeeze{normalizeOr(toDouble(kind.grain), {1, 0, 0}), 1 / double(kind.anisotropy)};
    VoronoiPattern sites;
    sites.pieces = kind.pieces;
    return std::make_unique<VoronoiRegions>(drawSites(sites, squeeze, seed), squeeze);
}

}  // namespace sunder::geometry
