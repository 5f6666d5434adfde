// The command line: verbs, options, exit status. What the verbs do is in the files beside this one.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <filesystem>

#include "bench.h"
#include "check.h"
#include "filter.h"
#include "pattern.h"
#include "replay.h"
#include "run.h"
#include "sunder/config.h"
#include "sunder/scene/bundled.h"
#include "sunder/scene/output_file.h"
#include "view.h"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;

fs::path executablePath(const char* program) {
    std::error_code error;
    fs::path executable = fs::read_symlink("/proc/self/exe", error);
    return error ? fs::path(program) : executable;
}

fs::path findScenes(const fs::path& executable) {
    fs::path folder = findSceneFolder(executable);
#ifdef SUNDER_SCENE_FOLDER
    std::error_code error;
    if (folder.empty() && fs::is_directory(SUNDER_SCENE_FOLDER, error))
        folder = SUNDER_SCENE_FOLDER;
#endif
    return folder;
}

int list(const fs::path& sceneFolder) {
    const std::vector<BundledScene> scenes = listScenes(sceneFolder);
    if (scenes.empty()) {
        fmt::print(stderr, "sunder: the bundled scenes were not found\n");
        return kInternalError;
    }
    std::size_t width = 0;
    for (const BundledScene& scene : scenes)
        width = std::max(width, scene.name.size());
    for (const BundledScene& scene : scenes)
        fmt::print("{:<{}}  {}{}\n", scene.name, width, scene.description,
                   scene.figure.empty() ? "" : " [" + scene.figure + "]");
    return kDone;
}

int schema(const fs::path& file) {
    if (file.has_parent_path()) {
        std::error_code error;
        fs::create_directories(file.parent_path(), error);
    }
    OutputFile output(file.empty() ? "-" : file);
    output.write(sceneSchema());
    output.commit();
    return kDone;
}

void addSceneOptions(CLI::App& verb, RunOptions& options) {
    verb.add_option("--set", options.sets, "change a value of the scene file, by its path")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    verb.add_option("--allow-path", options.allowedFolders, "a folder besides the scene's that its files may come from")
        ->type_name("DIR")
        ->allow_extra_args(false);
}

void addPictureOptions(CLI::App& verb, ExportOptions& options) {
    const auto add = [&](const char* name, int& value, const char* text, int low, int high) {
        verb.add_option(name, value, text)->type_name("N")->check(CLI::Range(low, high));
    };
    add("--picture-width", options.pictureWidth, "of the stills that png exports, in pixels", 64, 7680);
    add("--movie-width", options.movieWidth, "of the movie, in pixels", 64, 7680);
    add("--samples", options.samples, "per pixel; 8 for stills and 4 for movies where not given", 1, 256);
    verb.add_option("--overlay", options.overlays, "drawn over stills and movie: contacts, energy, ids")
        ->type_name("LIST")
        ->delimiter(',')
        ->allow_extra_args(false);
}

CLI::Option* addExportOption(CLI::App& verb, ExportOptions& options) {
    return verb.add_option("--export", options.kinds, "what to make: " + exportHelp())
        ->type_name("LIST")
        ->delimiter(',')
        ->allow_extra_args(false);
}

void addRunOptions(CLI::App& verb, RunOptions& options) {
    verb.add_option("--frames", options.frames, "how many frames, instead of the scene's")->type_name("N");
    verb.add_option("--threads", options.threads, "how many threads; the result is the same")->type_name("N");
    addSceneOptions(verb, options);
    verb.add_option("--out", options.out, "folder for stats.jsonl and exports")->type_name("DIR");
    verb.add_option("--stats", options.stats, "energies, momenta and the state hash, one line of JSON per frame; - prints them")
        ->type_name("FILE");
    verb.add_option("--trace", options.trace, "every moving body, one line of JSON per frame; - prints them")
        ->type_name("FILE");
    verb.add_option("--record", options.record, "every call and the hash of every step, for sunder replay")->type_name("LOG");
    verb.add_option(
            "--show", options.show,
            "pictures of what steps found: stress (of struck bodies that crack by it, and of bodies that deform), strain "
            "(of bodies that deform), cracks (that have parted nothing, at the end)")
        ->type_name("LIST")
        ->delimiter(',')
        ->check(CLI::IsMember({"stress", "strain", "cracks"}))
        ->allow_extra_args(false);
    addPictureOptions(verb, options.exports);
    verb.add_flag("--quiet", options.quiet, "print nothing but problems");
}

