// A file appears whole or not at all, and a path that cannot be written is known at once.
#include "sunder/scene/output_file.h"

#include <gtest/gtest.h>

#include "scene/temporary_folder.h"
#include "sunder/definitions.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

std::size_t fileCount(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(OutputFile, AppearsOnlyWhenCommitted) {
    const TemporaryFolder folder;
    OutputFile file(folder / "a.txt");
    file.write("one\n");
    file.write("two\n");
    EXPECT_FALSE(fs::exists(folder / "a.txt"));
    file.commit();
    EXPECT_EQ(contentsOf(folder / "a.txt"), "one\ntwo\n");
    EXPECT_EQ(fileCount(folder.path()), 1u);
}

TEST(OutputFile, LeavesNothingWhereItWasNotCommitted) {
    const TemporaryFolder folder;
    folder.write("a.txt", "old");
    {
        OutputFile file(folder / "a.txt");
        file.write("new");
    }
    EXPECT_EQ(contentsOf(folder / "a.txt"), "old");
    EXPECT_EQ(fileCount(folder.path()), 1u);
}

TEST(OutputFile, FollowsLinks) {
    const TemporaryFolder folder;
    folder.write("target.txt", "old");
    fs::create_symlink("target.txt", folder / "link.txt");
    OutputFile file(folder / "link.txt");
    file.write("new");
    file.commit();
    EXPECT_TRUE(fs::is_symlink(folder / "link.txt"));
    EXPECT_EQ(contentsOf(folder / "target.txt"), "new");
}

TEST(OutputFile, BadPathsAreNamed) {
    const TemporaryFolder folder;
    folder.write("file", "");
    for (const fs::path& path :
         {folder / "no/such/folder/a.txt", folder.path(), folder / "file/below", fs::path("/proc/no/a")}) {
        try {
            OutputFile file(path);
            ADD_FAILURE() << path;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(path.filename().string()), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find("cannot be written"), std::string::npos) << error.what();
        }
    }
}

TEST(OutputFile, AFullDiskIsAnError) {
    if (!fs::exists("/dev/full"))
        GTEST_SKIP() << "not run: no /dev/full here";
    OutputFile file("/dev/full");
    EXPECT_THROW(
        {
            file.write("x");
            file.commit();
        },
        Error);
}

TEST(OutputFile, DevicesAreWrittenDirectly) {
    OutputFile file("/dev/null");
    file.write("x");
    file.commit();
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace sunder
