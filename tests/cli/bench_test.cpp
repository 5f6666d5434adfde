// `sunder bench` on its smallest scenes: the list it writes, and what it says to bad input. How fast it is, no test asks.
#include <set>

#include "cli/command_line.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

class Bench : public CommandLine {
protected:
    void SetUp() override {
        if (!fs::exists(fs::path(SUNDER_TEST_COMMAND_LINE).parent_path() / "sunder_peers"))
            GTEST_SKIP() << "not run: built without benchmarks (SUNDER_BENCH)";
    }
    std::vector<nlohmann::json> rowsOf(const std::string& arguments) {
        const Ran ran = sunder("bench " + arguments + " --json b.json");
        EXPECT_EQ(ran.status, 0) << ran.errors;
        return nlohmann::json::parse(contentsOf(folder_ / "b.json"));
    }
};

TEST_F(Bench, WritesARowPerEngineWithEveryKey) {
    std::set<std::string> engines;
    for (const nlohmann::json& row : rowsOf("S6 --rate 60")) {
        for (const char* key : {"scene",
                                "rate",
                                "threads",
                                "engine",
                                "ms",
                                "p99_ms",
                                "worst_ms",
                                "ratio_to_bullet",
                                "contacts",
                                "end_max_penetration",
                                "end_mean_penetration",
                                "peak_penetration",
                                "wall_ms",
                                "speedup",
                                "steps",
                                "bodies",
                                "resident_bytes",
                                "bytes_per_body",
                                "end_resident_bytes",
                                "machine",
                                "compiler",
                                "date"})
            EXPECT_TRUE(row.contains(key)) << key << " in " << row;
        EXPECT_EQ(row["scene"], "S6");
        EXPECT_EQ(row["rate"], 60);
        EXPECT_EQ(row["steps"], 120);
        EXPECT_EQ(row["bodies"], 2);
        EXPECT_GT(row["ms"], 0);
        EXPECT_LE(row["end_max_penetration"], row["peak_penetration"]);
        EXPECT_LE(row["end_resident_bytes"], row["resident_bytes"]);
        // Every engine slid down the same slope: 4.71 m in 2 s, and none is far off.
        EXPECT_NEAR(row["distance"], 4.71, 0.2) << row;
        engines.insert(row["engine"].get<std::string>());
        if (row["engine"] == "bullet") {
            EXPECT_EQ(row["ratio_to_bullet"], 1);
        }
        if (row["engine"] == "sunder") {
            EXPECT_TRUE(row.contains("solve_ms") && row.contains("collide_ms") && row.contains("broad_phase_ms")) << row;
        }
    }
    EXPECT_EQ(engines.count("sunder"), 1u);
}

TEST_F(Bench, OptionsChooseEnginesRatesThreadsAndSteps) {
    const auto rows = rowsOf("s2deep S7 --engines=sunder --rate 30,60 --threads 1,2 --steps 1 --repeat 2");
    ASSERT_EQ(rows.size(), 8u);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i]["scene"], i < 4 ? "S2 deep" : "S7");
        EXPECT_EQ(rows[i]["bodies"], i < 4 ? 8005 : 17);  // the pit and the wall are bodies too
        EXPECT_EQ(rows[i]["rate"], i % 4 < 2 ? 30 : 60);
        EXPECT_EQ(rows[i]["threads"], i % 2 == 0 ? 1 : 2);
        EXPECT_EQ(rows[i]["steps"], 1);
        EXPECT_TRUE(rows[i]["speedup"].is_number());
    }
}

TEST_F(Bench, BadInputListsTheScenes) {
    for (const char* arguments : {"S99", "S6 nosuch", "S6 --threads 0", "S6 --rate fast", "S6 --engines havok",
                                  "S6 --repeat -1", "S6 --steps 1.5", "S6 --json"}) {
        const Ran ran = sunder(std::string("bench ") + arguments);
        EXPECT_EQ(ran.status, 1) << arguments;
        EXPECT_FALSE(ran.errors.empty()) << arguments;
    }
    const std::string errors = sunder("bench S99").errors;
    EXPECT_NE(errors.find("no scene is called \"S99\""), std::string::npos) << errors;
    for (const char* name : {"S1", "S2t", "S2w", "S2 deep", "S3", "S4", "S5", "S6", "S7", "S8"})
        EXPECT_NE(errors.find("  " + std::string(name) + " "), std::string::npos) << name;
}

TEST_F(Bench, AnUnwritableFileIsToldBeforeMeasuring) {
    const Ran ran = sunder("bench S2w --steps 1 --json no/such/folder/b.json");
    EXPECT_EQ(ran.status, 1);
    EXPECT_NE(ran.errors.find("no/such/folder/b.json"), std::string::npos) << ran.errors;
    EXPECT_EQ(ran.output, "");
}

}  // namespace
}  // namespace sunder
