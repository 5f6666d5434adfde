#include "geometry/cells/convex_cell.h"

#include <algorithm>
#include <cmath>

namespace sunder::geometry {
namespace {

// Share of the cell's size: points closer to a plane than this are on it. Far above rounding, far below anything that is drawn.
constexpr double kOnPlane = 1e-12;

// The polygon that closes the cell where it was cut: the ends of all new edges, in their order about the normal.
std::vector<Vec3d> capOf(std::vector<Vec3d>& ends, const Vec3d& normal, double slack) {
    Vec3d middle;
    for (const Vec3d& p : ends)
        middle += p * (1.0 / double(ends.size()));
    const Vec3d u = anyPerpendicular(normal), v = cross(normal, u);
    struct Turn {
        double angle;
        Vec3d point;
    };
    std::vector<Turn> turns;
    for (const Vec3d& p : ends) {
        // Grows with the angle, from 0 to 4.
        const double x = dot(p - middle, u), y = dot(p - middle, v), sum = std::fabs(x) + std::fabs(y);
        const double share = sum > 0 ? y / sum : 0;
        turns.push_back({x < 0 ? 2 - share : (y < 0 ? 4 + share : share), p});
    }
    std::stable_sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) { return a.angle < b.angle; });
    std::vector<Vec3d> cap;
    for (const Turn& turn : turns)
        if (cap.empty() || length(turn.point - cap.back()) > slack)
            cap.push_back(turn.point);
    while (cap.size() > 1 && length(cap.front() - cap.back()) <= slack)
        cap.pop_back();
    return cap;
}

}  // namespace

ConvexCell::ConvexCell(const Vec3d& low, const Vec3d& high) : size_(length(high - low)) {
    const auto corner = [&](int i) { return Vec3d{i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z}; };
    constexpr int kSides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    const CellPlane planes[6] = {{{-1, 0, 0}, -low.x}, {{1, 0, 0}, high.x},  {{0, -1, 0}, -low.y},
                                 {{0, 1, 0}, high.y},  {{0, 0, -1}, -low.z}, {{0, 0, 1}, high.z}};
    for (int side = 0; side < 6; ++side) {
        Face& face = faces_.emplace_back();
        face.plane = planes[side];
        for (const int i : kSides[side])
            face.points.push_back(corner(i));
    }
}

bool ConvexCell::isCrossedBy(const Vec3d& normal, double offset) const {
    bool isInFront = false, isBehind = false;
    for (const Face& face : faces_)
        for (const Vec3d& p : face.points) {
            const double height = dot(normal, p) - offset;
            isInFront |= height > kOnPlane * size_;
            isBehind |= height < -kOnPlane * size_;
        }
    return isInFront && isBehind;
}

bool ConvexCell::clip(const CellPlane& plane) {
    const double slack = kOnPlane * size_;
    bool isInFront = false, isBehind = false;
    for (const Face& face : faces_)
        for (const Vec3d& p : face.points) {
            const double height = dot(plane.normal, p) - plane.offset;
            isInFront |= height > slack;
            isBehind |= height < -slack;
        }
    if (!isBehind)
        faces_.clear();
    if (!isBehind || !isInFront)
        return isBehind;
    std::vector<Vec3d> ends;
    for (Face& face : faces_) {
        clipPolygon(face.points, plane.normal, plane.offset, slack);
        for (const Vec3d& p : face.points)
            if (std::fabs(dot(plane.normal, p) - plane.offset) <= 4 * slack)
                ends.push_back(p);
    }
    std::erase_if(faces_, [](const Face& face) { return face.points.size() < 3; });
    std::vector<Vec3d> cap = capOf(ends, plane.normal, 4 * slack);
    if (cap.size() >= 3)
        faces_.push_back({plane, std::move(cap)});
    return !faces_.empty();
}

double ConvexCell::reach(const Vec3d& from) const {
    double farthest = 0;
    for (const Face& face : faces_)
        for (const Vec3d& p : face.points)
            farthest = std::max(farthest, length(p - from));
    return farthest;
}

void ConvexCell::transform(const Vec3d (&axes)[3], double scale, const Vec3d& move) {
    const auto turn = [&](const Vec3d& p) { return Vec3d{dot(axes[0], p), dot(axes[1], p), dot(axes[2], p)}; };
    for (Face& face : faces_) {
        face.plane.normal = turn(face.plane.normal);
        face.plane.offset = face.plane.offset * scale + dot(face.plane.normal, move);
        for (Vec3d& p : face.points)
            p = move + turn(p) * scale;
    }
    size_ *= scale;
}

