// A file that appears whole or not at all: written under another name in the same folder, renamed when it is complete.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace sunder {

class OutputFile {
public:
    // Throws Error, naming the path, where it cannot be written. "-" is standard output; devices and pipes are written
    // directly.
    explicit OutputFile(const std::filesystem::path& path);
    ~OutputFile();  // removes what was not committed
    OutputFile(OutputFile&&) noexcept;
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view text);  // throws Error
    void commit();                      // throws Error

private:
    [[noreturn]] void fail(const char* what);

    std::filesystem::path target_;
    std::filesystem::path temporary_;  // empty where the target is written directly
    std::FILE* file_ = nullptr;
};

}  // namespace sunder
