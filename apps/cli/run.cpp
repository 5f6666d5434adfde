// See run.h.
#include "run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "interrupt.h"
#include "progress.h"
#include "replay.h"
#include "sunder/scene/bundled.h"
#include "sunder/scene/crack_picture.h"
#include "sunder/scene/output_file.h"
#include "sunder/scene/runner.h"
#include "sunder/scene/stress_picture.h"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;

// A run that falls apart says so in a few lines.
constexpr std::size_t kMostErrors = 8;

// Exports of a run with --out that names none.
const std::vector<std::string> kUsualExports = {"recording", "png", "report"};

constexpr int kThumbnails = 5, kThumbnailWidth = 256, kThumbnailHeight = 144, kThumbnailSamples = 4;

std::string titleOf(const fs::path& file) { return file.stem().string(); }

bool contains(const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

// A word as a shell reads it.
std::string shellWord(const std::string& word) {
    const bool plain = !word.empty() && word.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                            "_-./=:,+") == std::string::npos;
    if (plain)
        return word;
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string commandOf(const RunOptions& options, const Scene& scene) {
    std::string command = "sunder run " + shellWord(options.scene) + " --frames " + std::to_string(scene.frames);
    for (const std::string& set : options.sets)
        command += " --set " + shellWord(set);
    for (const fs::path& folder : options.allowedFolders)
        command += " --allow-path " + shellWord(folder.string());
    return command;
}

// The recording of a run: kept where it was asked for, else removed when the exports are made.
class RunRecording {
public:
    RunRecording(const fs::path& folder, const std::string& title, const RunOptions& options, const Scene& scene,
                 const SceneRunner& runner)
        : keep_(contains(options.exports.kinds, "recording")),
          path_(folder / (keep_ ? title + ".sunder" : "." + title + "." + std::to_string(::getpid()) + ".part.sunder")) {
        RecorderOptions recorderOptions;
        recorderOptions.contacts = contains(options.exports.overlays, "contacts");
        recorderOptions.command = commandOf(options, scene);
        recorder_.emplace(path_, scene, runner, recorderOptions);
        RenderOptions render;
        render.width = kThumbnailWidth;
        render.height = kThumbnailHeight;
        render.samples = kThumbnailSamples;
        render.threads = options.exports.threads;
        renderer_ = Renderer(render);
        if (scene.camera)
            renderer_.setCamera(*scene.camera);
        if (keep_)
            thumbnailFrames_ = ContactSheet::spread(scene.frames, kThumbnails);
    }
    ~RunRecording() {
        std::error_code ignored;
        if (!keep_)
            fs::remove(path_, ignored);
    }
    RunRecording(const RunRecording&) = delete;
    RunRecording& operator=(const RunRecording&) = delete;

    void record(const SceneRunner& runner, const std::string& statsLine) {
        recorder_->record(runner, statsLine);
        if (std::find(thumbnailFrames_.begin(), thumbnailFrames_.end(), runner.frame()) != thumbnailFrames_.end())
            recorder_->writer().addThumbnail(runner.frame(), pngBytes(renderer_.draw(runner.world())));
    }
    void finish() { recorder_->finish(); }
    bool isKept() const { return keep_; }
    const fs::path& path() const { return path_; }

private:
    bool keep_;
    fs::path path_;
    std::optional<RunRecorder> recorder_;
    Renderer renderer_;
    std::vector<int> thumbnailFrames_;
};

RenderOptions pictureOptions(const RunOptions& options) {
    RenderOptions render;
    render.width = options.exports.pictureWidth;
    render.height = options.exports.pictureWidth * 9 / 16;
    render.threads = options.exports.threads;
    return render;
}

// A picture and a mesh for each frame in which the stress of a body was found, and a line that says what it was.
class StressPictures {
public:
    StressPictures(fs::path folder, const RunOptions& options, const Scene& scene)
        : folder_(std::move(folder)), render_(pictureOptions(options)), camera_(scene.camera) {}
    // The files that were written; none where there was nothing to draw.
    std::vector<std::string> draw(const SceneRunner& runner, Progress& progress) {
        const std::vector<StressMap> maps = stressMaps(runner);
        std::vector<std::string> names;
        for (const StressMap& map : maps) {
            names.push_back(nameOf(runner.world(), map.body));
            progress.message(fmt::format("frame {}: {}: {:.3g} Pa of {:.3g} Pa in tetrahedron {} at ({:.3g}, {:.3g}, {:.3g})",
                                         runner.frame(), names.back(), map.worstTension, map.strength, map.element, map.worst.x,
                                         map.worst.y, map.worst.z));
        }
        if (maps.empty() || ++count_ > kMost)
            return {};
        const fs::path picture = folder_ / fmt::format("stress_{:04}.png", runner.frame());
        writePng(drawStress(runner.world(), maps, render_, camera_), picture.string());
        const fs::path mesh = fs::path(picture).replace_extension(".glb");
        writeStressGlb(maps, names, mesh);
        return {picture.string(), mesh.string()};
    }
    bool isEmpty() const { return count_ == 0; }

private:
    // Where it has broken, that of one of its pieces.
    static std::string nameOf(const World& world, BodyId body) {
        if (world.isValid(body))
            return world.name(body);
        for (const BodyId piece : world.bodies())
            if (world.parent(piece) == body)
                return world.name(piece);
        return "a body";
    }

    static constexpr int kMost = 50;  // pictures
    fs::path folder_;
    RenderOptions render_;
    std::optional<Camera> camera_;
    int count_ = 0;
};

// A picture and a mesh for each frame in which a deformable body was awake, in colours of its strain.
class StrainPictures {
public:
    StrainPictures(fs::path folder, const RunOptions& options, const Scene& scene)
        : folder_(std::move(folder)), render_(pictureOptions(options)), camera_(scene.camera) {}
    // The files that were written; none where there was nothing to draw.
    std::vector<std::string> draw(const SceneRunner& runner) {
        std::vector<StressMap> maps = stressMaps(runner.world());
        std::erase_if(maps, [](const StressMap& map) { return map.strains.empty(); });
        if (maps.empty() || ++count_ > kMost)
            return {};
        std::vector<std::string> names;
        for (const StressMap& map : maps)
            names.push_back(runner.world().name(map.body));
        const fs::path file = folder_ / fmt::format("strain_{:04}.png", runner.frame());
        const fs::path mesh = fs::path(file).replace_extension(".glb");
        writeStrainGlb(maps, names, mesh);
        writePng(drawStrain(runner.world(), std::move(maps), render_, camera_), file.string());
        return {file.string(), mesh.string()};
    }
    bool isEmpty() const { return count_ == 0; }

private:
    static constexpr int kMost = 50;  // pictures
    fs::path folder_;
    RenderOptions render_;
    std::optional<Camera> camera_;
    int count_ = 0;
};

// The world at the end with its hairline cracks; the file that was written, empty where there are none.
std::string drawHairlines(const fs::path& folder, const RunOptions& options, const Scene& scene, const World& world) {
    const std::vector<CrackLines> cracks = crackLines(world);
    if (cracks.empty())
        return "";
    const fs::path file = folder / "cracks.png";
    writePng(drawCracks(world, cracks, pictureOptions(options), scene.camera), file.string());
    return file.string();
}

// Somebody who asked for pictures and got none is told why.
void sayNotDrawn(const char* kind, const char* reason) {
    fmt::print(stderr, "sunder: --show {} drew nothing: {}\n", kind, reason);
}

// The files a run leaves, opened before it starts so that a bad path costs no time.
struct Outputs {
    fs::path folder;
    std::optional<OutputFile> stats, trace;
    std::optional<LogFile> log;
    std::optional<RunRecording> recording;
    std::optional<StressPictures> stress;
    std::optional<StrainPictures> strain;
    std::vector<std::string> written;
    bool standardOutput = false;

    void record(SceneRunner& runner) {
        const std::string line = stats || recording ? runner.statsLine() : "";
        if (stats)
            stats->write(line);
        if (trace)
            trace->write(runner.traceLine());
        if (recording)
            recording->record(runner, line);
    }
    void commit() {
        if (stats)
            stats->commit();
        if (trace)
            trace->commit();
        if (recording)
            recording->finish();
    }
};

void openOutputs(const RunOptions& options, const std::string& title, Outputs& outputs) {
    fs::path stats = options.stats;
    outputs.folder = options.out;
    if ((!options.exports.kinds.empty() || !options.show.empty()) && outputs.folder.empty())
        outputs.folder = fs::path("out") / title;
    if (!outputs.folder.empty()) {
        makeFolder(outputs.folder);
        if (stats.empty())
            stats = outputs.folder / "stats.jsonl";
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
    if (!options.record.empty()) {
        outputs.log.emplace(options.record);
        outputs.written.push_back(options.record.string());
    }
}

// Steps the scene; what the frames took, in ms.
double simulate(const RunOptions& options, const Scene& scene, const std::string& title, SceneRunner& runner,
                Outputs& outputs) {
    Progress progress(title, scene.frames, options.quiet);
    double totalMs = 0;
    std::size_t errorCount = 0;
    outputs.record(runner);
    while (runner.frame() < scene.frames && !interrupted()) {
        runner.stepFrame();
        totalMs += runner.stepMs();
        for (const std::string& message : runner.errors())
            if (++errorCount <= kMostErrors)
                progress.message(fmt::format("frame {}: {}", runner.frame(), message));
        outputs.record(runner);
        if (outputs.strain)
            for (std::string& file : outputs.strain->draw(runner))
                outputs.written.push_back(std::move(file));
        if (outputs.stress)
            for (std::string& file : outputs.stress->draw(runner, progress))
                outputs.written.push_back(std::move(file));
        progress.update(runner.frame(), totalMs);
    }
    if (errorCount > kMostErrors)
        progress.message(fmt::format("and {} more bodies that are no longer simulated", errorCount - kMostErrors));
    progress.finish();
    outputs.commit();
    return totalMs;
}

// Makes the exports from what was recorded; false where that was interrupted.
bool makeExports(const RunOptions& options, const std::string& title, Outputs& outputs) {
    if (!outputs.recording || interrupted())
        return !interrupted();
    std::vector<std::string> names;
    for (const std::string& file : outputs.written)
        if (fs::path(file).parent_path() == outputs.folder)
            names.push_back(fs::path(file).filename().string());
    Recording recording = Recording::open(outputs.recording->path());
    const ExportResult result = exportRecording(recording, outputs.folder, title, options.exports, names);
    outputs.written.insert(outputs.written.end(), result.written.begin(), result.written.end());
    return result.finished;
}

int runScene(const RunOptions& options, const Scene& scene, const std::string& title) {
    Outputs outputs;
    openOutputs(options, title, outputs);
    const std::unique_ptr<SceneRunner> started = startScene(options, scene, outputs.log ? &*outputs.log : nullptr);
    SceneRunner& runner = *started;
    if (!options.exports.kinds.empty()) {
        runner.watchBlows();
        outputs.recording.emplace(outputs.folder, title, options, scene, runner);
        if (outputs.recording->isKept())
            outputs.written.push_back(outputs.recording->path().string());
    }
    if (contains(options.show, "stress"))
        outputs.stress.emplace(outputs.folder, options, scene);
    if (contains(options.show, "strain"))
        outputs.strain.emplace(outputs.folder, options, scene);
    catchInterrupts();
    const double totalMs = simulate(options, scene, title, runner, outputs);
    const bool stoppedEarly = interrupted();
    if (contains(options.show, "cracks")) {
        const std::string file = drawHairlines(outputs.folder, options, scene, runner.world());
        if (file.empty())
            sayNotDrawn("cracks", "at the end no body has cracks that part nothing (pieces of a break begin without)");
        else
            outputs.written.push_back(file);
    }
    if (outputs.stress && outputs.stress->isEmpty())
        sayNotDrawn("stress", "no blow or load was near the strength of a body that cracks by stress");
    if (outputs.strain && outputs.strain->isEmpty())
        sayNotDrawn("strain", "no deformable body was awake");
    const bool exported = makeExports(options, title, outputs);

    if (!options.quiet) {
        std::FILE* stream = outputs.standardOutput ? stderr : stdout;
        fmt::print(stream, "{}: {} bodies, {} frames of 1/{} s, {:.3g} ms per frame, hash {:016x}\n", title,
                   runner.world().stats().bodies, runner.frame(), numberText(scene.frameRate),
                   totalMs / std::max(runner.frame(), 1), runner.world().hash());
        for (const std::string& file : outputs.written)
            fmt::print(stream, "wrote {}\n", file);
    }
    if (stoppedEarly)
        fmt::print(stderr, "sunder: stopped after frame {} of {}\n", runner.frame(), scene.frames);
    if (!exported && outputs.recording && outputs.recording->isKept())
        fmt::print(stderr, "sunder: not all exports were made; sunder export {} makes them\n",
                   outputs.recording->path().string());
    return exported ? kDone : kInterrupted;
}

// Fills in what the options leave open.
void completeExports(RunOptions& options) {
    if (options.noExport)
        options.exports.kinds.clear();
    else if (options.exports.kinds.empty() && !options.out.empty())
        options.exports.kinds = kUsualExports;
    options.exports.quiet = options.quiet;
    // Pictures do not depend on the number of threads.
    options.exports.threads = options.threads.value_or(hardwareThreads());
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
    if (result.scene)
        for (const std::string& note : result.scene->notes)
            fmt::print(stderr, "{}: warning: {}\n", found.file.string(), note);
    return std::move(result.scene);
}

void makeFolder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error || !fs::is_directory(folder))
        throw Error(folder.string() + ": the folder cannot be made (" + (error ? error.message() : "not a folder") + ")");
}

