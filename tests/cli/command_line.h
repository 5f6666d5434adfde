// Runs the program as a user would, in a folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scene/temporary_folder.h"

namespace sunder {

struct Ran {
    int status = -1;
    std::string output, errors;
};

class CommandLine : public testing::Test {
protected:
    // Arguments are words of a shell.
    Ran sunder(const std::string& arguments) {
        const std::string command = "cd '" + folder_.path().string() + "' && '" SUNDER_TEST_COMMAND_LINE "' " + arguments +
                                    " > stdout.txt 2> stderr.txt < /dev/null";
        const int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contentsOf(folder_ / "stdout.txt"),
                contentsOf(folder_ / "stderr.txt")};
    }
    static std::vector<nlohmann::json> linesOf(const std::string& text) {
        std::vector<nlohmann::json> lines;
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);)
            lines.push_back(nlohmann::json::parse(line));
        return lines;
    }

    TemporaryFolder folder_;
};

}  // namespace sunder
