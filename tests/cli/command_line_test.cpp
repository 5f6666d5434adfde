// The program as its users run it: exit status, streams, files.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

#include "cli/command_line.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

TEST_F(CommandLine, HelpsWithEveryVerb) {
    const Ran top = sunder("--help");
    EXPECT_EQ(top.status, 0);
    for (const char* verb : {"run", "demo", "export", "list", "check", "schema", "bench", "view", "replay"}) {
        EXPECT_NE(top.output.find(verb), std::string::npos) << verb;
        const Ran help = sunder(std::string(verb) + " --help");
        EXPECT_EQ(help.status, 0) << verb;
        EXPECT_NE(help.output.find("Usage: sunder " + std::string(verb)), std::string::npos) << help.output;
    }
    const std::string run = sunder("run --help").output;
    for (const char* option : {"--frames", "--threads", "--set", "--out", "--stats", "--trace", "--record", "--export",
                               "--no-export", "--overlay", "--quiet", "--allow-path"})
        EXPECT_NE(run.find(option), std::string::npos) << option;
    EXPECT_EQ(sunder("--version").output.rfind("sunder ", 0), 0u);
}

TEST_F(CommandLine, BadUseIsBadInput) {
    for (const char* arguments : {"",
                                  "fly",
                                  "run",
                                  "run wall --frames x",
                                  "run wall --frames -1",
                                  "run wall --frames 99999999",
                                  "run wall --threads 0",
                                  "run wall --nonsense",
                                  "run nosuchscene",
                                  "run wall --set gravity",
                                  "run wall --set gravty=1",
                                  "run wall --export hologram",
                                  "run wall --overlay sound --export png",
                                  "export",
                                  "export nosuch.sunder",
                                  "export nosuch.sunder --export csv",
                                  "export nosuch.sunder --export csv --frames 9-x",
                                  "export nosuch.sunder --export csv --camera 1,2",
                                  "demo nosuch",
                                  "check nosuch.json",
                                  "check",
                                  "view nosuchscene",
                                  "view --port 65536",
                                  "replay log"}) {
        const Ran ran = sunder(arguments);
        EXPECT_EQ(ran.status, 1) << arguments;
        EXPECT_TRUE(*arguments == 0 || !ran.errors.empty()) << arguments;
    }
}

// A slab on two rails under a ball: tough enough to crack and hold, brittle enough for that, or so strong that nothing happens.
TEST_F(CommandLine, ShowsStressAndHairlineCracksOrSaysThatThereAreNone) {
    folder_.write("slab.json", R"({ "sunder": 1, "frames": 3, "frame_rate": 30,
      "materials": { "stone": { "density": 2400, "young": 3e10, "poisson": 0.2, "strength": 2e6, "toughness": 50 } },
      "bodies": [
        { "motion": "static", "material": "stone", "shape": { "type": "box", "half_extents": [0.05, 0.15, 0.2] }, "position": [-0.5, 0.15, 0] },
        { "motion": "static", "material": "stone", "shape": { "type": "box", "half_extents": [0.05, 0.15, 0.2] }, "position": [0.5, 0.15, 0] },
        { "name": "slab", "material": "stone", "shape": { "type": "box", "half_extents": [0.6, 0.06, 0.12] }, "position": [0, 0.361, 0],
          "fracture": { "method": "stress", "elements": 800, "rounds": 1, "most_cracks": 1 } },
        { "material": "stone", "shape": { "type": "sphere", "radius": 0.08 }, "position": [0.05, 0.53, 0.01], "velocity": [0, -9, 0] } ] })");
    const Ran cracked = sunder("run slab.json --show cracks --show stress --no-export --picture-width 160 --out cracked");
    ASSERT_EQ(cracked.status, 0) << cracked.errors;
    EXPECT_NE(cracked.output.find("wrote cracked/cracks.png"), std::string::npos) << cracked.output;
    EXPECT_GT(fs::file_size(folder_ / "cracked/cracks.png"), 1000u);
    EXPECT_TRUE(fs::exists(folder_ / "cracked/stress_0001.png"));
    EXPECT_EQ(cracked.errors.find("drew nothing"), std::string::npos) << cracked.errors;
    const Ran whole =
        sunder("run slab.json --set materials.stone.strength=1e12 --show cracks --show stress --no-export --out whole");
    ASSERT_EQ(whole.status, 0) << whole.errors;
    EXPECT_FALSE(fs::exists(folder_ / "whole/cracks.png"));
    EXPECT_NE(whole.errors.find("--show cracks drew nothing"), std::string::npos) << whole.errors;
    EXPECT_NE(whole.errors.find("--show stress drew nothing"), std::string::npos) << whole.errors;
}