int hardwareThreads() { return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 64u)); }

int run(RunOptions options, const fs::path& sceneFolder) {
    if (!checkExports(options.exports))
        return kBadInput;
    completeExports(options);
    const std::optional<Scene> scene = openScene(options, sceneFolder);
    if (!scene)
        return kBadInput;
    return runScene(options, *scene, titleOf(options.scene));
}

int demo(RunOptions options, const fs::path& sceneFolder) {
    const std::string title = titleOf(options.scene);
    if (options.out.empty())
        options.out = fs::path("out") / title;
    if (!options.threads)
        options.threads = hardwareThreads();
    // In pictures cracks are to be crisp; other runs of the wall, and the playground, draw its grid, which breaks ten times
    // faster.
    if (options.scene == "wall")
        options.sets.insert(options.sets.begin(), "bodies.wall.fracture.surface=cut");
    options.exports.kinds = demoExports();
    const std::string problem = movieProblem();
    if (!problem.empty()) {
        std::erase(options.exports.kinds, "mp4");
        fmt::print(stderr, "sunder: no movie is made: {}\n", problem);
    }
    if (!checkExports(options.exports))
        return kBadInput;
    completeExports(options);
    const std::optional<Scene> scene = openScene(options, sceneFolder);
    if (!scene)
        return kBadInput;
    if (!options.quiet)
        fmt::print("{}\n", scene->description.empty() ? scene->name : scene->description);
    const int status = runScene(options, *scene, title);
    if (status == kDone && !options.quiet) {
        fmt::print("\nTo look at it:\n");
        const auto look = [&](const std::string& file, const char* how) {
            if (fs::exists(options.out / file))
                fmt::print("  {:<32} {}\n", (options.out / file).string(), how);
        };
        look("report.html", "pictures, movie, plots and settings; open it in a browser");
        look(title + ".mp4", "the movie, in any player");
        look(title + ".glb", "animated, for Blender (File > Import > glTF), three.js or any glTF viewer");
        look(title + ".usda", "the same for programs that read USD");
        look(title + ".sunder", "the recording; sunder export makes all of these from it again");
        look("stats.jsonl", "numbers, one line of JSON per frame");
    }
    return status;
}

}  // namespace sunder::cli
