// The table of a report that says what each body weighs, how large it is, and the hardest blow that it took.
#pragma once

#include <string>
#include <vector>

#include "sunder/scene/recording.h"

namespace sunder::scene {

// The hardest blow on each body and whether it broke, by track. Bodies of the scene have the first tracks, in its order.
class BlowsByTrack {
public:
    struct Blow {
        double impulse = 0;  // N s
        int broken = 0;      // how many broke
    };
    void add(const RecordedEvent& event);
    Blow of(std::size_t firstTrack, std::size_t count) const;

private:
    std::vector<Blow> blows_;
};

// Empty where there are no bodies.
std::string bodiesHtml(const std::vector<BodyFacts>& bodies, const BlowsByTrack& blows);

}  // namespace sunder::scene