TEST_F(CommandLine, ListsTheBundledScenes) {
    const Ran ran = sunder("list");
    EXPECT_EQ(ran.status, 0);
    EXPECT_NE(ran.output.find("wall "), std::string::npos);
    EXPECT_NE(ran.output.find("[Su09 figure 2]"), std::string::npos);
    EXPECT_NE(ran.output.find("[Su09 figure 3]"), std::string::npos);
}

TEST_F(CommandLine, ChecksListBodiesAndBlows) {
    folder_.write("thin.json", R"({ "sunder": 1, "frames": 20, "bodies": [
        { "name": "ground", "motion": "static", "shape": { "type": "box", "half_extents": [9, 0.5, 9] }, "position": [0, -0.5, 0] },
        { "name": "pane", "material": "glass", "position": [0, 0.65, 0], "shape": { "type": "box", "half_extents": [0.5, 0.02, 0.5] },
          "fracture": { "cell": 0.03 } } ] })");
    const Ran ran = sunder("check thin.json --blows");
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_NE(ran.output.find("thin.json: good, 2 bodies"), std::string::npos) << ran.output;
    EXPECT_NE(ran.output.find("1 x 0.04 x 1"), std::string::npos) << ran.output;
    EXPECT_NE(ran.output.find("broke"), std::string::npos) << ran.output;
    EXPECT_NE(ran.output.find("warning: pane: 1.3 cells"), std::string::npos) << ran.output;
    EXPECT_EQ(sunder("check thin.json --quiet").output.find("pane"), std::string::npos);
}

TEST_F(CommandLine, ChecksScenesAndTellsEveryProblem) {
    EXPECT_EQ(sunder("check wall s1_pyramid").status, 0);
    folder_.write("bad.json",
                  R"({ "sunder": 1, "gravty": 1, "bodies": [ { "mass": -1, "shape": { "type": "sphere", "radius": 1 } } ] })");
    const Ran ran = sunder("check bad.json");
    EXPECT_EQ(ran.status, 1);
    EXPECT_NE(ran.errors.find("bad.json: gravty: unknown key \"gravty\"; did you mean \"gravity\"?"), std::string::npos)
        << ran.errors;
    EXPECT_NE(ran.errors.find("bad.json: bodies[0].mass: -1 is not allowed (above 0"), std::string::npos) << ran.errors;
    EXPECT_EQ(sunder("check wall bad.json").status, 1);
    EXPECT_EQ(sunder("check wall --set frames=-1").status, 1);
}

TEST_F(CommandLine, BrokenFilesNeverCrash) {
    folder_.write("deep.json", std::string(200000, '['));
    folder_.write("empty.json", "");
    folder_.write("nan.json", R"({ "sunder": NaN })");
    folder_.write("binary.json", std::string("\x7f"
                                             "ELF\0\0\0\1\2\xff\xfe",
                                             11));
    folder_.write("half.json", R"({ "sunder": 1, "bodies": [ { "sha)");
    fs::create_directory(folder_ / "folder.json");
    for (const char* name : {"deep", "empty", "nan", "binary", "half", "folder", "absent"})
        for (const char* verb : {"check ", "run "}) {
            const Ran ran = sunder(verb + std::string(name) + ".json");
            EXPECT_EQ(ran.status, 1) << name;
            EXPECT_NE(ran.errors.find(std::string(name) + ".json: "), std::string::npos) << ran.errors;
        }
}

