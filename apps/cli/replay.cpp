// See replay.h.
#include "replay.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "run.h"

namespace sunder::cli {

namespace {

std::vector<std::byte> contentsOf(const std::filesystem::path& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        throw Error(path.string() + ": is a folder");
    std::ifstream file(path, std::ios::binary);
    std::vector<std::byte> bytes;
    constexpr std::size_t kBlock = 1 << 20;
    while (file) {
        const std::size_t size = bytes.size();
        bytes.resize(size + kBlock);
        file.read(reinterpret_cast<char*>(bytes.data() + size), kBlock);
        bytes.resize(size + static_cast<std::size_t>(file.gcount()));
    }
    if (!file.eof())
        throw Error(path.string() + ": cannot be read (" + std::strerror(errno) + ")");
    return bytes;
}

}  // namespace

LogFile::LogFile(const std::filesystem::path& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
    if (file_ == nullptr)
        throw Error(path.string() + ": cannot be written (" + std::strerror(errno) + ")");
}

LogFile::~LogFile() { std::fclose(file_); }

void LogFile::write(std::span<const std::byte> record) {
    if (std::fwrite(record.data(), 1, record.size(), file_) != record.size() || std::fflush(file_) != 0)
        throw Error(path_.string() + ": cannot be written (" + std::strerror(errno) + ")");
}

int replayLog(const ReplayOptions& options) {
    const std::vector<std::byte> log = contentsOf(options.log);
    ReplayReport report;
    try {
        report = replay(log, options.threads);
    } catch (const Error& error) {
        throw Error(options.log.string() + ": " + error.what());
    }
    if (report.cutShort && !options.quiet)
        fmt::print(stderr, "{}: the last record is not whole; what came before it was repeated\n", options.log.string());
    if (const auto& difference = report.difference) {
        fmt::print("{}: step {} (at {:.6g} s) differs: recorded {:016x}, repeated {:016x}\n", options.log.string(),
                   difference->step, difference->time, difference->recorded, difference->repeated);
        return kDiffers;
    }
    if (!options.quiet)
        fmt::print("{}: {} steps, {} calls, all hashes are equal; the last is {:016x}\n", options.log.string(), report.steps,
                   report.calls, report.hash);
    return kDone;
}

}  // namespace sunder::cli
