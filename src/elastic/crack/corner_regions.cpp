#include "elastic/crack/corner_regions.h"

#include <cmath>

namespace sunder::elastic {

namespace {

Barycentric cornerPoint(int corner) {
    Barycentric at{};
    at[std::size_t(corner)] = 1;
    return at;
}

double det3(const std::array<double, 3>& a, const std::array<double, 3>& b, const std::array<double, 3>& c) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// The volume, with sign, of four points as a share of the tetrahedron. The rows of coordinates add up to 1, so that differences
// of the first three say all.
double shareOf(const Barycentric& a, const Barycentric& b, const Barycentric& c, const Barycentric& d) {
    const auto from = [&](const Barycentric& p) { return std::array<double, 3>{p[0] - a[0], p[1] - a[1], p[2] - a[2]}; };
    return det3(from(b), from(c), from(d));
}

// The mean of the points on the edges of these corners that a crack cuts; of the corners themselves where none does.
Barycentric meanOfCuts(const Barycentric (&edge)[4][4], const bool (&isCut)[4][4], unsigned corners) {
    Barycentric sum{}, plain{};
    int cuts = 0, count = 0;
    for (unsigned i = 0; i < 4; ++i) {
        if (!(corners >> i & 1))
            continue;
        plain[i] = 1;
        ++count;
        for (unsigned j = i + 1; j < 4; ++j) {
            if (!(corners >> j & 1) || !isCut[i][j])
                continue;
            for (std::size_t k = 0; k < 4; ++k)
                sum[k] += edge[i][j][k];
            ++cuts;
        }
    }
    Barycentric& mean = cuts > 0 ? sum : plain;
    for (double& x : mean)
        x /= cuts > 0 ? cuts : count;
    return mean;
}

}  // namespace

CornerGroups groupsOf(const UncutMesh& solid, const CrackState& state, std::uint32_t tet) {
    const geometry::TetCorners& corners = solid.mesh.tets[tet];
    std::array<unsigned, 4> sides{};
    for (const std::uint16_t number : state.ofTet[tet])
        for (std::size_t i = 0; i < 4; ++i)
            sides[i] = sides[i] * 2 + (state.cracks[number].distances[corners[i]] > 0 ? 1 : 0);
    CornerGroups groups{};
    for (std::uint8_t i = 0; i < 4; ++i) {
        groups[i] = 0;
        while (sides[groups[i]] != sides[i])
            ++groups[i];
    }
    return groups;
}

CornerRegions::CornerRegions(const UncutMesh& solid, const CrackState& state, std::uint32_t tet) {
    const geometry::TetCorners& corners = solid.mesh.tets[tet];
    bool isCut[4][4]{};
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = i + 1; j < 4; ++j) {
            double sum = 0;
            int cuts = 0;
            for (const std::uint16_t number : state.ofTet[tet]) {
                const Crack& crack = state.cracks[number];
                const Real a = crack.distances[corners[i]], b = crack.distances[corners[j]];
                if ((a > 0) == (b > 0))
                    continue;
                sum += cutShare(a, b);
                ++cuts;
            }
            const double share = cuts > 0 ? sum / cuts : 0.5;
            isCut[i][j] = isCut[j][i] = cuts > 0;
            edge_[i][j][i] = 1 - share;
            edge_[i][j][j] = share;
            edge_[j][i] = edge_[i][j];
        }
    for (unsigned across = 0; across < 4; ++across)
        face_[across] = meanOfCuts(edge_, isCut, 15u & ~(1u << across));
    inside_ = meanOfCuts(edge_, isCut, 15u);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            for (int across = 0; across < 4; ++across)
                if (j != i && across != i && across != j)
                    shares_[std::size_t(i)] +=
                        std::fabs(shareOf(cornerPoint(i), edge_[i][j], face_[std::size_t(across)], inside_));
}

int CornerRegions::cornerAt(const Barycentric& point) const {
    int best = 0;
    double bestInside = -1e300;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            for (int across = 0; across < 4; ++across) {
                if (j == i || across == i || across == j)
                    continue;
                const Barycentric a = cornerPoint(i);
                const Barycentric &b = edge_[i][j], &c = face_[std::size_t(across)], &d = inside_;
                const double whole = shareOf(a, b, c, d);
                if (whole == 0)
                    continue;
                // The least of the four coordinates within this part says how far inside the point is.
                const double within[4] = {shareOf(point, b, c, d) / whole, shareOf(a, point, c, d) / whole,
                                          shareOf(a, b, point, d) / whole, shareOf(a, b, c, point) / whole};
                double least = within[0];
                for (const double w : within)
                    least = w < least ? w : least;
                if (least > bestInside) {
                    bestInside = least;
                    best = i;
                }
            }
    return best;
}

std::array<std::array<Barycentric, 3>, 2> CornerRegions::borderOf(int i, int j) const {
    std::array<std::array<Barycentric, 3>, 2> triangles{};
    std::size_t count = 0;
    for (int across = 0; across < 4; ++across)
        if (across != i && across != j)
            triangles[count++] = {edge_[i][j], face_[std::size_t(across)], inside_};
    return triangles;
}

Barycentric barycentric(const geometry::TetMesh& mesh, std::uint32_t tet, const Vec3d& point) {
    const geometry::TetCorners& corners = mesh.tets[tet];
    Vec3d x[4];
    for (std::size_t i = 0; i < 4; ++i)
        x[i] = toDouble(mesh.vertices[corners[i]]) - point;
    const Vec3d e1 = x[1] - x[0], e2 = x[2] - x[0], e3 = x[3] - x[0];
    const double whole = dot(e1, cross(e2, e3));
    Barycentric at{};
    at[1] = dot(-x[0], cross(e2, e3)) / whole;
    at[2] = dot(e1, cross(-x[0], e3)) / whole;
    at[3] = dot(e1, cross(e2, -x[0])) / whole;
    at[0] = 1 - at[1] - at[2] - at[3];
    return at;
}

Vec3d pointAt(const geometry::TetMesh& mesh, std::uint32_t tet, const Barycentric& at) {
    Vec3d point;
    for (std::size_t i = 0; i < 4; ++i)
        point += toDouble(mesh.vertices[mesh.tets[tet][i]]) * at[i];
    return point;
}

}  // namespace sunder::elastic
