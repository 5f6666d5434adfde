#include "elastic/crack/crack_solid.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <utility>

namespace sunder::elastic {

namespace {

void noteWorst(std::span<const Tension> tensions, std::span<const Resistance> resistance, CrackResult& result) {
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
constexpr int kRoundsAfterParting = 2;
// After so many rounds cracks go further in each: by then it is known where they go, and the rest takes as long as rounds do.
constexpr int kSlowRounds = 4;
constexpr Real kFaster = Real(0.85), kLeastCrest = Real(0.25);
// Of the volume, what must have come off for that: chips do not unload the rest.
constexpr double kLeastParted = 0.01;

bool isParted(const CrackedMesh& cut) {
    double sum = 0, largest = 0;
    for (const double volume : cut.pieceVolumes) {
        sum += volume;
        largest = std::max(largest, volume);
    }
    return sum - largest > kLeastParted * sum;
}

// Of these, the cracks that may part a thin rest, those with the most loaded tips first.
std::vector<std::uint16_t> candidates(const UncutMesh& solid, const CrackState& state, std::span<const std::uint16_t> cracks,
                                      std::span<const Tension> tensions, std::span<const Resistance> resistance) {
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

// Lets a crack go on until it has nowhere to go; false where that is too far.
bool runsThrough(const UncutMesh& solid, CrackState& state, std::uint16_t crack) {
    const std::size_t before = state.cracks[crack].tets.size();
    for (int layer = 0; layer <= kRestLayers; ++layer) {
        const bool isThrough = extendCrack(solid, state, crack, 1) == 0;
        const std::size_t added = state.cracks[crack].tets.size() - before;
        fprintf(stderr, "  tried %d: layer %d %zu + %zu through %d\n", crack, layer, before, added, isThrough);
        if (isThrough || added > before)
            return isThrough && added > 0;
    }
    return false;
}

// How many cracks have parted the solid.
int partThinRests(const UncutMesh& solid, CrackState& state, std::span<const std::uint16_t> cracks, CrackResult& result) {
    int parted = 0;
    for (const std::uint16_t crack : cracks) {
        CrackState tried = state;
        if (!runsThrough(solid, tried, crack))
            continue;
        CrackedMesh cut = cutMesh(solid, tried);
        if (cut.pieceVolumes.size() <= result.cut.pieceVolumes.size())
            continue;
        result.cut = std::move(cut);
        result.cutTets += std::uint32_t(tried.cracks[crack].tets.size() - state.cracks[crack].tets.size());
        state = std::move(tried);
        ++parted;
    }
    return parted;
}

}  // namespace

std::vector<Tension> tensionsOf(const CrackedMesh& cut, std::span<const Stress> stresses) {
    std::vector<Tension> tensions(cut.firstElement.size());
    for (std::size_t tet = 0; tet < tensions.size(); ++tet) {
        const std::size_t first = cut.firstElement[tet];
        const std::size_t end = tet + 1 < tensions.size() ? cut.firstElement[tet + 1] : stresses.size();
        for (std::size_t element = first; element < end; ++element) {
            const Tension found(stresses[element]);
            if (element == first || found.value > tensions[tet].value)
                tensions[tet] = found;
        }
    }
    return tensions;
}

CrackResult crackSolid(const UncutMesh& solid, CrackState& state, std::span<const Resistance> resistance, const Grains& grains,
                       const CrackOptions& options, const FindStress& findStress) {
    CrackResult result;
    CrackState grown = state;
    GrowthOptions growth = options.growth;
    result.cut = cutMesh(solid, grown);
    std::vector<Tension> tensions;
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
        tensions = tensionsOf(result.cut, *stresses);
        if (round == 0) {
            noteWorst(tensions, resistance, result);
            result.firstTensions = tensions;
        }
        const Growth grew = growCracks(solid, grown, tensions, resistance, grains, growth);
        result.cutTets += grew.cut;
        if (grew.cut > 0)
            result.cut = cutMesh(solid, grown);
        const int parted = partThinRests(solid, grown, candidates(solid, grown, grew.resting, tensions, resistance), result);
        if (grew.cut == 0 && parted == 0)
            break;
        fprintf(stderr, " round %d: worst %g started %u cut %u parted %d cracks %zu pieces %zu crest %g t %.1f\n", round,
                result.worstRatio, grew.started, grew.cut, parted, grown.cracks.size(), result.cut.pieceVolumes.size(),
                double(growth.crest), clock() * 1e3 / CLOCKS_PER_SEC);
        if (FILE* f = fopen("/tmp/s3/cracks.txt", round == 0 ? "w" : "a")) {
            for (std::size_t c = 0; c < grown.cracks.size(); ++c)
                for (auto t : grown.cracks[c].tets) {
                    const Vec3 m = middleOf(solid.mesh, t), n = normalIn(solid, grown.cracks[c], t);
                    fprintf(f, "%d %zu %g %g %g %g %g %g %g\n", round, c, double(m.x), double(m.y), double(m.z), double(n.x),
                            double(n.y), double(n.z), tensions[t].value);
                }
            fclose(f);
        }
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
