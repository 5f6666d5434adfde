#include "elastic/crack/grow_cracks.h"

#include <algorithm>
#include <queue>

#include "math/vec3d.h"

namespace sunder::elastic {

namespace {

// A crack turns by less than about 60 degrees from one tetrahedron to the next; where the stress asks for more, it goes
// straight on: at such places two principal stresses are equal and their directions are chance.
constexpr Real kLeastCosine = Real(0.5);
// The distance from the tip at which the exact stress is that of a tetrahedron ahead of the crack, in sizes of it: measured on
// beams of four cells' height with cracks of a quarter to a half of it (2.6 to 3.8). Smoothing takes most of the difference.
constexpr Real kTipDistance = 3;
// A crack holds where the tension is below this share of the strength, however brittle the material is.
constexpr Real kLeastRun = Real(0.05);
// A crack that enters fewer tetrahedra in a round than this share of those that it cuts has come to rest: stragglers of its
// front.
constexpr double kRestingGrowth = 0.15;
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

// Marks tetrahedra around those that cracks entered in this round.
class Shadow {
public:
    Shadow(const UncutMesh& solid, Real reach)
        : solid_(solid), reach_(reach), isDark_(solid.mesh.tets.size(), 0), seenBy_(solid.mesh.tets.size(), 0) {}

    void cast(std::span<const std::uint32_t> tets) {
        for (const std::uint32_t tet : tets)
            castFrom(tet);
    }
    bool isDark(std::uint32_t tet) const { return isDark_[tet] != 0; }

private:
    // Through neighbours, as far as the reach goes.
    void castFrom(std::uint32_t source) {
        const Vec3 middle = middleOf(solid_.mesh, source);
        const Real reach = reach_ * solid_.sizes[source];
        waiting_.assign(1, source);
        seenBy_[source] = ++count_;
        isDark_[source] = 1;
        while (!waiting_.empty()) {
            const std::uint32_t tet = waiting_.back();
            waiting_.pop_back();
            for (const std::uint32_t next : solid_.neighbors.across[tet])
                if (next != geometry::kNoTet && seenBy_[next] != count_ &&
                    length(middleOf(solid_.mesh, next) - middle) < reach) {
                    isDark_[next] = 1;
                    seenBy_[next] = count_;
                    waiting_.push_back(next);
                }
        }
    }

    const UncutMesh& solid_;
    Real reach_;
    std::vector<std::uint8_t> isDark_;
    std::vector<std::uint32_t> waiting_, seenBy_;  // the number of the source that saw a tetrahedron last
    std::uint32_t count_ = 0;
};

// What the cracks of this round will leave of tensions near them, as if they were flat. Above the middle of a crack with half
// the length a, at the height d, the stress across it falls to about d / sqrt(d^2 + a^2) of what it was.
class Unloading {
public:
    explicit Unloading(const UncutMesh& solid) : solid_(solid) {}

