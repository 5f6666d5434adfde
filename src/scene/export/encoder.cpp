// See encoder.h.
#include "scene/export/encoder.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "sunder/definitions.h"
#include "sunder/scene/exports.h"

extern char** environ;

namespace sunder::scene {

namespace {

// Writing to a program that has ended raises SIGPIPE, which would end this program; ignored, it is an error of write().
class IgnorePipeSignal {
public:
    IgnorePipeSignal() {
        struct sigaction ignore {};
        ignore.sa_handler = SIG_IGN;
        ::sigaction(SIGPIPE, &ignore, &before_);
    }
    ~IgnorePipeSignal() { ::sigaction(SIGPIPE, &before_, nullptr); }
    IgnorePipeSignal(const IgnorePipeSignal&) = delete;
    IgnorePipeSignal& operator=(const IgnorePipeSignal&) = delete;

private:
    struct sigaction before_ {};
};

void closeIfOpen(int& descriptor) {
    if (descriptor >= 0)
        ::close(std::exchange(descriptor, -1));
}

// Starts the program in a process group of its own, so that Ctrl-C in the terminal does not end it before its file is removed.
int spawn(const std::vector<std::string>& words, int input, int errors) {
    std::vector<char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    pid_t process = -1;
    errno = ::posix_spawnp(&process, arguments[0], &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return errno == 0 ? process : -1;
}

}  // namespace

Encoder::Encoder(const std::filesystem::path& path, int width, int height, double frameRate) : target_(path) {
    if (const std::string problem = movieProblem(); !problem.empty())
        throw Error(path.string() + ": " + problem);
    temporary_ = path.parent_path() / ("." + path.stem().string() + "." + std::to_string(::getpid()) + ".part.mp4");
    const std::string size = std::to_string(width) + "x" + std::to_string(height), rate = std::to_string(frameRate);
    const std::vector<std::string> words = {
        "ffmpeg", "-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", rate,
        "-i", "-", "-an", "-c:v", "libx264", "-preset", "medium", "-crf", "18", "-pix_fmt", "yuv420p",
        // The colour space that players assume for H.264, stated explicitly.
        "-vf", "scale=out_color_matrix=bt709:out_range=tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc",
        "bt709", "-movflags", "+faststart", temporary_.string()};
    int input[2], errors[2];
    if (::pipe2(input, O_CLOEXEC) != 0 || ::pipe2(errors, O_CLOEXEC) != 0)
        throw Error(path.string() + ": ffmpeg cannot be started (" + std::strerror(errno) + ")");
    input_ = input[1];
    errors_ = errors[0];
    process_ = spawn(words, input[0], errors[1]);
    const int reason = errno;
    ::close(input[0]);
    ::close(errors[1]);
    if (process_ < 0) {
        closeIfOpen(input_);
        closeIfOpen(errors_);
        throw Error(path.string() + ": ffmpeg cannot be started (" + std::strerror(reason) + ")");
    }
}

Encoder::~Encoder() {
    if (process_ > 0)
        ::kill(process_, SIGKILL);
    closeIfOpen(input_);
    wait();
    closeIfOpen(errors_);
    std::error_code ignored;
    if (!temporary_.empty())
        std::filesystem::remove(temporary_, ignored);
}

int Encoder::wait() {
    if (process_ <= 0)
        return 0;
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void Encoder::fail() {
    closeIfOpen(input_);
    const int status = wait();
    std::string words;
    char block[512];
    for (ssize_t count; (count = ::read(errors_, block, sizeof block)) > 0 && words.size() < 2000;)
        words.append(block, std::size_t(count));
    while (!words.empty() && words.back() == '\n')
        words.pop_back();
    throw Error(target_.string() + ": ffmpeg could not make the movie (" +
                (words.empty() ? "exit status " + std::to_string(status) : words) + ")");
}

void Encoder::add(const Image& image) {
    const IgnorePipeSignal guard;
    for (std::size_t done = 0; done < image.rgb.size();) {
        const ssize_t count = ::write(input_, image.rgb.data() + done, image.rgb.size() - done);
        if (count > 0)
            done += std::size_t(count);
        else if (errno != EINTR)
            fail();
    }
}

void Encoder::finish() {
    closeIfOpen(input_);
    if (wait() != 0)
        fail();
    std::error_code error;
    std::filesystem::rename(temporary_, target_, error);
    if (error)
        throw Error(target_.string() + ": could not be written (" + error.message() + ")");
    temporary_.clear();
}

}  // namespace sunder::scene
