// sunder pattern: patterns made, inspected and drawn.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sunder::cli {

struct PatternOptions {
    std::string source;             // a drawn or saved pattern file, or a type such as voronoi
    std::vector<std::string> sets;  // KEY=VALUE of the pattern, as in a scene file
    std::filesystem::path out;
    int width = 960;  // pixels, of the picture
};

// Each returns the exit status.
int makePattern(const PatternOptions& options);     // saves it as a pattern file
int showPattern(const PatternOptions& options);     // prints what it is
int previewPattern(const PatternOptions& options);  // draws what it makes of a box

}  // namespace sunder::cli
