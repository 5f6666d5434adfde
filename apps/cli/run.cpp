// See run.h.
#include "run.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <thread>

#include "pictures.h"
#include "progress.h"
#include "replay.h"
#include "sunder/scene/bundled.h"
#include "sunder/scene/output_file.h"
#include "sunder/scene/runner.h"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;

volatile std::sig_atomic_t interrupted = 0;

// The first signal asks the run to end after its frame; a second one ends the program at once.
void onInterrupt(int signal) {
    interrupted = 1;
    std::signal(signal, SIG_DFL);
}

// A run that falls apart says so in a few lines.
constexpr std::size_t kMostErrors = 8;

constexpr const char* kExports[] = {"png"};
constexpr const char* kLaterExports[] = {"recording", "gltf", "usda", "mp4", "report"};

// False, with a message, where one of the exports is not to be had.
bool checkExports(const std::vector<std::string>& exports) {
    bool good = true;
    for (const std::string& name : exports) {
        if (std::find(std::begin(kExports), std::end(kExports), name) != std::end(kExports))
            continue;
        good = false;
        const bool later = std::find(std::begin(kLaterExports), std::end(kLaterExports), name) != std::end(kLaterExports);
        fmt::print(stderr, "sunder: --export {}: {}\n", name, later ? "not in this version (png)" : "is not allowed (png)");
    }
    return good;
}

// The files a run leaves, opened before it starts so that a bad path costs no time.
struct Outputs {
    std::optional<OutputFile> stats, trace;
    std::optional<Pictures> pictures;
    std::vector<std::string> written;
    bool standardOutput = false;

    void record(SceneRunner& runner) {
        if (stats)
            stats->write(runner.statsLine());
        if (trace)
            trace->write(runner.traceLine());
        if (pictures)
            pictures->record(runner);
    }
    void commit() {
        if (stats)
            stats->commit();
        if (trace)
            trace->commit();
        if (pictures)
            for (const std::string& file : pictures->finish())
                written.push_back(file);
    }
};

Outputs openOutputs(const RunOptions& options, const Scene& scene, const std::string& title) {
    Outputs outputs;
    fs::path folder = options.out, stats = options.stats;
    const bool exporting = !options.noExport && (!options.exports.empty() || !folder.empty());
    if (exporting && folder.empty())
        folder = fs::path("out") / title;
    if (!folder.empty()) {
        std::error_code error;
        fs::create_directories(folder, error);
        if (error || !fs::is_directory(folder))
            throw Error(folder.string() + ": the folder cannot be made (" + (error ? error.message() : "not a folder") + ")");
        if (stats.empty())
            stats = folder / "stats.jsonl";
    }
    const auto open = [&](std::optional<OutputFile>& file, const fs::path& path) {
        if (path.empty())
            return;
        file.emplace(path);
        if (path == "-")
            outputs.standardOutput = true;
        else
            outputs.written.push_back(path.string());
    };
    std::error_code ignored;
    if (!options.trace.empty() && fs::weakly_canonical(stats, ignored) == fs::weakly_canonical(options.trace, ignored))
        throw Error(options.trace.string() + ": --stats and --trace are the same file");
    open(outputs.stats, stats);
    open(outputs.trace, options.trace);
    if (exporting)
        outputs.pictures.emplace(folder, scene, title, options.pictureWidth);
    return outputs;
}

std::string titleOf(const fs::path& file) { return file.stem().string(); }

int simulate(const RunOptions& options, const Scene& scene, const std::string& title) {
    Outputs outputs = openOutputs(options, scene, title);
    std::optional<LogFile> log;
    if (!options.record.empty()) {
        log.emplace(options.record);
        outputs.written.push_back(options.record.string());
    }
    SceneRunner runner(scene, nullptr, log ? &*log : nullptr);
    Progress progress(title, scene.frames, options.quiet);
    std::signal(SIGINT, onInterrupt);
    std::signal(SIGTERM, onInterrupt);

    double totalMs = 0;
    std::size_t errorCount = 0;
    outputs.record(runner);
    while (runner.frame() < scene.frames && !interrupted) {
        runner.stepFrame();
        totalMs += runner.stepMs();
        for (const std::string& message : runner.errors())
            if (++errorCount <= kMostErrors)
                progress.message(fmt::format("frame {}: {}", runner.frame(), message));
        outputs.record(runner);
        progress.update(runner.frame(), totalMs);
    }
    if (errorCount > kMostErrors)
        progress.message(fmt::format("and {} more bodies that are no longer simulated", errorCount - kMostErrors));
    progress.finish();
    outputs.commit();

    if (!options.quiet) {
        std::FILE* stream = outputs.standardOutput ? stderr : stdout;
        const int frames = std::max(runner.frame(), 1);
        fmt::print(stream, "{}: {} bodies, {} frames of 1/{} s, {:.3g} ms per frame, hash {:016x}\n", title,
                   runner.world().stats().bodies, runner.frame(), numberText(scene.frameRate), totalMs / frames,
                   runner.world().hash());
        for (const std::string& file : outputs.written)
            fmt::print(stream, "wrote {}\n", file);
    }
    if (interrupted)
        fmt::print(stderr, "sunder: stopped after frame {} of {}\n", runner.frame(), scene.frames);
    return interrupted ? kInterrupted : kDone;
}

}  // namespace

std::optional<Scene> openScene(const RunOptions& options, const fs::path& sceneFolder) {
    const FoundScene found = findScene(options.scene, sceneFolder);
    if (!found.problem.empty()) {
        fmt::print(stderr, "sunder: {}\n", found.problem);
        return std::nullopt;
    }
    SceneOptions sceneOptions;
    sceneOptions.sets = options.sets;
    // --frames and --threads are the short forms of two settings, so that they are checked alike.
    if (options.frames)
        sceneOptions.sets.push_back("frames=" + std::to_string(*options.frames));
    if (options.threads)
        sceneOptions.sets.push_back("threads=" + std::to_string(*options.threads));
    sceneOptions.allowedFolders = options.allowedFolders;
    if (!sceneFolder.empty())
        sceneOptions.assets = sceneFolder.parent_path() / "assets";
    SceneResult result = loadScene(found.file, sceneOptions);
    for (const SceneProblem& problem : result.problems)
        fmt::print(stderr, "{}\n", problem.text());
    return std::move(result.scene);
}

int run(const RunOptions& options, const fs::path& sceneFolder) {
    if (!checkExports(options.exports))
        return kBadInput;
    const std::optional<Scene> scene = openScene(options, sceneFolder);
    if (!scene)
        return kBadInput;
    return simulate(options, *scene, titleOf(options.scene));
}

int demo(RunOptions options, const fs::path& sceneFolder) {
    if (options.out.empty())
        options.out = fs::path("out") / titleOf(options.scene);
    if (!options.threads)
        options.threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 64u));
    const std::optional<Scene> scene = openScene(options, sceneFolder);
    if (!scene)
        return kBadInput;
    if (!options.quiet)
        fmt::print("{}\n", scene->description.empty() ? scene->name : scene->description);
    const int status = simulate(options, *scene, titleOf(options.scene));
    if (status == kDone && !options.quiet)
        fmt::print("Look at {} for pictures of the run, and at {} for its numbers.\n",
                   (options.out / "contact_sheet.png").string(), (options.out / "stats.jsonl").string());
    return status;
}

}  // namespace sunder::cli