    void add(const Crack& crack) {
        Flat flat;
        for (const std::uint32_t tet : crack.tets) {
            const Vec3 normal = normalIn(solid_, crack, tet);
            flat.normal += dot(normal, flat.normal) < 0 ? -normal : normal;
            flat.middle += middleOf(solid_.mesh, tet) / Real(crack.tets.size());
        }
        flat.normal = normalizeOr(flat.normal, {0, 1, 0});
        for (const std::uint32_t tet : crack.tets)
            flat.radius = max(flat.radius, length(middleOf(solid_.mesh, tet) - flat.middle));
        cracks_.push_back(flat);
    }
    // The share of the tension that is left.
    Real shareLeft(std::uint32_t tet, const Vec3& direction) const {
        const Vec3 point = middleOf(solid_.mesh, tet);
        Real left = 1;
        for (const Flat& crack : cracks_) {
            const Vec3 off = point - crack.middle;
            const Real height = max(std::fabs(dot(off, crack.normal)), length(off) - crack.radius);
            const Real across = height / std::sqrt(height * height + crack.radius * crack.radius + kSmallest);
            left = min(left, 1 - square(dot(direction, crack.normal)) * (1 - across));
        }
        return left;
    }

private:
    static constexpr Real kSmallest = Real(1e-30);  // m^2: no division by 0
    struct Flat {
        Vec3 normal, middle;
        Real radius = 0;
    };
    const UncutMesh& solid_;
    std::vector<Flat> cracks_;
};

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

}  // namespace

std::vector<Resistance> resistanceOf(const UncutMesh& solid, Real strength, Real toughness, Real young, const Grains& grains) {
    std::vector<Resistance> resistance(solid.mesh.tets.size());
    const double factor = std::sqrt(double(young) * double(toughness));
    for (std::uint32_t tet = 0; tet < resistance.size(); ++tet) {
        const double distance = double(kTipDistance) * double(solid.sizes[tet]);
        const Real run = Real(factor / std::sqrt(2 * double(kPi) * distance));
        const Real share = grains.isBoundary(solid, tet) ? grains.boundaryStrength() : Real(1);
        resistance[tet] = {strength * share, max(run, kLeastRun * strength) * share};
    }
    return resistance;
}

std::uint32_t runCrack(const UncutMesh& solid, CrackState& state, std::uint16_t crack,
                       std::span<const PrincipalStress> tensions, std::span<const Resistance> resistance, const Grains& grains,
                       Real share) {
    Front front;
    for (const std::uint32_t tet : state.cracks[crack].tets)
        addSteps(solid, state, crack, tet, tensions, resistance, front);
    std::uint32_t entered = 0;
    // The tension that it meets first: where it starts, or at the most overloaded of its tips.
    double crest = state.cracks[crack].tets.size() == 1 ? tensions[state.cracks[crack].tets[0]].value : 0.0;
    if (!front.empty())
        crest = std::max(crest, double(front.top().tension));
    while (!front.empty()) {
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

std::uint32_t extendCrack(const UncutMesh& solid, CrackState& state, std::uint16_t crack, int layers) {
    std::uint32_t entered = 0;
    std::size_t first = 0;
    for (int layer = 0; layer < layers; ++layer) {
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
                ++entered;
            }
        }
        first = end;
    }
    return entered;
}

Growth growCracks(const UncutMesh& solid, CrackState& state, std::span<const PrincipalStress> tensions,
                  std::span<const Resistance> resistance, const Grains& grains, const GrowthOptions& options) {
    Growth growth;
    Shadow shadow(solid, options.shadow);
    Unloading unloading(solid);
    const auto run = [&](std::uint16_t crack, std::size_t known) {
        const std::uint32_t entered = runCrack(solid, state, crack, tensions, resistance, grains, options.crest);
        growth.cut += entered;
        shadow.cast(std::span(state.cracks[crack].tets).subspan(known));
        if (entered > 0 || known == 0)
            unloading.add(state.cracks[crack]);
        if (double(entered) < kRestingGrowth * double(known))
            growth.resting.push_back(crack);
    };
    const auto before = static_cast<std::uint16_t>(state.cracks.size());
    const std::vector<std::uint8_t> isBeside = besideCracks(solid, state);
    for (std::uint16_t crack = 0; crack < before; ++crack)
        run(crack, state.cracks[crack].tets.size());
    constexpr std::size_t kMostCracks = 0xffff;
    for (const std::uint32_t tet : overloaded(tensions, resistance)) {
        if (int(growth.started) >= options.mostStarts || state.cracks.size() >= kMostCracks)
            break;
        if (isBeside[tet] || shadow.isDark(tet) || !state.ofTet[tet].empty())
            continue;
        const Vec3 direction = toReal(tensions[tet].direction);
        if (tensions[tet].value * double(unloading.shareLeft(tet, direction)) < double(resistance[tet].start))
            continue;
        const std::uint16_t crack = startCrack(solid, state, tet, direction);
        ++growth.started;
        ++growth.cut;
        run(crack, 0);
    }
    return growth;
}

}  // namespace sunder::elastic