void clipPolygon(std::vector<Vec3d>& polygon, const Vec3d& normal, double offset, double slack) {
    const std::size_t count = polygon.size();
    std::vector<Vec3d> kept;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d &p = polygon[i], &q = polygon[(i + 1) % count];
        const double from = dot(normal, p) - offset, to = dot(normal, q) - offset;
        if (from <= slack)
            kept.push_back(p);
        if ((from > slack && to < -slack) || (from < -slack && to > slack)) {
            // Ends in a fixed order, so that the point has the same bits in both cells that share the edge.
            const bool swaps = from > 0;
            const Vec3d &a = swaps ? q : p, &b = swaps ? p : q;
            const double heightA = swaps ? to : from, heightB = swaps ? from : to;
            kept.push_back(a + (b - a) * (heightA / (heightA - heightB)));
        }
    }
    polygon.swap(kept);
}

std::vector<std::array<Vec3d, 3>> ballFacets(double sagitta) {
    std::vector<std::array<Vec3d, 3>> facets;
    // Turned away from the coordinate planes: the surface that is hit often is one, and would hold edges of the ball.
    const Vec3d axisX = normalizeOr(Vec3d{0.71, 0.53, 0.46}, Vec3d{1, 0, 0}), axisY = anyPerpendicular(axisX),
                axisZ = cross(axisX, axisY);
    for (int i = 0; i < 8; ++i) {
        const Vec3d x = axisX * (i & 1 ? 1 : -1), y = axisY * (i & 2 ? 1 : -1), z = axisZ * (i & 4 ? 1 : -1);
        const bool isEven = ((i & 1) + (i >> 1 & 1) + (i >> 2)) % 2 == 1;
        facets.push_back(isEven ? std::array<Vec3d, 3>{x, y, z} : std::array<Vec3d, 3>{x, z, y});
    }
    constexpr int kMostRounds = 3;  // 512 facets, within 0.5 % of the radius
    double angle = 1.5707963267948966;
    for (int round = 0; round < kMostRounds && angle * angle / 8 > sagitta; ++round, angle /= 2) {
        std::vector<std::array<Vec3d, 3>> finer;
        for (const auto& [a, b, c] : facets) {
            const Vec3d ab = normalizeOr(a + b, a), bc = normalizeOr(b + c, b), ca = normalizeOr(c + a, c);
            finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
        }
        facets.swap(finer);
    }
    return facets;
}

std::vector<ConvexCell> cellsWithin(std::vector<ConvexCell> cells, const Vec3d& center, double radius, double sagitta,
                                    const Vec3d& low, const Vec3d& high, std::uint64_t outside, std::uint64_t firstWall) {
    std::vector<ConvexCell> result;
    std::vector<ConvexCell> crossing;
    const std::vector<std::array<Vec3d, 3>> facets = ballFacets(sagitta);
    double inner = 1;
    for (const auto& [a, b, c] : facets)
        inner = std::min(inner, dot(normalizeOr(cross(b - a, c - a), a), a));
    for (ConvexCell& cell : cells)
        (cell.reach(center) < inner * radius ? result : crossing).push_back(std::move(cell));
    for (const std::array<Vec3d, 3>& facet : facets) {
        const Vec3d &a = facet[0], &b = facet[1], &c = facet[2];
        const Vec3d normal = normalizeOr(cross(b - a, c - a), a);
        const double offset = dot(normal, center) + radius * dot(normal, a);
        const std::uint64_t wall = firstWall++;
        const auto inCone = [&](ConvexCell& cell) {
            for (std::size_t i = 0; i < 3; ++i) {
                const Vec3d &p = facet[i], &q = facet[(i + 1) % 3];
                const Vec3d side = normalizeOr(cross(q, p), p);
                if (!cell.clip({side, dot(side, center)}))
                    return false;
            }
            return true;
        };
        ConvexCell beyond(low, high);
        beyond.region = outside;
        if (beyond.clip({normal * -1, -offset, wall, true}) && inCone(beyond))
            result.push_back(std::move(beyond));
        for (const ConvexCell& whole : crossing) {
            ConvexCell cell = whole;
            if (cell.clip({normal, offset, wall, false}) && inCone(cell))
                result.push_back(std::move(cell));
        }
    }
    return result;
}

}  // namespace sunder::geometry
