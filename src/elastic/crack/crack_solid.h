// Cracks a solid until nothing exceeds what it bears: stress, cracks, stress of what is left, and so on.
//   [Bao07] VII   solve again after cutting
// A crack that comes to rest so near to a free surface that few tetrahedra are left between parts the solid there: so thin a
// rest bends, and linear tetrahedra do not see it.
// A crack that is driven far beyond what holds it runs straight through the solid.
// Once a piece has come off that is more than a chip, cracks that are there go on for some rounds but no new ones start: what
// loaded the body has lost its hold.
#pragma once

#include <functional>
#include <optional>

#include "core/task_runner.h"
#include "elastic/crack/grow_cracks.h"
#include "elastic/crack/virtual_nodes.h"

namespace sunder::elastic {

// The stress per element of a cracked mesh, under whatever loads the caller has; nothing where it could not be found.
using FindStress = std::function<std::optional<std::vector<Stress>>(const CrackedMesh&, const CrackState&)>;

struct CrackOptions {
    int rounds = 32;  // of solving and cracking, at most
    GrowthOptions growth;
};

struct CrackResult {
    CrackedMesh cut;
    int rounds = 0;             // that found a stress
    std::uint32_t cutTets = 0;  // entered by cracks, in all rounds
    bool hasStarted = false;    // a new crack did; otherwise only older ones went on
    // False: a stress could not be found. Where that is the first, rounds is 0 and the cracks are as they were before; where it
    // is a later one, cracks end where those before have led them.
    bool isSolved = true;
    // Before any new crack: the most overloaded tetrahedron, its tension (Pa) and that over the strength there.
    std::uint32_t worstTet = 0;
    double worstStress = 0, worstRatio = 0;
    std::vector<PrincipalStress> firstTensions;  // per uncut tetrahedron, before any new crack
};

CrackResult crackSolid(const UncutMesh& solid, CrackState& state, std::span<const Resistance> resistance, const Grains& grains,
                       const CrackOptions& options, const FindStress& findStress, TaskRunner& runner);

// Per uncut tetrahedron the largest tension of its parts.
std::vector<PrincipalStress> tensionsOf(const CrackedMesh& cut, std::span<const Stress> stresses, TaskRunner& runner);

}  // namespace sunder::elastic
