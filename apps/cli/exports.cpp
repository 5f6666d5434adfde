// See exports.h.
#include "exports.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "interrupt.h"
#include "progress.h"
#include "run.h"
#include "sunder/scene/trim.h"

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

namespace {

// The numbers of a text that are separated by one character; nothing where it is not that.
std::optional<std::vector<double>> numbersOf(const std::string& text, char separator) {
    std::vector<double> numbers;
    std::istringstream stream(text);
    for (std::string word; std::getline(stream, word, separator);) {
        char* end = nullptr;
        numbers.push_back(std::strtod(word.c_str(), &end));
        if (word.empty() || *end != '\0' || !std::isfinite(numbers.back()))
            return std::nullopt;
    }
    return numbers;
}

TrimOptions trimOptions(const ExportOptions& options) {
    TrimOptions trim;
    if (!options.frames.empty()) {
        const std::size_t dash = options.frames.find('-');
        const std::string first = options.frames.substr(0, dash),
                          last = dash == std::string::npos ? first : options.frames.substr(dash + 1);
        const auto isNumber = [](const std::string& text) {
            return text.size() <= 7 && text.find_first_not_of("0123456789") == std::string::npos;
        };
        if (!isNumber(first) || !isNumber(last) || (first.empty() && last.empty()))
            throw Error("--frames " + options.frames + ": is not allowed (30-90, 30-, -90 or 30)");
        trim.first = first.empty() ? -1 : std::stoi(first);
        trim.last = last.empty() ? -1 : std::stoi(last);
    }
    if (!options.camera.empty()) {
        const std::optional<std::vector<double>> v = numbersOf(options.camera, ',');
        const bool isGood = v && (v->size() == 6 || v->size() == 7) && (v->size() == 6 || ((*v)[6] >= 1 && (*v)[6] <= 170));
        if (!isGood)
            throw Error("--camera " + options.camera +
                        ": is not allowed (x,y,z of the eye, x,y,z of what it looks at, and the angle, 1 to 170 degrees)");
        const auto point = [&](std::size_t at) { return Vec3{Real((*v)[at]), Real((*v)[at + 1]), Real((*v)[at + 2])}; };
        trim.camera = Camera{point(0), point(3), v->size() == 7 ? Real((*v)[6]) : Camera{}.fovDegrees};
    }
    return trim;
}

// The part of the recording that was asked for, in a file that is removed when it has been read if a recording was not asked
// for.
Recording openPart(const fs::path& file, const fs::path& folder, const ExportOptions& options,
                   std::vector<std::string>& written) {
    Recording recording = Recording::open(file);
    if (options.frames.empty() && options.camera.empty())
        return recording;
    const TrimOptions trim = trimOptions(options);
    const bool isKept = contains(options.kinds, "recording");
    const fs::path part = folder / ((isKept ? "" : ".") + file.stem().string() + ".part.sunder");
    try {
        trimRecording(recording, part, trim);
        Recording trimmed = Recording::open(part);
        if (isKept)
            written.push_back(part.string());
        else
            fs::remove(part);
        return trimmed;
    } catch (...) {
        std::error_code ignored;
        fs::remove(part, ignored);
        throw;
    }
}

}  // namespace

int exportFile(const fs::path& file, fs::path folder, const ExportOptions& options) {
    if (!checkExports(options))
        return kBadInput;
    trimOptions(options);
    if (folder.empty())
        folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    makeFolder(folder);
    std::vector<std::string> parts;
    Recording recording = openPart(file, folder, options, parts);
    if (!recording.warning().empty())
        fmt::print(stderr, "{}: {}\n", file.string(), recording.warning());
    catchInterrupts();
    ExportResult result = exportRecording(recording, folder, file.stem().string(), options);
    result.written.insert(result.written.begin(), parts.begin(), parts.end());
    if (!options.quiet)
        for (const std::string& written : result.written)
            fmt::print("wrote {}\n", written);
    if (!result.finished)
        fmt::print(stderr, "sunder: stopped\n");
    return result.finished ? kDone : kInterrupted;
}

}  // namespace sunder::cli
