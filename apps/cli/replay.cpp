// See replay.h.
#include "replay.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "run.h"
#include "sunder/scene/input_file.h"

namespace sunder::cli {

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
    const std::vector<std::byte> log = readFile(options.log);
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
