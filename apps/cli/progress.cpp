// See progress.h.
#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace sunder::cli {

namespace {

constexpr int kBarWidth = 30;
constexpr int kPlainLines = 10;
constexpr std::chrono::milliseconds kRedrawEvery{50};

}  // namespace

Progress::Progress(std::string title, int frames, bool quiet)
    : title_(std::move(title)), frames_(frames), quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}

void Progress::update(int frame, double totalMs) { show(frame, fmt::format(", {:.3g} ms per frame", totalMs / frame)); }

void Progress::updateOf(int done, int total) {
    frames_ = total;
    show(done, "");
}

void Progress::show(int frame, const std::string& more) {
    if (quiet_)
        return;
    if (terminal_) {
        const auto now = std::chrono::steady_clock::now();
        if (now - lastDrawn_ >= kRedrawEvery || frame == frames_) {
            lastDrawn_ = now;
            drawBar(frame, more);
        }
    } else if (std::int64_t(frame) * kPlainLines >= std::int64_t(linesPrinted_ + 1) * frames_) {
        linesPrinted_ = static_cast<int>(std::int64_t(frame) * kPlainLines / std::max(frames_, 1));
        fmt::print(stderr, "{}: frame {} of {}{}\n", title_, frame, frames_, more);
    }
}

void Progress::drawBar(int frame, const std::string& more) {
    const int filled = static_cast<int>(std::int64_t(frame) * kBarWidth / std::max(frames_, 1));
    fmt::print(stderr, "\r\x1b[K{} [{:#<{}}{:.<{}}] {} of {}{}", title_, "", filled, "", kBarWidth - filled, frame, frames_,
               more);
    std::fflush(stderr);
    barShown_ = true;
}

void Progress::message(const std::string& text) {
    finish();
    fmt::print(stderr, "{}: {}\n", title_, text);
}

void Progress::finish() {
    if (barShown_)
        fmt::print(stderr, "\r\x1b[K");
    barShown_ = false;
}

}  // namespace sunder::cli
