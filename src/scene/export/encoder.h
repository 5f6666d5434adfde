// The program ffmpeg, fed with raw pictures through a pipe. Its file appears whole or not at all.
#pragma once

#include <filesystem>

#include "sunder/scene/render.h"

namespace sunder::scene {

class Encoder {
public:
    // Throws Error where ffmpeg is not installed or cannot be started.
    Encoder(const std::filesystem::path& path, int width, int height, double frameRate);
    ~Encoder();  // ends ffmpeg and removes what was not finished
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    void add(const Image& image);  // throws Error with ffmpeg's own words
    void finish();                 // throws Error

private:
    [[noreturn]] void fail();
    int wait();

    std::filesystem::path target_, temporary_;
    int input_ = -1, errors_ = -1;
    int process_ = -1;
};

}  // namespace sunder::scene
