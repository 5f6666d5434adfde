// `sunder filter`: a copy of a recording without the chatter that the run did not get rid of.
#pragma once

#include <filesystem>
#include <string>

#include "sunder/scene/filters.h"

namespace sunder::cli {

struct FilterOptions {
    std::filesystem::path recording, out;
    std::string kind = "box";
    PoseFilter filter;
    bool quiet = false;
};

int filterFile(FilterOptions options);

}  // namespace sunder::cli
