#include "elastic/crack/crack_solid.h"

#include <utility>

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
constexpr int kRestLayers = 6;
constexpr std::size_t kLeastCrack = 12;

// True where a crack parted the solid.
bool partThinRests(const UncutMesh& solid, CrackState& state, CrackResult& result) {
    for (std::size_t i = 0; i < state.cracks.size(); ++i) {
        const auto crack = static_cast<std::uint16_t>(i);
        if (state.cracks[crack].tets.size() < kLeastCrack)
            continue;
        CrackState tried = state;
        for (int layer = 0; layer < kRestLayers; ++layer) {
            extendCrack(solid, tried, crack, 1);
            const std::size_t before = state.cracks[crack].tets.size(), added = tried.cracks[crack].tets.size() - before;
            if (added == 0 || added > before)
                break;
            CrackedMesh cut = cutMesh(solid, tried);
            if (cut.pieceVolumes.size() <= result.cut.pieceVolumes.size())
                continue;
            result.cut = std::move(cut);
            result.cutTets += std::uint32_t(added);
            state = std::move(tried);
            return true;
        }
    }
    return false;
}

}  // namespace

std::vector<PrincipalStress> tensionsOf(const CrackedMesh& cut, std::span<const Stress> stresses) {
    std::vector<PrincipalStress> tensions(cut.firstElement.size());
    for (std::size_t tet = 0; tet < tensions.size(); ++tet) {
        const std::size_t first = cut.firstElement[tet];
        const std::size_t end = tet + 1 < tensions.size() ? cut.firstElement[tet + 1] : stresses.size();
        for (std::size_t element = first; element < end; ++element) {
            const PrincipalStress found = largestPrincipal(stresses[element]);
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
    for (int round = 0; round < options.rounds; ++round) {
        const std::optional<std::vector<Stress>> stresses = findStress(result.cut, grown);
        if (!stresses && round == 0) {
            result.isSolved = false;
            return result;
        }
        if (!stresses) {
            partThinRests(solid, grown, result);
            break;
        }
        ++result.rounds;
        const std::vector<PrincipalStress> tensions = tensionsOf(result.cut, *stresses);
        if (round == 0)
            noteWorst(tensions, resistance, result);
        const Growth grew = growCracks(solid, grown, tensions, resistance, grains, growth);
        result.cutTets += grew.cut;
        if (grew.cut > 0) {
            const std::size_t pieces = result.cut.pieceVolumes.size();
            result.cut = cutMesh(solid, grown);
            if (result.cut.pieceVolumes.size() > pieces)
                growth.mostStarts = 0;
        } else if (partThinRests(solid, grown, result))
            growth.mostStarts = 0;
        else
            break;
    }
    state = std::move(grown);
    return result;
}

}  // namespace sunder::elastic