TEST_F(CommandLine, PrintsASchemaThatParses) {
    const Ran ran = sunder("schema");
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(nlohmann::json::parse(ran.output)["properties"]["sunder"]["const"], 1);
    EXPECT_EQ(sunder("schema share/scene.schema.json").status, 0);
    EXPECT_EQ(contentsOf(folder_ / "share/scene.schema.json"), ran.output);
}

TEST_F(CommandLine, WritesStatsAndTrace) {
    const Ran ran = sunder("run s3_stack --frames 3 --stats s.jsonl --trace t.jsonl --quiet");
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.output + ran.errors, "");
    const auto stats = linesOf(contentsOf(folder_ / "s.jsonl")), trace = linesOf(contentsOf(folder_ / "t.jsonl"));
    ASSERT_EQ(stats.size(), 4u);
    ASSERT_EQ(trace.size(), 4u);
    for (int frame = 0; frame <= 3; ++frame) {
        EXPECT_EQ(stats[frame]["frame"], frame);
        EXPECT_EQ(trace[frame]["frame"], frame);
        EXPECT_EQ(trace[frame]["bodies"].size(), 20u);
    }
    EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(CommandLine, TheSameRunGivesTheSameHashesWithAnyThreads) {
    std::vector<std::string> hashes[3];
    for (int threads = 1; threads <= 3; ++threads) {
        const Ran ran = sunder("run su09_fig2_stack --frames 20 --quiet --stats - --threads " + std::to_string(threads));
        EXPECT_EQ(ran.status, 0) << ran.errors;
        for (const nlohmann::json& line : linesOf(ran.output))
            hashes[threads - 1].push_back(line["hash"]);
    }
    EXPECT_EQ(hashes[0].size(), 21u);
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
}

// Without gravity and contact a body keeps its velocity exactly.
TEST_F(CommandLine, SettingsReachTheWorld) {
    const Ran ran =
        sunder("run su09_fig3_incline --frames 30 --quiet --trace - --set gravity=[0,0,0] --set bodies.cube.velocity=[0,3,0]");
    ASSERT_EQ(ran.status, 0) << ran.errors;
    const auto trace = linesOf(ran.output);
    const double travelled =
        trace[30]["bodies"][0]["position"][1].get<double>() - trace[0]["bodies"][0]["position"][1].get<double>();
    EXPECT_NEAR(travelled, 3, 1e-4);
}

