#include "elastic/crack/crack_solid.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "math/roots.h"

namespace sunder::elastic {

namespace {

void noteWorst(std::span<const PrincipalStress> tensions, std::span<const Resistance> resistance, CrackResult& result) {
    for (std::uint32_t tet = 0; tet < tensions.size(); ++tet)
        if (const double ratio = tensions[tet].value / double(resistance[tet].start); ratio > result.worstRatio) {
            result.worstTet = tet;
            result.worstStress = tensions[tet].value;
            result.worstRatio = ratio;
        }
}

// How many tetrahedra deep a rest may be that a crack parts: about two cells. A plate that bends cracks up to its middle before
// it holds, so the rest may have as many tetrahedra as the crack has cut, but the crack must be more than a chip.
constexpr int kRestLayers = 8;
constexpr std::size_t kLeastCrack = 12;

// Once the solid is parted, cracks whose tips bear less of what holds them have been relieved: their rests stay.
constexpr double kLeastTipLoad = 0.25;
// Rounds after the solid was parted. What is left of the blow spends itself near where it struck.
constexpr int kRoundsAfterParting = 1;
// After so many rounds cracks go further in each: by then it is known where they go, and the rest takes as long as rounds do.
constexpr int kSlowRounds = 4;
constexpr Real kFaster = Real(0.85), kLeastCrest = Real(0.25);
constexpr std::size_t kTetsPerTask = 4096;
// Share of the volume that must have come off before the solid counts as parted: chips do not unload the rest.
constexpr double kLeastPartedVolume = 0.1;
// A crack whose tips bear this many times what holds them, and that cuts this share of a plane through the solid, runs straight
// through: at its speed there is no time for the stress to turn it.
constexpr double kDriven = 3, kLeastOfPlane = 0.05;
// Tetrahedra that a plane through a solid of n cuts, over n^(2/3).
constexpr double kPlane = 3;
constexpr int kThroughLayers = 128;
// Least share of the volume that a crack which runs straight through must part.
constexpr double kLeastThrough = 0.01;

double volumeOf(const CrackedMesh& cut) { return std::accumulate(cut.pieceVolumes.begin(), cut.pieceVolumes.end(), 0.0); }

// m^3: of all pieces but the largest.
double volumeOff(const CrackedMesh& cut) {
    return volumeOf(cut) - *std::max_element(cut.pieceVolumes.begin(), cut.pieceVolumes.end());
}

bool isParted(const CrackedMesh& cut) { return volumeOff(cut) > kLeastPartedVolume * volumeOf(cut); }

// The cracks among the given ones that may part a thin rest, those with the most loaded tips first.
std::vector<std::uint16_t> candidates(const UncutMesh& solid, const CrackState& state, std::span<const std::uint16_t> cracks,
                                      std::span<const PrincipalStress> tensions, std::span<const Resistance> resistance) {
    std::vector<std::pair<double, std::uint16_t>> found;
    for (const std::uint16_t crack : cracks) {
        if (state.cracks[crack].tets.size() < kLeastCrack)
            continue;
        if (const double load = tipLoad(solid, state, crack, tensions, resistance); load > kLeastTipLoad)
            found.emplace_back(-load, crack);
    }
    std::sort(found.begin(), found.end());
    std::vector<std::uint16_t> ordered;
    for (const auto& entry : found)
        ordered.push_back(entry.second);
    return ordered;
}

std::vector<std::uint16_t> allOf(const CrackState& state) {
    std::vector<std::uint16_t> cracks(state.cracks.size());
    for (std::size_t i = 0; i < cracks.size(); ++i)
        cracks[i] = static_cast<std::uint16_t>(i);
    return cracks;
}

struct Rest {
    CrackState state;
    std::size_t pieces = 0;
};
struct Reach {
    int layers = 0;
    std::size_t tets = 0;
};

// The crack gone straight on, by the fewest layers of tetrahedra that part the solid, if any within reach do.
std::optional<Rest> parted(const UncutMesh& solid, const CrackState& state, std::uint16_t crack, std::size_t pieces,
                           const Reach& reach) {
    Rest best{state, 0};
    const std::vector<std::size_t> sizes = extendCrack(solid, best.state, crack, reach.layers, reach.tets);
    if (sizes.empty())
        return std::nullopt;
    best.pieces = pieceCount(solid, best.state);
    if (best.pieces <= pieces)
        return std::nullopt;
    for (std::size_t low = 0, high = sizes.size(); high - low > 1;) {
        const std::size_t middle = (low + high) / 2;
        Rest tried{best.state, 0};
        shorten(tried.state, crack, sizes[middle - 1]);
        tried.pieces = pieceCount(solid, tried.state);
        if (tried.pieces > pieces) {
            best = std::move(tried);
            high = middle;
        } else
            low = middle;
    }
    return best;
}

// How many cracks have parted the solid.
int partThinRests(const UncutMesh& solid, CrackState& state, std::span<const std::uint16_t> cracks, CrackResult& result) {
    int count = 0;
    std::size_t pieces = result.cut.pieceVolumes.size();
    for (const std::uint16_t crack : cracks)
        if (std::optional<Rest> rest =
                parted(solid, state, crack, pieces, {kRestLayers, 2 * state.cracks[crack].tets.size()})) {
            result.cutTets += std::uint32_t(rest->state.cracks[crack].tets.size() - state.cracks[crack].tets.size());
            pieces = rest->pieces;
            state = std::move(rest->state);
            ++count;
        }
    if (count > 0)
        result.cut = cutMesh(solid, state);
    return count;
}

// How many cracks have run straight through the solid. What they part must be more than a chip.
int runThrough(const UncutMesh& solid, CrackState& state, std::span<const PrincipalStress> tensions,
               std::span<const Resistance> resistance, CrackResult& result) {
    const double root = cubeRoot(double(solid.mesh.tets.size())), plane = kPlane * root * root;
    int count = 0;
    for (const std::uint16_t crack : allOf(state)) {
        const std::size_t size = state.cracks[crack].tets.size();
        if (double(size) < kLeastOfPlane * plane || tipLoad(solid, state, crack, tensions, resistance) < kDriven)
            continue;
        std::optional<Rest> rest =
            parted(solid, state, crack, result.cut.pieceVolumes.size(), {kThroughLayers, size + std::size_t(plane)});
        if (!rest)
            continue;
        CrackedMesh cut = cutMesh(solid, rest->state);
        if (volumeOff(cut) - volumeOff(result.cut) < kLeastThrough * volumeOf(cut))
            continue;
        result.cutTets += std::uint32_t(rest->state.cracks[crack].tets.size() - size);
        result.cut = std::move(cut);
        state = std::move(rest->state);
        ++count;
    }
    return count;
}

}  // namespace

std::vector<PrincipalStress> tensionsOf(const CrackedMesh& cut, std::span<const Stress> stresses, TaskRunner& runner) {
    std::vector<PrincipalStress> tensions(cut.firstElement.size());
    runRanges(runner, tensions.size(), kTetsPerTask, [&](std::size_t begin, std::size_t stop) {
        for (std::size_t tet = begin; tet < stop; ++tet) {
            const std::size_t first = cut.firstElement[tet];
            const std::size_t end = tet + 1 < tensions.size() ? cut.firstElement[tet + 1] : stresses.size();
            for (std::size_t element = first; element < end; ++element) {
                const PrincipalStress found = largestPrincipal(stresses[element]);
                if (element == first || found.value > tensions[tet].value)
                    tensions[tet] = found;
            }
        }
    });
    return tensions;
}

CrackResult crackSolid(const UncutMesh& solid, CrackState& state, std::span<const Resistance> resistance, const Grains& grains,
                       const CrackOptions& options, const FindStress& findStress, TaskRunner& runner) {
    CrackResult result;
    CrackState grown = state;
    GrowthOptions growth = options.growth;
    result.cut = cutMesh(solid, grown);
    std::vector<PrincipalStress> tensions;
    for (int round = 0, after = 0; round < options.rounds && after < kRoundsAfterParting; ++round) {
        const std::optional<std::vector<Stress>> stresses = findStress(result.cut, grown);
        result.isSolved = stresses.has_value();
        if (!stresses) {
            // Without a stress nothing cracks; cracks that have grown by then end where the one before has led them.
            if (round > 0)
                partThinRests(solid, grown, candidates(solid, grown, allOf(grown), tensions, resistance), result);
            break;
        }
        ++result.rounds;
        tensions = tensionsOf(result.cut, *stresses, runner);
        if (round == 0) {
            noteWorst(tensions, resistance, result);
            result.firstTensions = tensions;
        }
        const Growth grew = growCracks(solid, grown, tensions, resistance, grains, growth);
        result.cutTets += grew.cut;
        result.hasStarted = result.hasStarted || grew.started > 0;
        if (grew.cut > 0)
            result.cut = cutMesh(solid, grown);
        const int apart = runThrough(solid, grown, tensions, resistance, result) +
                          partThinRests(solid, grown, candidates(solid, grown, grew.resting, tensions, resistance), result);
        if (grew.cut == 0 && apart == 0)
            break;
        if (round + 1 >= kSlowRounds)
            growth.crest = max(growth.crest * kFaster, kLeastCrest);
        if (isParted(result.cut)) {
            growth.mostStarts = 0;
            ++after;
        }
    }
    state = std::move(grown);
    return result;
}

}  // namespace sunder::elastic