// Only for help and for typing mistakes: the program that runs reads the words itself.
void addBenchOptions(CLI::App& verb, std::vector<std::string>& words) {
    verb.add_option("NAME", words, "scenes: S1, S2t, S2w, ... (default: all; a wrong name prints them)");
    const auto option = [&](const char* name, const char* type, const char* text) {
        verb.add_option(name, words, text)->type_name(type)->allow_extra_args(false);
    };
    option("--json", "FILE", "write the figures there too");
    option("--threads", "LIST", "ours with each of these numbers of threads (default: 1)");
    option("--rate", "LIST", "steps per second, instead of the scenes' own");
    option("--engines", "LIST", "of sunder, bullet, ode (default: those that were built in)");
    option("--repeat", "N", "runs of each; the median counts");
    option("--steps", "N", "at most so many steps");
}

// All verbs, what each was given, and which one was called.
struct CommandLine {
    RunOptions options;
    std::vector<std::string> files;
    fs::path schemaFile, recordingFile;
    ReplayOptions replay;
    ViewOptions view;
    FilterOptions filter;
    PatternOptions pattern;
    CheckOptions checks;
    CLI::App *run = nullptr, *demo = nullptr, *list = nullptr, *check = nullptr, *schema = nullptr, *bench = nullptr,
             *replayVerb = nullptr, *exportVerb = nullptr, *filterVerb = nullptr, *viewVerb = nullptr, *makeVerb = nullptr,
             *inspectVerb = nullptr, *previewVerb = nullptr;
};

void addSceneVerbs(CLI::App& app, CommandLine& line) {
    line.run = app.add_subcommand("run", "simulate a scene");
    line.run->add_option("SCENE", line.options.scene, "a scene file, or the name of a bundled scene")->required();
    addRunOptions(*line.run, line.options);
    addExportOption(*line.run, line.options.exports);
    line.run->add_flag("--no-export", line.options.noExport, "only stats, also with --out");

    line.demo = app.add_subcommand("demo", "run a bundled scene with all exports");
    line.demo->add_option("NAME", line.options.scene, "the scene (default: wall)");
    addRunOptions(*line.demo, line.options);

    line.list = app.add_subcommand("list", "bundled scenes, with the figure of the paper they re-create");

    line.check = app.add_subcommand("check", "validate scene files, list their bodies, warn of what is probably not meant");
    line.check->add_option("SCENE", line.checks.files, "scene files, or names of bundled scenes")->required();
    line.check->add_flag("--blows", line.checks.blows, "run each, and list the largest blow on each body");
    line.check->add_flag("--quiet", line.checks.quiet, "no list of bodies and no warnings about them");
    addSceneOptions(*line.check, line.options);

    line.schema = app.add_subcommand("schema", "print the JSON Schema of scene files, for editors");
    line.schema->add_option("FILE", line.schemaFile, "write it there instead");

    line.bench = app.add_subcommand("bench", "time the benchmark's scenes, beside other engines");
    addBenchOptions(*line.bench, line.files);
}

