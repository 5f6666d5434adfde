#include "elastic/crack/grow_cracks.h"

#include <algorithm>
#include <queue>

#include "elastic/crack/crack_shadow.h"
#include "math/roots.h"
#include "math/vec3d.h"

namespace sunder::elastic {

namespace {

// A crack turns by less than about 60 degrees from one tetrahedron to the next; where the stress asks for more, it goes
// straight on: at such places two principal stresses are equal and their directions are chance.
constexpr Real kLeastCosine = Real(0.5);
// The distance from the tip at which the exact stress is that of a tetrahedron ahead of the crack, in sizes of it: measured on
// beams of four cells' height with cracks of a quarter to a half of it (2.6 to 3.8). Smoothing takes most of the difference.
constexpr Real kTipDistance = 3;
// A crack that enters fewer tetrahedra in a round than this share of those that it cuts has come to rest: stragglers of its
// front.
constexpr double kRestingGrowth = 0.15;
// In one round a crack at most doubles, or cuts so many tetrahedra times the number of them to the power 2/3 (about three times
// that is a plane through the whole solid): further on the stress is no longer what it was before.
constexpr double kLeastLeap = 0.3;
// A crack waits while the tension at its tips is below this share of the largest at any: the others unload it or lead the way.
constexpr double kLeastOfWorstTip = 0.3;
// A fracture face of a grain leads a crack that runs within about 60 degrees of it.
constexpr Real kLeastCosineOfGrain = Real(0.5);

// The way into a tetrahedron: from a cut one, through a face.
struct Step {
    Real ratio = 0;    // tension over resistance, where it leads
    Real tension = 0;  // Pa
    std::uint32_t to = 0, from = 0;
    int face = 0;
};
// The most overloaded first; of equals the lowest, so that the order is always one and the same.
struct Later {
    bool operator()(const Step& a, const Step& b) const {
        if (a.ratio != b.ratio)
            return a.ratio < b.ratio;
        return a.to != b.to ? a.to > b.to : a.from > b.from;
    }
};
using Front = std::priority_queue<Step, std::vector<Step>, Later>;

// An older crack has made a free surface: beyond it a crack would have to start anew. Along it, within the tetrahedra that the
// older one cuts, it goes on, or their parts would still hang together.
bool endsBetween(const CrackState& state, std::uint16_t crack, std::uint32_t from, std::uint32_t to) {
    const std::vector<std::uint16_t>& there = state.ofTet[to];
    for (const std::uint16_t older : state.ofTet[from])
        if (older < crack && !std::binary_search(there.begin(), there.end(), older))
            return true;
    return false;
}

// Calls visit(to, face, tension, resistance) for every way on from a tetrahedron.
template <class Visit>
void forEachWay(const UncutMesh& solid, const CrackState& state, std::uint16_t crack, std::uint32_t tet,
                std::span<const PrincipalStress> tensions, std::span<const Resistance> resistance, const Visit& visit) {
    const unsigned faces = facesCrossed(solid.mesh.tets[tet], state.cracks[crack]);
    for (int face = 0; face < 4; ++face) {
        const std::uint32_t to = solid.neighbors.across[tet][std::size_t(face)];
        if (!(faces >> unsigned(face) & 1) || to == geometry::kNoTet || !hasRoom(state, crack, to) ||
            endsBetween(state, crack, tet, to))
            continue;
        visit(to, face, tensions[to].value, double(resistance[to].run));
    }
}

void addSteps(const UncutMesh& solid, const CrackState& state, std::uint16_t crack, std::uint32_t tet,
              std::span<const PrincipalStress> tensions, std::span<const Resistance> resistance, Front& front) {
    forEachWay(solid, state, crack, tet, tensions, resistance,
               [&](std::uint32_t to, int face, double tension, double resistanceThere) {
                   if (const Real ratio = Real(tension / resistanceThere); ratio > 1)
                       front.push({ratio, Real(tension), to, tet, face});
               });
}

// A direction of tension with the sign that goes with a normal; nothing where it is too far from it.
Vec3 alongside(const Vec3d& direction, const Vec3& normal) {
    const Vec3 found = toReal(direction);
    const Real cosine = dot(found, normal);
    return std::fabs(cosine) < kLeastCosine ? Vec3{} : (cosine < 0 ? -found : found);
}

// The normal at a node: the mean of the tetrahedra around it.
Vec3 normalAt(const UncutMesh& solid, std::uint32_t node, const Vec3& before, std::span<const PrincipalStress> tensions) {
    Vec3 sum;
    for (const std::uint32_t tet : solid.tetsOf(node))
        if (tensions[tet].value > 0)
            sum += alongside(tensions[tet].direction, before) * Real(geometry::volumeOf(solid.mesh, tet));
    return normalizeOr(sum, before);
}

// The distance of the corner across: the normal is the slope of distances, so it is that of a corner of the face plus the way
// to it times the mean of the normals at both ends. Planes through the line where the crack left the face, with the normal of
// one tetrahedron, would leave a curved crack by a part of a tetrahedron at every step.
Real distanceAcross(const UncutMesh& solid, const Crack& crack, const Step& step, std::uint32_t corner, const Vec3& before,
                    std::span<const PrincipalStress> tensions) {
    const Vec3 there = normalAt(solid, corner, before, tensions);
    Real sum = 0;
    for (const std::uint32_t node : geometry::faceOf(solid.mesh.tets[step.from], step.face)) {
        const Vec3 way = solid.mesh.vertices[corner] - solid.mesh.vertices[node];
        sum += crack.distances[node] + dot(way, there + normalAt(solid, node, before, tensions)) / 2;
    }
    return sum / 3;
}

// Whether a corner of the tetrahedron is one of a tetrahedron that an older crack cuts.
bool isBesideOlder(const UncutMesh& solid, const CrackState& state, std::uint16_t crack, std::uint32_t tet) {
    for (const std::uint32_t node : solid.mesh.tets[tet])
        for (const std::uint32_t around : solid.tetsOf(node))
            if (!state.ofTet[around].empty() && state.ofTet[around].front() < crack)
                return true;
    return false;
}

// The distance of the corner across where the crack goes straight on.
Real distanceStraightOn(const UncutMesh& solid, const Crack& crack, std::uint32_t from, int face, std::uint32_t corner,
                        const Vec3& normal) {
    Real sum = 0;
    for (const std::uint32_t node : geometry::faceOf(solid.mesh.tets[from], face))
        sum += crack.distances[node] + dot(solid.mesh.vertices[corner] - solid.mesh.vertices[node], normal);
    return sum / 3;
}

// Beside an older crack it goes straight on until it meets that: the directions there are those of the tip that has passed.
void take(const UncutMesh& solid, CrackState& state, std::uint16_t crack, const Step& step,
          std::span<const PrincipalStress> tensions, const Grains& grains) {
    const Vec3 before = normalIn(solid, state.cracks[crack], step.from);
    const std::uint32_t corner = cornerAcross(solid, step.from, step.face);
    if (isBesideOlder(solid, state, crack, step.to)) {
        growAcross(solid, state, crack, step.from, step.face,
                   distanceStraightOn(solid, state.cracks[crack], step.from, step.face, corner, before));
        return;
    }
    if (const std::optional<Grains::Boundary> boundary = grains.boundaryIn(solid, step.to)) {
        const Real cosine = dot(boundary->normal, before);
        if (std::fabs(cosine) > kLeastCosineOfGrain) {
            const Real distance = grains.distanceTo(*boundary, solid.mesh.vertices[corner]);
            growAcross(solid, state, crack, step.from, step.face, cosine < 0 ? -distance : distance);
            return;
        }
    }
    growAcross(solid, state, crack, step.from, step.face,
               distanceAcross(solid, state.cracks[crack], step, corner, before, tensions));
}

// Tetrahedra with a corner of one that a crack cuts.
std::vector<std::uint8_t> besideCracks(const UncutMesh& solid, const CrackState& state) {
    std::vector<std::uint8_t> isNodeOfCut(solid.mesh.vertices.size(), 0), isBeside(solid.mesh.tets.size(), 0);
    for (const Crack& crack : state.cracks)
        for (const std::uint32_t tet : crack.tets)
            for (const std::uint32_t node : solid.mesh.tets[tet])
                isNodeOfCut[node] = 1;
    for (std::size_t tet = 0; tet < isBeside.size(); ++tet)
        for (const std::uint32_t node : solid.mesh.tets[tet])
            isBeside[tet] |= isNodeOfCut[node];
    return isBeside;
}

// The tetrahedra above their strength, the most overloaded first. One in which no crack could go on starts none.
std::vector<std::uint32_t> overloaded(std::span<const PrincipalStress> tensions, std::span<const Resistance> resistance) {
    std::vector<std::uint32_t> tets;
    for (std::uint32_t tet = 0; tet < tensions.size(); ++tet)
        if (tensions[tet].value > double(max(resistance[tet].start, resistance[tet].run)))
            tets.push_back(tet);
    const auto ratio = [&](std::uint32_t tet) { return tensions[tet].value / double(resistance[tet].start); };
    std::sort(tets.begin(), tets.end(), [&](std::uint32_t a, std::uint32_t b) {
        const double ofA = ratio(a), ofB = ratio(b);
        return ofA != ofB ? ofA > ofB : a < b;
    });
    return tets;
}

// Calls run(crack, tetrahedra that it cuts) for the cracks that are there and need not wait.
template <class Run>
void runOld(const UncutMesh& solid, const CrackState& state, std::span<const PrincipalStress> tensions,
            std::span<const Resistance> resistance, const Run& run) {
    std::vector<double> tips;
    double worst = 0;
    for (std::size_t crack = 0; crack < state.cracks.size(); ++crack) {
        tips.push_back(tipLoad(solid, state, static_cast<std::uint16_t>(crack), tensions, resistance));
        worst = std::max(worst, tips.back());
    }
    for (std::size_t crack = 0; crack < tips.size(); ++crack)
        if (tips[crack] >= kLeastOfWorstTip * worst || tips[crack] <= 1)
            run(static_cast<std::uint16_t>(crack), state.cracks[crack].tets.size());
}

// How many tetrahedra a crack may enter before the stress is found anew.
std::uint32_t mostEntered(const UncutMesh& solid, const Crack& crack) {
    const double root = cubeRoot(double(solid.mesh.tets.size()));
    return std::max(std::uint32_t(kLeastLeap * root * root), std::uint32_t(crack.tets.size()));
}

}  // namespace

std::vector<Resistance> resistanceOf(const UncutMesh& solid, Real strength, Real toughness, Real young, const Grains& grains) {
    std::vector<Resistance> resistance(solid.mesh.tets.size());
    const double factor = std::sqrt(double(young) * double(toughness));
    for (std::uint32_t tet = 0; tet < resistance.size(); ++tet) {
        const double distance = double(kTipDistance) * double(solid.sizes[tet]);
        const Real run = Real(factor / std::sqrt(2 * double(kPi) * distance));
        const Real share = grains.isBoundary(solid, tet) ? grains.boundaryStrength() : Real(1);
        resistance[tet] = {strength * share, max(run, Real(kLeastRun) * strength) * share};
    }
    return resistance;
}

std::uint32_t runCrack(const UncutMesh& solid, CrackState& state, std::uint16_t crack,
                       std::span<const PrincipalStress> tensions, std::span<const Resistance> resistance, const Grains& grains,
                       Real share, std::uint32_t most) {
    Front front;
    for (const std::uint32_t tet : state.cracks[crack].tets)
        addSteps(solid, state, crack, tet, tensions, resistance, front);
    std::uint32_t entered = 0;
    // The tension that it meets first: where it starts, or at the most overloaded of its tips.
    double crest = state.cracks[crack].tets.size() == 1 ? tensions[state.cracks[crack].tets[0]].value : 0.0;
    if (!front.empty())
        crest = std::max(crest, double(front.top().tension));
    while (!front.empty() && entered < most) {
        const Step step = front.top();
        front.pop();
        if (!hasRoom(state, crack, step.to) || double(step.tension) < double(share) * crest)
            continue;
        take(solid, state, crack, step, tensions, grains);
        ++entered;
        addSteps(solid, state, crack, step.to, tensions, resistance, front);
    }
    return entered;
}

double tipLoad(const UncutMesh& solid, const CrackState& state, std::uint16_t crack, std::span<const PrincipalStress> tensions,
               std::span<const Resistance> resistance) {
    double most = 0;
    for (const std::uint32_t tet : state.cracks[crack].tets)
        forEachWay(solid, state, crack, tet, tensions, resistance,
                   [&](std::uint32_t, int, double tension, double resistanceThere) {
                       most = std::max(most, tension / resistanceThere);
                   });
    return most;
}

std::vector<std::size_t> extendCrack(const UncutMesh& solid, CrackState& state, std::uint16_t crack, int layers,
                                     std::size_t mostTets) {
    std::vector<std::size_t> sizes;
    std::size_t first = 0;
    while (int(sizes.size()) < layers && state.cracks[crack].tets.size() <= mostTets) {
        const std::size_t end = state.cracks[crack].tets.size();
        for (std::size_t i = first; i < end; ++i) {
            const std::uint32_t tet = state.cracks[crack].tets[i];
            const unsigned faces = facesCrossed(solid.mesh.tets[tet], state.cracks[crack]);
            const Vec3 normal = normalIn(solid, state.cracks[crack], tet);
            for (int face = 0; face < 4; ++face) {
                const std::uint32_t to = solid.neighbors.across[tet][std::size_t(face)];
                if (!(faces >> unsigned(face) & 1) || to == geometry::kNoTet || !hasRoom(state, crack, to) ||
                    endsBetween(state, crack, tet, to))
                    continue;
                growAcross(solid, state, crack, tet, face,
                           distanceStraightOn(solid, state.cracks[crack], tet, face, cornerAcross(solid, tet, face), normal));
            }
        }
        if (state.cracks[crack].tets.size() == end)
            break;
        first = end;
        sizes.push_back(state.cracks[crack].tets.size());
    }
    return sizes;
}

Growth growCracks(const UncutMesh& solid, CrackState& state, std::span<const PrincipalStress> tensions,
                  std::span<const Resistance> resistance, const Grains& grains, const GrowthOptions& options) {
    Growth growth;
    CrackShadow shadow(solid, options.shadow);
    const auto run = [&](std::uint16_t crack, std::size_t known) {
        const std::uint32_t entered =
            runCrack(solid, state, crack, tensions, resistance, grains, options.crest, mostEntered(solid, state.cracks[crack]));
        growth.cut += entered;
        if (options.mostStarts > 0 && (entered > 0 || known == 0))
            shadow.add(state.cracks[crack], known);
        if (double(entered) < kRestingGrowth * double(known))
            growth.resting.push_back(crack);
    };
    const std::vector<std::uint8_t> isBeside = besideCracks(solid, state);
    runOld(solid, state, tensions, resistance, run);
    if (options.mostStarts == 0)
        return growth;
    constexpr std::size_t kMostCracks = 0xffff;
    for (const std::uint32_t tet : overloaded(tensions, resistance)) {
        if (int(growth.started) >= options.mostStarts || state.cracks.size() >= kMostCracks)
            break;
        if (isBeside[tet] || !state.ofTet[tet].empty())
            continue;
        const Vec3 direction = toReal(tensions[tet].direction);
        if (tensions[tet].value * double(shadow.shareLeft(tet, direction)) < double(resistance[tet].start) ||
            shadow.isDark(tet))
            continue;
        const std::uint16_t crack = startCrack(solid, state, tet, direction);
        ++growth.started;
        ++growth.cut;
        run(crack, 0);
    }
    return growth;
}

}  // namespace sunder::elastic
