#include "bench.h"

#include <fmt/format.h>
#include <unistd.h>

#include <vector>

#include "run.h"

namespace sunder::cli {

int bench(const std::filesystem::path& executable, char** arguments) {
    const std::filesystem::path folder = executable.parent_path();
    // Beside this program in a build tree, in libexec once installed.
    for (const std::filesystem::path& program : {folder / "sunder_peers", folder / "../libexec/sunder/sunder_peers"}) {
        std::string name = program.string();
        std::vector<char*> words{name.data()};
        for (char** word = arguments; *word != nullptr; ++word)
            words.push_back(*word);
        words.push_back(nullptr);
        ::execv(name.c_str(), words.data());
    }
    fmt::print(stderr, "sunder bench: the benchmark was not built with this program (cmake -D SUNDER_BENCH=ON)\n");
    return kBadInput;
}

}  // namespace sunder::cli
