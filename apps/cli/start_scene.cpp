// See startScene in run.h.
#include "run.h"

namespace sunder::cli {

std::unique_ptr<SceneRunner> startScene(const RunOptions& options, const Scene& scene, CallLog* log) {
    try {
        return std::make_unique<SceneRunner>(scene, nullptr, log);
    } catch (const Error& error) {
        throw Error(options.scene + ": " + error.what());
    }
}

}  // namespace sunder::cli
