// See filter.h.
#include "filter.h"

#include <fmt/format.h>

#include "interrupt.h"
#include "progress.h"
#include "run.h"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;

bool findKind(const std::string& name, PoseFilterKind& kind) {
    for (const auto& [known, value] : {std::pair{"box", PoseFilterKind::Box}, std::pair{"envelope", PoseFilterKind::Envelope},
                                       std::pair{"follow", PoseFilterKind::Follow}})
        if (name == known) {
            kind = value;
            return true;
        }
    return false;
}

bool isSameFile(const fs::path& a, const fs::path& b) {
    std::error_code error;
    return fs::equivalent(a, b, error);
}

}  // namespace

int filterFile(FilterOptions options) {
    if (!findKind(options.kind, options.filter.kind)) {
        fmt::print(stderr, "sunder: --kind {}: is not allowed (box, envelope, follow)\n", options.kind);
        return kBadInput;
    }
    if (options.out.empty())
        options.out = fs::path(options.recording).replace_extension("." + options.kind + ".sunder");
    Recording recording = Recording::open(options.recording);
    if (isSameFile(options.recording, options.out)) {
        fmt::print(stderr, "sunder: --out {}: is the recording itself (another file)\n", options.out.string());
        return kBadInput;
    }
    if (!recording.warning().empty())
        fmt::print(stderr, "{}: {}\n", options.recording.string(), recording.warning());
    if (options.out.has_parent_path())
        makeFolder(options.out.parent_path());
    catchInterrupts();
    Progress progress(options.out.filename().string(), 0, options.quiet);
    const FilterReport report = filterRecording(recording, options.out, options.filter, [&](int done, int total) {
        progress.updateOf(done, total);
        return !interrupted();
    });
    progress.finish();
    if (interrupted()) {
        fmt::print(stderr, "sunder: stopped\n");
        return kInterrupted;
    }
    if (!options.quiet) {
        fmt::print("wrote {}\n", options.out.string());
        fmt::print("{} bodies; moved by at most {:.2f} mm and {:.2f} degrees\n", report.bodies, report.largestShift * 1e3,
                   report.largestTurn * 57.29577951308232);
        fmt::print("trembling, mean second difference per frame: {:.4f} mm, was {:.4f} mm; largest: {:.2f} mm, was {:.2f} mm\n",
                   report.tremblingAfter * 1e3, report.tremblingBefore * 1e3, report.popAfter * 1e3, report.popBefore * 1e3);
        fmt::print("two bodies overlap by at most {:.2f} mm more than they did\n", report.newOverlap * 1e3);
    }
    return kDone;
}

}  // namespace sunder::cli
