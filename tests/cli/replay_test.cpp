// `sunder run --record` and `sunder replay`.
#include <gtest/gtest.h>

#include "cli/command_line.h"
#include "sunder/types.h"

namespace sunder {
namespace {

TEST_F(CommandLine, ReplaysWhatItRecorded) {
    const Ran run = sunder("run su09_fig2_stack --frames 12 --record log --set threads=2");
    ASSERT_EQ(run.status, 0) << run.errors;
    EXPECT_NE(run.output.find("wrote log"), std::string::npos) << run.output;
    for (const char* threads : {"", " --threads 1", " --threads 3"}) {
        const Ran same = sunder(std::string("replay log") + threads);
        EXPECT_EQ(same.status, 0) << same.errors;
        EXPECT_NE(same.output.find("log: 12 steps, "), std::string::npos) << same.output;
        const std::string hash = run.output.substr(run.output.find("hash ") + 5, 16);
        EXPECT_NE(same.output.find(hash), std::string::npos) << same.output;
    }
    EXPECT_EQ(sunder("replay log --quiet").output, "");

    // A run that was killed: its last record is not whole.
    const std::string log = contentsOf(folder_ / "log");
    folder_.write("cut", log.substr(0, log.size() - 3));
    const Ran cut = sunder("replay cut");
    EXPECT_EQ(cut.status, 0);
    EXPECT_NE(cut.errors.find("not whole"), std::string::npos) << cut.errors;
    EXPECT_NE(cut.output.find("cut: 11 steps"), std::string::npos) << cut.output;

    std::string damaged = log;
    damaged[log.size() / 2] ^= 1;
    folder_.write("damaged", damaged);
    folder_.write("text", "no log");
    for (const char* file : {"damaged", "text", "nosuchfile", "."}) {
        const Ran bad = sunder(std::string("replay ") + file);
        EXPECT_EQ(bad.status, 1) << file;
        EXPECT_EQ(bad.errors.rfind("sunder: " + std::string(file) + ": ", 0), 0u) << bad.errors;
    }
}

// The log of one run and the hashes of another: the first step is named, and the status is that of a difference.
TEST_F(CommandLine, ReplayNamesTheFirstStepThatDiffers) {
    constexpr const char* kRun = "run s3_stack --quiet --frames 6 --record ";
    ASSERT_EQ(sunder(std::string(kRun) + "log").status, 0);
    ASSERT_EQ(sunder(std::string(kRun) + "other --set gravity=[0,-9.8,0]").status, 0);
    const std::string log = contentsOf(folder_ / "log"), other = contentsOf(folder_ / "other");
    ASSERT_EQ(log.size(), other.size());
    // A step is two records of one size each, its call and its hash, at the end of the log.
    constexpr std::size_t kFrame = 4 + 8, kHash = kFrame + 1 + 8, kStep = kFrame + 2 + sizeof(Real), kLastThree = 3;
    const std::size_t tail = kLastThree * (kHash + kStep);
    folder_.write("mixed", log.substr(0, log.size() - tail) + other.substr(other.size() - tail));
    const Ran ran = sunder("replay mixed");
    EXPECT_EQ(ran.status, 3);
    EXPECT_NE(ran.output.find("mixed: step 4 "), std::string::npos) << ran.output;
}

}  // namespace
}  // namespace sunder
