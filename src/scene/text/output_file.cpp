// See output_file.h.
#include "sunder/scene/output_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "sunder/definitions.h"

namespace sunder {

namespace fs = std::filesystem;

OutputFile::OutputFile(const fs::path& path) : target_(path) {
    if (path == "-") {
        file_ = stdout;
        return;
    }
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status)) {
        errno = EISDIR;
        fail("cannot be written");
    }
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        file_ = std::fopen(path.c_str(), "wb");
    } else {
        // Writing through a link replaces what it points to, not the link.
        if (const fs::path real = fs::weakly_canonical(path, error); !error)
            target_ = real;
        if (fs::exists(status) && ::access(target_.c_str(), W_OK) != 0)
            fail("cannot be written");
        temporary_ = target_.parent_path() / ("." + target_.filename().string() + "." + std::to_string(::getpid()) + ".part");
        file_ = std::fopen(temporary_.c_str(), "wb");
    }
    if (!file_) {
        temporary_.clear();
        fail("cannot be written");
    }
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      file_(std::exchange(other.file_, nullptr)) {}

OutputFile::~OutputFile() {
    if (file_ && file_ != stdout)
        std::fclose(file_);
    std::error_code ignored;
    if (!temporary_.empty())
        fs::remove(temporary_, ignored);
}

void OutputFile::write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size())
        fail("could not be written");
}

void OutputFile::commit() {
    if (std::fflush(file_) != 0)
        fail("could not be written");
    if (!temporary_.empty() && ::fsync(::fileno(file_)) != 0)
        fail("could not be written");
    std::FILE* file = std::exchange(file_, nullptr);
    if (file != stdout && std::fclose(file) != 0)
        fail("could not be written");
    if (temporary_.empty())
        return;
    std::error_code error;
    fs::rename(temporary_, target_, error);
    if (error) {
        errno = error.value();
        fail("could not be written");
    }
    temporary_.clear();
}

void OutputFile::fail(const char* what) {
    const int reason = errno;
    throw Error(target_.string() + ": " + what + " (" + std::strerror(reason) + ")");
}

}  // namespace sunder
