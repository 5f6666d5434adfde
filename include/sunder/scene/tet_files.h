// Tetrahedra from files: TetGen's .node and .ele.
#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "sunder/types.h"

namespace sunder {

struct TetFile {
    std::vector<Vec3> nodes;                         // m, as DeformableDef::nodes
    std::vector<std::array<std::uint32_t, 4>> tets;  // as DeformableDef::tets
};

// Either of the two files, name.node or name.ele; the other stands beside it. Nodes may be numbered from 0 or from 1. Of
// tetrahedra with more than four nodes the first four, their corners, are taken. Where most tetrahedra of a file have a
// negative volume it has the other convention, and two nodes of every tetrahedron change places. Throws Error with the file,
// the line, what is wrong and what is allowed.
TetFile loadTets(const std::filesystem::path& file);

}  // namespace sunder