TEST_F(CommandLine, UnwritablePathsAreToldBeforeSimulating) {
    const auto start = std::chrono::steady_clock::now();
    for (const char* arguments : {"--stats no/such/folder/s.jsonl", "--trace no/such/folder/t.jsonl", "--stats .",
                                  "--out /proc/sunder", "--stats same --trace same"}) {
        const Ran ran = sunder(std::string("run s2t_pile --frames 100000 ") + arguments);
        EXPECT_EQ(ran.status, 1) << arguments;
        EXPECT_EQ(ran.errors.rfind("sunder: ", 0), 0u) << ran.errors;
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST_F(CommandLine, ProgressIsPlainWhereThereIsNoTerminal) {
    const Ran ran = sunder("run s6_incline");
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.errors.find('\r'), std::string::npos);
    EXPECT_NE(ran.errors.find("s6_incline: frame 60 of 60"), std::string::npos) << ran.errors;
    EXPECT_EQ(std::count(ran.errors.begin(), ran.errors.end(), '\n'), 10);
    EXPECT_EQ(ran.output.rfind("s6_incline: 2 bodies, 60 frames", 0), 0u) << ran.output;
}

TEST_F(CommandLine, DemoLeavesAllThatCanBeLookedAt) {
    const Ran ran = sunder("demo s8_heavy_on_light --frames 2 --picture-width 160 --movie-width 160 --samples 1");
    EXPECT_EQ(ran.status, 0) << ran.errors;
    const fs::path out = folder_ / "out/s8_heavy_on_light";
    EXPECT_EQ(linesOf(contentsOf(out / "stats.jsonl")).size(), 3u);
    EXPECT_EQ(contentsOf(out / "contact_sheet.png").substr(1, 3), "PNG");
    EXPECT_EQ(contentsOf(out / "s8_heavy_on_light.sunder").substr(0, 8), "SUNDERRC");
    EXPECT_EQ(contentsOf(out / "s8_heavy_on_light.glb").substr(0, 4), "glTF");
    EXPECT_EQ(contentsOf(out / "s8_heavy_on_light.usda").substr(0, 5), "#usda");
    const std::string report = contentsOf(out / "report.html");
    EXPECT_NE(report.find("sunder run s8_heavy_on_light --frames 2"), std::string::npos);
    const bool hasMovie = std::system("command -v ffmpeg > /dev/null") == 0;
    EXPECT_EQ(fs::exists(out / "s8_heavy_on_light.mp4"), hasMovie);
    EXPECT_EQ(report.find("data:video/mp4;base64,") != std::string::npos, hasMovie);
    for (const char* name : {"report.html", ".glb", ".usda", ".sunder", "stats.jsonl"})
        EXPECT_NE(ran.output.find(name, ran.output.find("To look at it")), std::string::npos) << name;
}

// Which surface is drawn does not change the run.
TEST_F(CommandLine, DemoOfTheWallCutsItsPiecesCrisply) {
    const Ran ran = sunder("demo wall --frames 1 --picture-width 64 --movie-width 64 --samples 1");
    EXPECT_EQ(ran.status, 0) << ran.errors;
    const std::string report = contentsOf(folder_ / "out/wall/report.html");
    EXPECT_NE(report.find("sunder run wall --frames 1 --set bodies.wall.fracture.surface=cut"), std::string::npos);
    ASSERT_EQ(sunder("run wall --frames 1 --stats plain.jsonl --no-export --quiet").status, 0);
    EXPECT_EQ(linesOf(contentsOf(folder_ / "out/wall/stats.jsonl")).back()["hash"],
              linesOf(contentsOf(folder_ / "plain.jsonl")).back()["hash"]);
}

TEST_F(CommandLine, ExportsFromARecordingAreThoseOfTheRun) {
    ASSERT_EQ(sunder("run s6_incline --frames 5 --out a --export recording,gltf,csv --quiet").status, 0);
    const Ran ran = sunder("export a/s6_incline.sunder --export gltf,csv,ply --out b");
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_EQ(contentsOf(folder_ / "a/s6_incline.glb"), contentsOf(folder_ / "b/s6_incline.glb"));
    EXPECT_EQ(contentsOf(folder_ / "a/stats.csv"), contentsOf(folder_ / "b/stats.csv"));
    EXPECT_TRUE(fs::exists(folder_ / "b/frames/frame_00005.ply"));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "a"), fs::directory_iterator()), 4);  // and stats.jsonl
    // Without the recording in the list none is left.
    ASSERT_EQ(sunder("run s6_incline --frames 2 --out c --export csv --quiet").status, 0);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "c"), fs::directory_iterator()), 2);
}

TEST_F(CommandLine, PartsOfARecordingKeepTheirNumbers) {
    ASSERT_EQ(sunder("run s6_incline --frames 5 --out a --export recording --quiet").status, 0);
    const Ran ran = sunder("export a/s6_incline.sunder --export recording,ply --frames 2-4 --out b");
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_FALSE(fs::exists(folder_ / "b/frames/frame_00001.ply"));
    EXPECT_TRUE(fs::exists(folder_ / "b/frames/frame_00002.ply"));
    EXPECT_TRUE(fs::exists(folder_ / "b/frames/frame_00004.ply"));
    EXPECT_FALSE(fs::exists(folder_ / "b/frames/frame_00005.ply"));
    ASSERT_TRUE(fs::exists(folder_ / "b/s6_incline.part.sunder")) << ran.output;
    EXPECT_EQ(sunder("export b/s6_incline.part.sunder --export ply --frames 3 --out c").status, 0);
    EXPECT_TRUE(fs::exists(folder_ / "c/frames/frame_00003.ply"));
    EXPECT_FALSE(fs::exists(folder_ / "c/frames/frame_00002.ply"));
    const Ran early = sunder("export b/s6_incline.part.sunder --export ply --frames 1-3 --out c");
    EXPECT_NE(early.status, 0);
    EXPECT_NE(early.errors.find("frames 1-3: not in the recording (2 to 4)"), std::string::npos) << early.errors;
}

