#include "geometry/pieces/shells.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/none.h"
#include "core/union_find.h"

namespace sunder::geometry {
namespace {

// Joins fragments along their seams, and says how many seams do not close.
std::size_t joinSeams(const Fragments& fragments, UnionFind& joined) {
    struct Side {
        std::uint32_t fragment = kNone, from = 0, to = 0;
    };
    std::vector<Side> waiting(fragments.seamCount);
    std::vector<std::uint8_t> uses(fragments.seamCount);
    std::size_t bad = 0;
    for (std::uint32_t number = 0; number < fragments.all.size(); ++number) {
        const Fragment& fragment = fragments.all[number];
        const Fragments::Corner* corners = fragments.cornersOf(fragment);
        for (std::uint32_t i = 0; i < fragment.cornerCount; ++i) {
            const std::uint32_t seam = corners[i].seam;
            if (seam == Fragments::kNoSeam)
                continue;
            const Side side{number, corners[i].node, corners[(i + 1) % fragment.cornerCount].node};
            uses[seam] = std::uint8_t(std::min(uses[seam] + 1, 3));
            if (uses[seam] == 1) {
                waiting[seam] = side;
                continue;
            }
            const Side& other = waiting[seam];
            const bool fits = uses[seam] == 2 && fragments.all[other.fragment].label == fragment.label &&
                              other.from == side.to && other.to == side.from;
            bad += !fits;
            if (fits)
                joined.join(number, other.fragment);
        }
    }
    return bad + std::size_t(std::count(uses.begin(), uses.end(), 1));
}

Vec3d areaOf(const Fragments& fragments, const Fragment& fragment) {
    const Fragments::Corner* corners = fragments.cornersOf(fragment);
    Vec3d sum;
    const Vec3d& origin = fragments.nodes[corners[0].node];
    for (std::uint32_t i = 1; i + 1 < fragment.cornerCount; ++i)
        sum += cross(fragments.nodes[corners[i].node] - origin, fragments.nodes[corners[i + 1].node] - origin);
    return sum * 0.5;
}

bool holds(const Shell& outer, const Shell& inner) {
    return outer.low.x <= inner.low.x && outer.low.y <= inner.low.y && outer.low.z <= inner.low.z &&
           outer.high.x >= inner.high.x && outer.high.y >= inner.high.y && outer.high.z >= inner.high.z;
}

// Hollows, which are shells of negative volume, belong to the smallest shell of their label about them.
void joinHollows(const std::vector<Shell>& all, std::vector<std::uint32_t>& into) {
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        into.push_back(i);
        if (all[i].volume >= 0)
            continue;
        std::uint32_t best = kNone;
        for (std::uint32_t k = 0; k < all.size(); ++k)
            if (all[k].label == all[i].label && all[k].volume > 0 && holds(all[k], all[i]) &&
                (best == kNone || all[k].volume < all[best].volume))
                best = k;
        if (best != kNone)
            into[i] = best;
    }
}

void measure(const Fragments& fragments, std::span<const std::uint32_t> ofFragment, std::vector<Shell>& all) {
    for (Shell& shell : all)
        shell = {0, 0, {1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
    const Vec3d origin = fragments.nodes.empty() ? Vec3d{} : fragments.nodes[0];
    for (std::size_t number = 0; number < fragments.all.size(); ++number) {
        const Fragment& fragment = fragments.all[number];
        Shell& shell = all[ofFragment[number]];
        shell.label = fragment.label;
        const Fragments::Corner* corners = fragments.cornersOf(fragment);
        shell.volume += dot(fragments.nodes[corners[0].node] - origin, areaOf(fragments, fragment)) / 3;
        for (std::uint32_t i = 0; i < fragment.cornerCount; ++i) {
            const Vec3d& p = fragments.nodes[corners[i].node];
            shell.low = {std::min(shell.low.x, p.x), std::min(shell.low.y, p.y), std::min(shell.low.z, p.z)};
            shell.high = {std::max(shell.high.x, p.x), std::max(shell.high.y, p.y), std::max(shell.high.z, p.z)};
        }
    }
}

void findTouches(const Fragments& fragments, Shells& shells) {
    std::vector<Shells::Touch> touches;
    for (std::size_t number = 0; number + 1 < fragments.all.size(); ++number) {
        const Fragment& fragment = fragments.all[number];
        if (!fragment.isFace || fragment.isFront)
            continue;
        const std::uint32_t a = shells.ofFragment[number], b = shells.ofFragment[number + 1];
        touches.push_back({std::min(a, b), std::max(a, b), length(areaOf(fragments, fragment))});
    }
    std::stable_sort(touches.begin(), touches.end(),
                     [](const Shells::Touch& a, const Shells::Touch& b) { return std::tie(a.a, a.b) < std::tie(b.a, b.b); });
    for (const Shells::Touch& touch : touches)
        if (!shells.touches.empty() && shells.touches.back().a == touch.a && shells.touches.back().b == touch.b)
            shells.touches.back().area += touch.area;
        else
            shells.touches.push_back(touch);
}

// How often a ray from the origin leaves through the triangle: 1, -1 where it enters, 0 where it misses.
int passes(const Vec3d& direction, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const bool ab = dot(direction, cross(a, b)) > 0, bc = dot(direction, cross(b, c)) > 0, ca = dot(direction, cross(c, a)) > 0;
    if (ab != bc || bc != ca || (dot(a, cross(b, c)) > 0) != ab)
        return 0;
    return ab ? 1 : -1;
}

}  // namespace

Shells findShells(const Fragments& fragments) {
    Shells result;
    UnionFind joined(fragments.all.size());
    result.openSeams = joinSeams(fragments, joined);
    std::vector<std::uint32_t> numberOf(fragments.all.size(), kNone);
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < fragments.all.size(); ++i) {
        std::uint32_t& number = numberOf[joined.root(i)];
        if (number == kNone)
            number = count++;
        result.ofFragment.push_back(number);
    }
    result.all.resize(count);
    measure(fragments, result.ofFragment, result.all);
    std::vector<std::uint32_t> into, packed(count, kNone);
    joinHollows(result.all, into);
    count = 0;
    for (std::uint32_t i = 0; i < into.size(); ++i)
        if (into[i] == i)
            packed[i] = count++;
    for (std::uint32_t& shell : result.ofFragment)
        shell = packed[into[shell]];
    result.all.resize(count);
    measure(fragments, result.ofFragment, result.all);
    findTouches(fragments, result);
    result.fragments.resize(count);
    for (std::uint32_t i = 0; i < fragments.all.size(); ++i)
        result.fragments[result.ofFragment[i]].push_back(i);
    return result;
}

bool isInside(const Fragments& fragments, const Shells& shells, std::uint32_t shell, const Vec3d& point) {
    // Along no axis and no diagonal, where surfaces often have edges.
    const Vec3d direction{0.8147236863931789, 0.2905791937075619, 0.5026986816293506};
    int sum = 0;
    for (const std::uint32_t number : shells.fragments[shell]) {
        const Fragment& fragment = fragments.all[number];
        const Fragments::Corner* corners = fragments.cornersOf(fragment);
        const Vec3d first = fragments.nodes[corners[0].node] - point;
        for (std::uint32_t i = 1; i + 1 < fragment.cornerCount; ++i)
            sum += passes(direction, first, fragments.nodes[corners[i].node] - point,
                          fragments.nodes[corners[i + 1].node] - point);
    }
    return sum > 0;
}

}  // namespace sunder::geometry
