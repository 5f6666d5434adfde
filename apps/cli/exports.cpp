// See exports.h.
#include "exports.h"

#include <fmt/format.h>

#include <algorithm>

#include "interrupt.h"
#include "progress.h"
#include "run.h"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;

struct Kind {
    const char* name;
    const char* text;
    bool inDemo;
};
// In the order in which they are made: the report holds the movie.
constexpr Kind kKinds[] = {
    {"recording", "NAME.sunder, from which all others can be made later", true},
    {"gltf", "NAME.glb, animated", true},
    {"usda", "NAME.usda, animated", true},
    {"csv", "stats.csv", true},
    {"ply", "frames/*.ply, one for each frame", false},
    {"png", "a contact sheet and stills", true},
    {"mp4", "NAME.mp4, through ffmpeg", true},
    {"report", "report.html", true},
};
// A movie's frames are seen for a moment, and a codec smooths them.
constexpr int kStillSamples = 8, kMovieSamples = 4;
constexpr const char* kOverlays[] = {"contacts", "energy", "ids"};

bool contains(const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

std::string join(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

class Exporter {
public:
    Exporter(Recording& recording, const fs::path& folder, const std::string& title, const ExportOptions& options)
        : recording_(recording), folder_(folder), title_(title), options_(options) {}

    void make(const std::string& kind, ExportResult& result) {
        Progress progress(title_ + " " + kind, 0, options_.quiet);
        const ExportProgress report = [&](int done, int total) {
            progress.updateOf(done, total);
            return !interrupted();
        };
        const bool finished = makeKind(kind, report, result.written);
        progress.finish();
        result.finished = result.finished && finished;
    }
    std::vector<std::string> otherFiles;

private:
    fs::path named(const char* extension) const { return folder_ / (title_ + extension); }
    MovieOptions movieOptions(int width, int usualSamples) const {
        MovieOptions movie;
        movie.width = width / 2 * 2;
        movie.samples = options_.samples > 0 ? options_.samples : usualSamples;
        movie.threads = options_.threads;
        movie.contacts = contains(options_.overlays, "contacts");
        movie.energy = contains(options_.overlays, "energy");
        movie.ids = contains(options_.overlays, "ids");
        return movie;
    }
    bool makeKind(const std::string& kind, const ExportProgress& report, std::vector<std::string>& written) {
        const auto done = [&](const fs::path& path, bool finished) {
            if (finished)
                written.push_back(path.string());
            return finished;
        };
        if (kind == "gltf")
            return done(named(".glb"), writeGlb(recording_, named(".glb"), report));
        if (kind == "usda")
            return done(named(".usda"), writeUsda(recording_, named(".usda"), report));
        if (kind == "csv")
            return done(folder_ / "stats.csv", writeCsv(recording_, folder_ / "stats.csv"));
        if (kind == "ply")
            return done(folder_ / "frames", writePlySequence(recording_, folder_ / "frames", report));
        if (kind == "mp4")
            return done(named(".mp4"),
                        writeMovie(recording_, named(".mp4"), movieOptions(options_.movieWidth, kMovieSamples), report));
        if (kind == "png") {
            PictureFiles files;
            const bool finished =
                writePictures(recording_, folder_, title_, movieOptions(options_.pictureWidth, kStillSamples), files, report);
            for (const fs::path& still : files.stills)
                written.push_back(still.string());
            return done(files.sheet, finished);
        }
        if (kind == "report") {
            ReportOptions options;
            options.title = title_;
            options.threads = options_.threads;
            options.files = otherFiles;
            for (const std::string& file : written)
                options.files.push_back(fs::path(file).filename().string());
            if (contains(written, named(".mp4").string()))
                options.movie = named(".mp4");
            return done(folder_ / "report.html", writeReport(recording_, folder_ / "report.html", options, report));
        }
        return true;
    }

    Recording& recording_;
    fs::path folder_;
    std::string title_;
    const ExportOptions& options_;
};

}  // namespace

std::vector<std::string> demoExports() {
    std::vector<std::string> kinds;
    for (const Kind& kind : kKinds)
        if (kind.inDemo)
            kinds.push_back(kind.name);
    return kinds;
}

std::string exportHelp() {
    std::string text;
    for (const Kind& kind : kKinds)
        text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", kind.name, kind.text);
    return text;
}

bool checkExports(const ExportOptions& options) {
    bool good = true;
    std::vector<std::string> known(std::begin(kOverlays), std::end(kOverlays));
    for (const std::string& overlay : options.overlays)
        if (!contains(known, overlay)) {
            good = false;
            fmt::print(stderr, "sunder: --overlay {}: is not allowed ({})\n", overlay, join(known));
        }
    known.clear();
    for (const Kind& kind : kKinds)
        known.push_back(kind.name);
    for (const std::string& kind : options.kinds)
        if (!contains(known, kind)) {
            good = false;
            fmt::print(stderr, "sunder: --export {}: is not allowed ({})\n", kind, join(known));
        } else if (kind == "mp4" && !movieProblem().empty()) {
            good = false;
            fmt::print(stderr, "sunder: --export mp4: {}\n", movieProblem());
        }
    return good;
}

ExportResult exportRecording(Recording& recording, const fs::path& folder, const std::string& title,
                             const ExportOptions& options, std::vector<std::string> otherFiles) {
    ExportResult result;
    Exporter exporter(recording, folder, title, options);
    exporter.otherFiles = std::move(otherFiles);
    for (const Kind& kind : kKinds)
        if (contains(options.kinds, kind.name) && result.finished && !interrupted())
            exporter.make(kind.name, result);
    result.finished = result.finished && !interrupted();
    return result;
}

int exportFile(const fs::path& file, fs::path folder, const ExportOptions& options) {
    if (!checkExports(options))
        return kBadInput;
    Recording recording = Recording::open(file);
    if (!recording.warning().empty())
        fmt::print(stderr, "{}: {}\n", file.string(), recording.warning());
    if (folder.empty())
        folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    makeFolder(folder);
    catchInterrupts();
    const ExportResult result = exportRecording(recording, folder, file.stem().string(), options);
    if (!options.quiet)
        for (const std::string& written : result.written)
            fmt::print("wrote {}\n", written);
    if (!result.finished)
        fmt::print(stderr, "sunder: stopped\n");
    return result.finished ? kDone : kInterrupted;
}

}  // namespace sunder::cli
