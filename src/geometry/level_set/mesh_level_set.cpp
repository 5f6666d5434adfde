// 1  repair: weld, orient, count what is wrong                    (mesh_repair.h)
// 2  exact distances of the nodes near each triangle
// 3  signs: one winding number per region that the surface separates; per node where the surface is near or has holes
// 4  holes: where the sign changes far from any triangle, the surface is where the winding number is 1/2
// 5  crossings: inside nodes whose nearest triangle is buried in the solid are measured again
// 6  distances of all other nodes by sweeping                     (sweep.h)
#include "geometry/level_set/mesh_level_set.h"

#include <algorithm>
#include <cmath>

#include "core/none.h"
#include "geometry/level_set/closest_point.h"
#include "geometry/level_set/components.h"
#include "geometry/level_set/sweep.h"
#include "geometry/level_set/winding_number.h"

namespace sunder::geometry {
namespace {

// Cells. An edge between two nodes farther than this from the surface cannot cross it: their distances would add up to at most
// 1.
constexpr double kCannotCross = 0.5001;
// Cells. A sign change whose two distances add up to more than this, which allows for rounding, lies in a hole.
constexpr double kInHole = 1.001;
// Cells. With holes, distances are exact only next to a triangle: farther away the closed hole may be nearer.
constexpr double kExactNextToHoles = 1.0;
// Cells: how far behind the nearest point to look for a buried triangle.
constexpr double kBehind = 1e-3;

class MeshField {
public:
    MeshField(RepairedMesh& mesh, const Grid& grid, Real bandCells)
        : mesh_(mesh),
          grid_(grid),
          band_(double(bandCells)),
          winding_(mesh.vertices, mesh.triangles),
          distance_(grid.nodeCount(), double(bandCells) * double(grid.cell)),
          nearest_(grid.nodeCount(), kNone),
          isInside_(grid.nodeCount()) {}

    DistanceField run() {
        for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t)
            measureNear(t);
        const bool hasHoles = mesh_.report.openEdges > 0 || mesh_.report.nonManifoldEdges > 0;
        std::vector<std::uint8_t> isKnown(distance_.size());
        for (std::size_t node = 0; node < distance_.size(); ++node)
            isKnown[node] = nearest_[node] != kNone;
        if (hasHoles)
            signEveryNode(isKnown);
        else
            signRegions();
        if (mesh_.report.selfIntersections > 0 || !mesh_.report.selfIntersectionsCounted || hasHoles)
            forgetBuried(isKnown);
        return finish(isKnown);
    }

private:
    double cell() const { return double(grid_.cell); }
    Vec3d position(std::size_t node) const {
        const std::size_t row = std::size_t(grid_.nodes.x), slice = row * std::size_t(grid_.nodes.y);
        return toDouble(grid_.position(int(node % row), int(node % slice / row), int(node / slice)));
    }

    // Step 2.
    void measureNear(std::uint32_t triangle) {
        const TriangleIndices& t = mesh_.triangles[triangle];
        const Vec3d a = mesh_.vertices[t[0]], b = mesh_.vertices[t[1]], c = mesh_.vertices[t[2]];
        const Vec3d areaVector = cross(b - a, c - a);
        const double area = length(areaVector), reach = band_ * cell();
        const Vec3d normal = area > 0 ? areaVector * (1 / area) : Vec3d{};
        const auto range = [&](double p, double q, double r, double origin, int nodes, int& first, int& last) {
            first = std::max(0, int(std::ceil((std::min({p, q, r}) - reach - origin) / cell())));
            last = std::min(nodes - 1, int(std::floor((std::max({p, q, r}) + reach - origin) / cell())));
        };
        int x0, x1, y0, y1, z0, z1;
        range(a.x, b.x, c.x, grid_.origin.x, grid_.nodes.x, x0, x1);
        range(a.y, b.y, c.y, grid_.origin.y, grid_.nodes.y, y0, y1);
        range(a.z, b.z, c.z, grid_.origin.z, grid_.nodes.z, z0, z1);
        for (int z = z0; z <= z1; ++z)
            for (int y = y0; y <= y1; ++y)
                for (int x = x0; x <= x1; ++x) {
                    const Vec3d p = toDouble(grid_.position(x, y, z));
                    const std::size_t node = grid_.index(x, y, z);
                    if (std::fabs(dot(normal, p - a)) > distance_[node])
                        continue;
                    const double squared = closestPoint(p, a, b, c).squaredDistance;
                    if (squared < distance_[node] * distance_[node]) {
                        distance_[node] = std::sqrt(squared);
                        nearest_[node] = triangle;
                    }
                }
    }

    // Step 3 for a closed surface: nodes that no surface separates have one sign.
    void signRegions() {
        std::vector<std::uint16_t> isFar(distance_.size());
        for (std::size_t node = 0; node < distance_.size(); ++node)
            isFar[node] = distance_[node] > kCannotCross * cell();
        const Components regions = labelComponents(grid_.nodes, isFar, Connectivity::Face);
        constexpr std::uint8_t unknown = 2;
        std::vector<std::uint8_t> insideRegion(regions.count(), unknown);
        for (std::size_t node = 0; node < distance_.size(); ++node) {
            const std::uint32_t region = regions.ofNode[node];
            if (region == kNoComponent) {
                isInside_[node] = winding_.isInside(position(node));
                continue;
            }
            if (insideRegion[region] == unknown)
                insideRegion[region] = winding_.isInside(position(node));
            isInside_[node] = insideRegion[region];
        }
    }

