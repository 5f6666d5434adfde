// What the rows about fracture share.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace sunder::bars {

// The bars are for two threads; SUNDER_BARS_THREADS asks for others.
inline int fractureThreads() {
    const char* given = std::getenv("SUNDER_BARS_THREADS");
    return given != nullptr ? std::max(1, std::atoi(given)) : 2;
}

#if SUNDER_HAS_SCENE
// SUNDER_BARS_SCENES: where the program runs on another machine than the one it was built on.
inline std::filesystem::path fractureScenes() {
    const char* given = std::getenv("SUNDER_BARS_SCENES");
    return given != nullptr ? given : SUNDER_SCENE_FOLDER;
}
#endif

}  // namespace sunder::bars
