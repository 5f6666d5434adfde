// `sunder replay`, and the log file that `sunder run --record` leaves for it.
#pragma once

#include <cstdio>
#include <filesystem>
#include <optional>

#include "sunder/replay.h"

namespace sunder::cli {

// Every record reaches the system before its call is carried out, so that a crash leaves what led to it.
class LogFile : public CallLog {
public:
    explicit LogFile(const std::filesystem::path& path);  // throws Error, naming the path
    ~LogFile() override;
    LogFile(const LogFile&) = delete;
    LogFile& operator=(const LogFile&) = delete;

    void write(std::span<const std::byte> record) override;  // throws Error

private:
    std::filesystem::path path_;
    std::FILE* file_;
};

struct ReplayOptions {
    std::filesystem::path log;
    int threads = 0;  // as recorded
    bool quiet = false;
};

int replayLog(const ReplayOptions& options);

}  // namespace sunder::cli
