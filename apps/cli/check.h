// sunder check: validates scene files, lists their bodies and warns of what is probably not meant.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "run.h"

namespace sunder::cli {

struct CheckOptions {
    std::vector<std::string> files;
    bool blows = false;  // run each scene, to list the largest blow on each body
    bool quiet = false;  // no list of bodies
};

// Returns the exit status.
int check(RunOptions options, const CheckOptions& what, const std::filesystem::path& sceneFolder);

}  // namespace sunder::cli
