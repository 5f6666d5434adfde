// How the bodies of a recording are drawn: as their materials say, else in colours of the palette.
#pragma once

#include <vector>

#include "render/palette.h"
#include "sunder/scene/recording.h"

namespace sunder::scene {

class TrackLooks {
public:
    // Looks of all tracks that are there by now.
    const std::vector<render::Look>& of(const Recording& recording);

private:
    render::Look find(const Recording& recording, std::size_t track);

    render::Palette palette_;
    std::vector<render::Look> looks_;  // by track
};

}  // namespace sunder::scene
