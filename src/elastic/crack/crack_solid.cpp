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
    result.cut = cutMesh(solid, grown);
    for (int round = 0; round < options.rounds; ++round) {
        const std::optional<std::vector<Stress>> stresses = findStress(result.cut, grown);
        if (!stresses) {
            result.isSolved = false;
            result.cut = cutMesh(solid, state);
            return result;
        }
        ++result.rounds;
        const std::vector<PrincipalStress> tensions = tensionsOf(result.cut, *stresses);
        if (round == 0)
            noteWorst(tensions, resistance, result);
        const Growth growth = growCracks(solid, grown, tensions, resistance, grains, options.growth);
        if (growth.cut == 0)
            break;
        result.cutTets += growth.cut;
        result.cut = cutMesh(solid, grown);
    }
    state = std::move(grown);
    return result;
}

}  // namespace sunder::elastic
