#include "measure/shell_crossings.h"

#include <algorithm>
#include <vector>

#include "geometry/cutting/exact.h"
#include "math/quat.h"

namespace sunder::measure {

namespace {

using geometry::ExactPoint;
using Corners = ExactPoint[3];

struct PlacedShell {
    Shell shell;
    std::vector<Vec3d> vertices;  // in the world
    Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
};

PlacedShell placed(const World& world, BodyId body, const Shell& shell) {
    PlacedShell out{shell, {}};
    const Vec3d at = toDouble(world.position(body));
    for (const Vec3& vertex : shell.vertices) {
        const Vec3d p = at + toDouble(rotate(world.orientation(body), vertex));
        out.vertices.push_back(p);
        out.low = {std::min(out.low.x, p.x), std::min(out.low.y, p.y), std::min(out.low.z, p.z)};
        out.high = {std::max(out.high.x, p.x), std::max(out.high.y, p.y), std::max(out.high.z, p.z)};
    }
    return out;
}

bool areApart(const PlacedShell& a, const PlacedShell& b) {
    return a.high.x < b.low.x || b.high.x < a.low.x || a.high.y < b.low.y || b.high.y < a.low.y || a.high.z < b.low.z ||
           b.high.z < a.low.z;
}

bool areApart(const Corners& p, const Corners& q, std::int32_t ExactPoint::*axis) {
    const auto [lowP, highP] = std::minmax({p[0].*axis, p[1].*axis, p[2].*axis});
    const auto [lowQ, highQ] = std::minmax({q[0].*axis, q[1].*axis, q[2].*axis});
    return highP < lowQ || highQ < lowP;
}

bool crosses(const ExactPoint& p, const ExactPoint& q, const Corners& t) {
    if (geometry::sideOfCutter(t, p) == geometry::sideOfCutter(t, q))
        return false;
    const int a = geometry::sideOfEdge(t[0], t[1], p, q), b = geometry::sideOfEdge(t[1], t[2], p, q),
              c = geometry::sideOfEdge(t[2], t[0], p, q);
    return a == b && b == c;
}

int crossings(const PlacedShell& a, const PlacedShell& b) {
    const Vec3d low{std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y), std::min(a.low.z, b.low.z)};
    const Vec3d high{std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y), std::max(a.high.z, b.high.z)};
    const geometry::GridOfPoints grid(low, high);
    std::vector<ExactPoint> inA, inB;
    for (const Vec3d& p : a.vertices)
        inA.push_back(grid(p));
    for (const Vec3d& p : b.vertices)
        inB.push_back(grid(p));
    int count = 0;
    for (const auto& s : a.shell.triangles) {
        const Corners p = {inA[s[0]], inA[s[1]], inA[s[2]]};
        for (const auto& t : b.shell.triangles) {
            const Corners q = {inB[t[0]], inB[t[1]], inB[t[2]]};
            if (areApart(p, q, &ExactPoint::x) || areApart(p, q, &ExactPoint::y) || areApart(p, q, &ExactPoint::z))
                continue;
            bool cross = false;
            for (int i = 0; i < 3; ++i)
                cross = cross || crosses(p[i], p[(i + 1) % 3], q) || crosses(q[i], q[(i + 1) % 3], p);
            count += cross ? 1 : 0;
        }
    }
    return count;
}

}  // namespace

int shellCrossings(const World& world) {
    std::vector<PlacedShell> shells;
    for (const BodyId body : world.bodies())
        if (const Shell* shell = std::get_if<Shell>(&world.shape(body)))
            shells.push_back(placed(world, body, *shell));
    int count = 0;
    for (std::size_t i = 0; i < shells.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (!areApart(shells[i], shells[j]))
                count += crossings(shells[i], shells[j]);
    return count;
}

}  // namespace sunder::measure
