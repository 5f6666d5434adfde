// `sunder bench`: runs the program of bench/peers, which alone is linked with other engines.
#pragma once

#include <filesystem>

namespace sunder::cli {

// Does not return where that program was found: it takes over with these arguments, a null pointer last.
int bench(const std::filesystem::path& executable, char** arguments);

}  // namespace sunder::cli