    // Steps 3 and 4 for a surface with holes.
    void signEveryNode(std::vector<std::uint8_t>& isKnown) {
        std::vector<float> winding(distance_.size());
        for (std::size_t node = 0; node < distance_.size(); ++node) {
            winding[node] = float(winding_.at(position(node)));
            isInside_[node] = winding[node] > 0.5f;
            isKnown[node] = distance_[node] <= kExactNextToHoles * cell();
        }
        std::vector<std::uint8_t> isCapped(distance_.size());
        const auto [nx, ny, nz] = grid_.nodes;
        const std::size_t row = std::size_t(nx), slice = row * std::size_t(ny);
        std::vector<double> capped = distance_;
        const auto visitEdge = [&](std::size_t a, std::size_t b) {
            if (isInside_[a] == isInside_[b] || distance_[a] + distance_[b] <= kInHole * cell())
                return;
            const double t = (double(winding[a]) - 0.5) / (double(winding[a]) - double(winding[b]));
            capped[a] = std::min(capped[a], t * cell());
            capped[b] = std::min(capped[b], (1 - t) * cell());
            isCapped[a] = isCapped[b] = 1;
        };
        for (int z = 0; z < nz; ++z)
            for (int y = 0; y < ny; ++y)
                for (int x = 0; x < nx; ++x) {
                    const std::size_t at = grid_.index(x, y, z);
                    if (x + 1 < grid_.nodes.x)
                        visitEdge(at, at + 1);
                    if (y + 1 < grid_.nodes.y)
                        visitEdge(at, at + row);
                    if (z + 1 < grid_.nodes.z)
                        visitEdge(at, at + slice);
                }
        distance_ = std::move(capped);
        for (std::size_t node = 0; node < distance_.size(); ++node)
            if (isCapped[node]) {
                isKnown[node] = 1;
                nearest_[node] = kNone;
                ++mesh_.report.cappedNodes;
            }
    }

    // Step 5: behind the nearest point of the true surface lies the outside.
    void forgetBuried(std::vector<std::uint8_t>& isKnown) {
        const double ahead = kBehind * cell();
        for (std::size_t node = 0; node < distance_.size(); ++node) {
            if (!isKnown[node] || !isInside_[node] || nearest_[node] == kNone)
                continue;
            const TriangleIndices& t = mesh_.triangles[nearest_[node]];
            const Vec3d a = mesh_.vertices[t[0]], b = mesh_.vertices[t[1]], c = mesh_.vertices[t[2]], p = position(node);
            const auto weights = closestPoint(p, a, b, c).weights;
            const Vec3d q = a * weights[0] + b * weights[1] + c * weights[2];
            Vec3d direction = q - p;
            if (!(length(direction) > ahead))
                direction = cross(b - a, c - a);
            const double size = length(direction);
            if (size > 0 && winding_.isInside(q + direction * (ahead / size)))
                isKnown[node] = 0;
        }
    }

    // Step 6.
    DistanceField finish(const std::vector<std::uint8_t>& isKnown) const {
        DistanceField field{grid_, std::vector<Real>(distance_.size())};
        for (std::size_t node = 0; node < distance_.size(); ++node)
            field.values[node] = Real(distance_[node]);
        if (std::find(isKnown.begin(), isKnown.end(), std::uint8_t(1)) != isKnown.end())
            sweepDistances(grid_, field.values, isKnown);
        for (std::size_t node = 0; node < distance_.size(); ++node)
            if (isInside_[node])
                field.values[node] = -field.values[node];
        return field;
    }

    RepairedMesh& mesh_;
    Grid grid_;
    double band_;
    WindingNumber winding_;
    std::vector<double> distance_;        // unsigned, m; the band's width where no triangle is near
    std::vector<std::uint32_t> nearest_;  // triangle, or kNone
    std::vector<std::uint8_t> isInside_;
};

}  // namespace

MeshFieldResult distanceOfMesh(std::span<const Vec3> vertices, std::span<const TriangleIndices> triangles,
                               const Resolution& resolution, Real bandCells) {
    MeshFieldResult result;
    if (!(bandCells >= 1) || !std::isfinite(bandCells)) {
        result.error = "mesh: the band must be at least one cell wide";
        return result;
    }
    RepairedMesh mesh = repairMesh(vertices, triangles);
    result.report = mesh.report;
    result.error = mesh.error;
    if (!result.error.empty())
        return result;
    const GridResult grid = gridAround(mesh.bounds, resolution);
    result.error = grid.error;
    if (!result.error.empty())
        return result;
    result.field = MeshField(mesh, grid.grid, bandCells).run();
    result.report = mesh.report;
    const auto isInside = [](Real value) { return value < 0; };
    if (std::none_of(result.field.values.begin(), result.field.values.end(), isInside))
        result.error = "mesh: no node lies inside; the cell size is larger than the solid is thick";
    return result;
}

MeshFieldResult distanceOnGrid(std::span<const Vec3> vertices, std::span<const TriangleIndices> triangles, const Grid& grid,
                               Real bandCells) {
    MeshFieldResult result;
    RepairedMesh mesh = repairMesh(vertices, triangles);
    result.error = mesh.error;
    if (result.error.empty())
        result.field = MeshField(mesh, grid, bandCells).run();
    result.report = mesh.report;
    return result;
}

}  // namespace sunder::geometry
