// Cracks a thin shell along the edges of its triangles until nothing exceeds what it bears.
//   [Bao07] IV, VII   shells; edges between grains are weaker
// A crack starts at the edge that is most overloaded and runs from both of its ends along edges that go on straight, while the
// tension across them exceeds what the toughness holds. Once triangles have come off, no new cracks start.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "elastic/shell/shell_stress.h"

namespace sunder::elastic {

struct ShellResistance {
    double start = 0, run = 0;  // Pa, per edge
};
struct ShellGrains {
    int count = 0;  // of seeds, uniform over the bounds; fewer than 2: no grains
    double unevenness = 0, strength = 1;
    std::uint64_t seed = 1;
};
// strength: Pa; toughness: J/m^2.
std::vector<ShellResistance> shellResistance(const ShellMesh& mesh, double strength, double toughness, double young,
                                             const ShellGrains& grains);

struct ShellCracks {
    std::vector<std::uint8_t> isCracked;  // per edge
    CrackedShell cut;
    int rounds = 0;  // that found a stress
    bool isSolved = true, hasStarted = false;
    std::uint32_t worstEdge = 0;        // before any new crack
    double worstStress = 0;             // Pa: there
    std::vector<double> firstTensions;  // Pa, per edge, before any new crack; of cracked ones 0
};
// The second: at which vertices of the cut shell it is asked for; empty for all.
using FindShellStress = std::function<std::optional<ShellStress>(const CrackedShell&, std::span<const std::uint8_t>)>;

// isCracked: from earlier blows.
ShellCracks crackShell(const ShellMesh& mesh, std::vector<std::uint8_t> isCracked, std::span<const ShellResistance> resistance,
                       int rounds, int mostStarts, const FindShellStress& findStress);

}  // namespace sunder::elastic
