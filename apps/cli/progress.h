// How far a run is: a bar on a terminal, now and then a line elsewhere. Written to standard error.
#pragma once

#include <chrono>
#include <string>

namespace sunder::cli {

class Progress {
public:
    Progress(std::string title, int frames, bool quiet);

    void update(int frame, double totalMs);
    // As update, for work whose length is known only as it goes on: without times.
    void updateOf(int done, int total);
    void message(const std::string& text);
    void finish();  // takes the bar away

private:
    void drawBar(int frame, const std::string& more);
    void show(int frame, const std::string& more);

    std::string title_;
    int frames_;
    bool quiet_;
    bool terminal_;
    bool barShown_ = false;
    int linesPrinted_ = 0;
    std::chrono::steady_clock::time_point lastDrawn_;
};

}  // namespace sunder::cli
