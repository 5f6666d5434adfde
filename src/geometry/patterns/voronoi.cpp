// Cells about random sites, in a space that may be squeezed along one direction (wood).
// The border between the cells of a and b is a plane, so that the distance to the nearest border is exact.
#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "geometry/patterns/generators.h"

namespace sunder::geometry {
namespace {

// Volume of the pattern's cube over that of a ball of the body's size.
constexpr double kCubeOverBall = 8 * 6 / 3.14159265358979323846;
// A ball touches about twice as many cells as its volume says, since it has many of them only in part.
constexpr double kCellsInPart = 2;
// Limit on candidates per site times the square of the number of sites, which is the cost of drawing sites.
constexpr double kMostComparisons = 1e8;

// Points are in the squeezed space: lengths along the grain are divided by the anisotropy.
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

    // |p - b| - |p - a| is at most twice the distance to the border of a and b: sites farther than that are discarded.
    void focus(const Vec3d& center, double radius, double reach) override {
        const Vec3d c = squeeze_(center);
        double nearest = INFINITY;
        for (const Vec3d& site : sites_)
            nearest = std::min(nearest, length(site - c));
        const double limit = nearest + 2 * radius + 2 * reach;
        near_.clear();
        for (std::uint32_t i = 0; i < sites_.size(); ++i)
            if (const double distance = length(sites_[i] - c); distance <= limit)
                near_.push_back({sites_[i], distance - kSpare, i});
        // Sorted by distance from the middle: beyond a certain one a site is too far from any point.
        std::sort(near_.begin(), near_.end(), [](const Near& a, const Near& b) {
            return a.distance != b.distance ? a.distance < b.distance : a.number < b.number;
        });
        radius_ = radius;
    }

    RegionAt at(const Vec3d& point) const override {
        const Vec3d p = squeeze_(point);
        const Near* own = &near_[0];
        double ownSquared = INFINITY, ownLimit = INFINITY;
        for (const Near& site : near_) {
            if (site.distance > ownLimit)
                break;
            const Vec3d d = p - site.place;
            const double squared = dot(d, d);
            if (squared < ownSquared || (squared == ownSquared && site.number < own->number)) {
                ownSquared = squared;
                ownLimit = std::sqrt(squared) + radius_;
                own = &site;
            }
        }
        const double ownDistance = std::sqrt(ownSquared);
        double distance = INFINITY, farthest = INFINITY;  // of a site whose border could still be nearer
        for (const Near& site : near_) {
            if (site.distance > farthest + radius_)
                break;
            const Vec3d d = p - site.place;
            const double squared = dot(d, d);
            if (&site == own || squared >= farthest * farthest)
                continue;
            const double slope = length(squeeze_(own->place - site.place));  // of the plane's function, unsqueezed
            distance = std::min(distance, slope > 0 ? 0.5 * (squared - ownSquared) / slope : 0);
            farthest = ownDistance + 2 * distance;
        }
        return {own->number, distance};
    }

    bool addCells(const CellRange& range, std::vector<ConvexCell>& cells) const override {
        for (std::uint32_t i = 0; i < sites_.size(); ++i)
            if (ConvexCell cell = cellOf(i, range); !cell.isEmpty())
                cells.push_back(std::move(cell));
        return true;
    }

private:
    // Cut by the borders to the nearest sites first, until no other can reach the cell.
    ConvexCell cellOf(std::uint32_t own, const CellRange& range) const {
        ConvexCell cell(range.low, range.high);
        cell.region = own;
        std::vector<std::pair<double, std::uint32_t>> others;
        for (std::uint32_t i = 0; i < sites_.size(); ++i)
            if (i != own)
                others.push_back({length(sites_[i] - sites_[own]), i});
        constexpr std::size_t kFirst = 64;  // more than most cells have borders
        const std::size_t first = std::min(kFirst, others.size());
        std::partial_sort(others.begin(), others.begin() + std::ptrdiff_t(first), others.end());
        const Vec3d& a = sites_[own];
        double reach = reachOf(cell, a);
        for (std::size_t k = 0; k < others.size(); ++k) {
            if (k == first)
                std::sort(others.begin() + std::ptrdiff_t(first), others.end());
            const auto& [distance, i] = others[k];
            if (distance > 2 * reach + kSpare)
                break;
            const Vec3d &b = sites_[i], normal = squeeze_(b - a);
            const double slope = length(normal);
            if (!(slope > 0))
                continue;
            const std::uint64_t wall = std::uint64_t(std::min(own, i)) << 32 | std::max(own, i);
            const std::size_t before = cell.faces().size();
            if (!cell.clip({normal * (1 / slope), 0.5 * (dot(b, b) - dot(a, a)) / slope, wall, own > i}))
                break;
            if (k % 8 == 7 || cell.faces().size() != before)
                reach = reachOf(cell, a);
        }
        return cell;
    }
    double reachOf(const ConvexCell& cell, const Vec3d& site) const {
        double farthest = 0;
        for (const ConvexCell::Face& face : cell.faces())
            for (const Vec3d& p : face.points)
                farthest = std::max(farthest, length(squeeze_(p) - site));
        return farthest;
    }

    struct Near {
        Vec3d place;
        double distance;  // from the middle of the focus, at most
        std::uint32_t number;
    };
    static constexpr double kSpare = 1e-9;  // for rounding

    std::vector<Vec3d> sites_;  // squeezed
    Squeeze squeeze_;
    std::vector<Near> near_;
    double radius_ = 0;
};

Vec3d pointInCube(core::Random& random) {
    const double x = random.between(-1, 1), y = random.between(-1, 1), z = random.between(-1, 1);
    return {x, y, z};
}

// Pulls points towards the centre: the larger `clustering`, the more of them, by up to a factor of 100.
Vec3d clustered(const Vec3d& p, double clustering, core::Random& random) {
    const double pull = random.unit();
    return pull < clustering ? p * (pull / clustering * random.unit() * 0.6) : p;
}

// Spacing of sites that keep apart, in proportion to the distance from the centre where they cluster.
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