void addRecordingVerbs(CLI::App& app, CommandLine& line) {
    line.replayVerb =
        app.add_subcommand("replay", "repeat a recorded run, compare every hash, name the first step that differs");
    line.replayVerb->add_option("LOG", line.replay.log, "what run --record left")->required();
    line.replayVerb->add_option("--threads", line.replay.threads, "how many threads (default: as recorded)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    line.replayVerb->add_flag("--quiet", line.replay.quiet, "print nothing but problems");

    line.exportVerb = app.add_subcommand("export", "make files for other programs from a recording");
    line.exportVerb->add_option("RECORDING", line.recordingFile, "what run or demo left as NAME.sunder")->required();
    addExportOption(*line.exportVerb, line.options.exports)->required();
    line.exportVerb->add_option("--out", line.options.out, "folder for them (default: the recording's)")->type_name("DIR");
    line.exportVerb->add_option("--threads", line.options.threads, "how many threads; pictures are the same")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    line.exportVerb->add_option("--frames", line.options.exports.frames, "only these: 30-90, 30-, -90 or 30")
        ->type_name("FIRST-LAST");
    line.exportVerb
        ->add_option("--camera", line.options.exports.camera,
                     "eye, target and angle: x,y,z,x,y,z[,degrees], instead of the scene's")
        ->type_name("NUMBERS");
    addPictureOptions(*line.exportVerb, line.options.exports);
    line.exportVerb->add_flag("--quiet", line.options.quiet, "print nothing but problems");

    line.filterVerb = app.add_subcommand("filter", "a copy of a recording in which bodies that rest do not tremble");
    line.filterVerb->add_option("RECORDING", line.filter.recording, "what run or demo left as NAME.sunder")->required();
    line.filterVerb->add_option("--kind", line.filter.kind, "box, envelope or follow (default: box)")->type_name("NAME");
    line.filterVerb->add_option("--frames", line.filter.filter.frames, "box: neighbours on each side (default: 2)")
        ->type_name("N");
    line.filterVerb
        ->add_option("--distance", line.filter.filter.distance, "envelope, follow: that a body may stray (default: 0.005)")
        ->type_name("M");
    line.filterVerb->add_option("--angle", line.filter.filter.angleDegrees, "likewise, in degrees (default: 0.5)")
        ->type_name("DEG");
    line.filterVerb->add_option("--out", line.filter.out, "the file (default: NAME.KIND.sunder)")->type_name("FILE");
    line.filterVerb->add_flag("--quiet", line.filter.quiet, "print nothing but problems");

    line.viewVerb = app.add_subcommand("view", "serve the playground to the browser of this machine, until Ctrl-C");
    line.viewVerb->add_option("FILE", line.view.file,
                              "a scene file, the name of a bundled scene, or a recording to open in it");
    line.viewVerb->add_option("--port", line.view.port, "where to listen (default: any that is free)")
        ->type_name("N")
        ->check(CLI::Range(0, 65535));
    line.viewVerb->add_flag("--no-open", line.view.noOpen, "print the address, open no browser");
}

void addPatternVerbs(CLI::App& app, CommandLine& line) {
    CLI::App* pattern = app.add_subcommand("pattern", "fracture patterns: drawn, generated or saved");
    pattern->require_subcommand(1);
    const auto add = [&](const char* name, const char* text) {
        CLI::App* verb = pattern->add_subcommand(name, text);
        verb->add_option("SOURCE", line.pattern.source,
                         "a file (.obj .ply .stl .gltf .glb .npy .svg .png .pattern), or a type: radial, voronoi, wood, "
                         "slabs, brick, shells")
            ->required();
        verb->add_option("--set", line.pattern.sets, "a key of the pattern, as in a scene file")
            ->type_name("KEY=VALUE")
            ->allow_extra_args(false);
        return verb;
    };
    line.makeVerb = add("make", "save a pattern as a file");
    line.makeVerb->add_option("--out", line.pattern.out, "the pattern file")->type_name("FILE")->required();
    line.inspectVerb = add("inspect", "print its size, its regions and their volumes");
    line.previewVerb = add("preview", "draw what it makes of a box, the pieces apart");
    line.previewVerb->add_option("--out", line.pattern.out, "the picture, a PNG")->type_name("FILE")->required();
    line.previewVerb->add_option("--picture-width", line.pattern.width, "in pixels")
        ->type_name("N")
        ->check(CLI::Range(64, 7680));
}

int act(const CLI::App& app, CommandLine& line, char** argv) {
    const fs::path executable = executablePath(argv[0]);
    RunOptions& options = line.options;
    if (*line.bench)
        return bench(executable, argv + 2);
    const fs::path sceneFolder = findScenes(executable);
    if (*line.run)
        return run(options, sceneFolder);
    if (*line.demo) {
        if (options.scene.empty())
            options.scene = "wall";
        return demo(options, sceneFolder);
    }
    if (*line.exportVerb) {
        options.exports.threads = options.threads.value_or(hardwareThreads());
        options.exports.quiet = options.quiet;
        return exportFile(line.recordingFile, options.out, options.exports);
    }
    if (*line.filterVerb)
        return filterFile(line.filter);
    if (*line.list)
        return list(sceneFolder);
    if (*line.check)
        return check(options, line.checks, sceneFolder);
    if (*line.schema)
        return schema(line.schemaFile);
    if (*line.replayVerb)
        return replayLog(line.replay);
    if (*line.makeVerb)
        return makePattern(line.pattern);
    if (*line.inspectVerb)
        return showPattern(line.pattern);
    if (*line.previewVerb)
        return previewPattern(line.pattern);
    if (*line.viewVerb)
        return view(line.view, executable, sceneFolder);
    fmt::print("{}", app.help());
    return kBadInput;
}

int dispatch(int argc, char** argv) {
    CLI::App app(
        "Sunder: rigid bodies that break, at one step per frame.\nExit status: 0 done, 1 bad input, 2 internal error, 3 a "
        "replay differs.",
        "sunder");
    app.set_version_flag("--version", fmt::format("sunder {} ({})", SUNDER_VERSION, sizeof(Real) == 8 ? "double" : "float"));
    app.set_help_flag("--help,-h", "print this help");
    app.require_subcommand(0, 1);
    CommandLine line;
    addSceneVerbs(app, line);
    addRecordingVerbs(app, line);
    addPatternVerbs(app, line);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kDone : kBadInput;
    }
    return act(app, line, argv);
}

}  // namespace

}  // namespace sunder::cli

int main(int argc, char** argv) {
    using namespace sunder::cli;
    try {
        return dispatch(argc, argv);
    } catch (const sunder::Error& error) {
        fmt::print(stderr, "sunder: {}\n", error.what());
        return kBadInput;
    } catch (const std::exception& error) {
        fmt::print(stderr, "sunder: internal error: {}\n", error.what());
        return kInternalError;
    }
}