TEST_F(CommandLine, ABrokenRecordingIsNamedOnce) {
    ASSERT_EQ(sunder("run s6_incline --frames 5 --out a --export recording --quiet").status, 0);
    const std::string whole = contentsOf(folder_ / "a/s6_incline.sunder");
    folder_.write("head.sunder", whole.substr(0, 40));
    folder_.write("text.sunder", "not a recording at all");
    std::string damaged = whole;
    char& inFrame = damaged[whole.rfind("FRAM") + 30];
    inFrame = static_cast<char>(inFrame ^ 1);
    folder_.write("damaged.sunder", damaged);
    for (const char* name : {"head", "text", "damaged"}) {
        const Ran ran = sunder(std::string("export ") + name + ".sunder --export csv --out d");
        EXPECT_EQ(ran.status, 1) << name;
        EXPECT_EQ(ran.errors.rfind("sunder: " + std::string(name) + ".sunder: ", 0), 0u) << ran.errors;
        EXPECT_EQ(std::count(ran.errors.begin(), ran.errors.end(), '\n'), 1) << ran.errors;
    }
    folder_.write("cut.sunder", whole.substr(0, whole.size() - 100));
    const Ran cut = sunder("export cut.sunder --export csv --out d");
    EXPECT_EQ(cut.status, 0) << cut.errors;
    EXPECT_NE(cut.errors.find("cut off or damaged after frame"), std::string::npos) << cut.errors;
}

TEST_F(CommandLine, WithoutFfmpegAMovieIsRefusedBeforeSimulating) {
    folder_.write("path/readme", "");
    const Ran ran =
        sunder("--version > /dev/null; PATH=path '" SUNDER_TEST_COMMAND_LINE "' run wall --frames 100000 --export mp4");
    EXPECT_EQ(ran.status, 1);
    EXPECT_NE(ran.errors.find("--export mp4: movies need the program ffmpeg, which is not installed"), std::string::npos)
        << ran.errors;
    EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(CommandLine, NoExportLeavesOnlyStats) {
    EXPECT_EQ(sunder("run s8_heavy_on_light --frames 1 --quiet --out o --no-export").status, 0);
    EXPECT_TRUE(fs::exists(folder_ / "o/stats.jsonl"));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "o"), fs::directory_iterator()), 1);
}

TEST_F(CommandLine, AllowPathOpensAFolder) {
    folder_.write("meshes/rock.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    folder_.write("scenes/a.json",
                  R"({ "sunder": 1, "bodies": [ { "shape": { "type": "hull", "mesh": "../meshes/rock.obj" } } ] })");
    EXPECT_EQ(sunder("check scenes/a.json").status, 1);
    EXPECT_EQ(sunder("check scenes/a.json --allow-path meshes").status, 0);
}

// The status of a run without end that is interrupted after a while.
int interruptedRun(const std::vector<std::string>& arguments) {
    std::vector<std::string> words = {"sunder", "run", "s3_stack", "--frames", "10000000", "--quiet"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        ::execv(SUNDER_TEST_COMMAND_LINE, pointers.data());
        ::_exit(127);
    }
    if (child < 0)
        return -1;
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    ::kill(child, SIGINT);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(CommandLine, AnInterruptEndsTheRunAndKeepsItsFrames) {
    const fs::path stats = folder_ / "s.jsonl";
    EXPECT_EQ(interruptedRun({"--stats", stats.string()}), 130);
    EXPECT_GE(linesOf(contentsOf(stats)).size(), 2u);
}

// A recording is readable after an interrupt, and nothing half made is left.
TEST_F(CommandLine, AnInterruptLeavesAWholeRecordingAndNoHalfFiles) {
    const fs::path out = folder_ / "o";
    EXPECT_EQ(interruptedRun({"--out", out.string(), "--export", "recording,gltf,png"}), 130);
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(out))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"s3_stack.sunder", "stats.jsonl"}));
    const Ran ran = sunder("export o/s3_stack.sunder --export csv");
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.errors.find("cut off"), std::string::npos) << ran.errors;
}

}  // namespace
}  // namespace sunder
