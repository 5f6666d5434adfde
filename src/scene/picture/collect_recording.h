// Converts a frame of a recording to the renderer's scene.
#pragma once

#include <functional>
#include <vector>

#include "render/scene.h"
#include "scene/picture/textures.h"
#include "scene/recording/track_looks.h"
#include "sunder/scene/recording.h"

namespace sunder::scene {

// Surfaces of rigid bodies are prepared once. One collector serves one recording.
class FrameCollector {
public:
    // Adds the bodies of the recording's frame; the caller clears and builds.
    void add(const Recording& recording, render::RenderScene& scene, const std::function<bool(Motion)>& wanted = nullptr);

private:
    struct Placed {
        Pose bodyFromSolid;
        render::Solid solid;
    };
    const std::vector<Placed>& solidsOf(const Recording& recording, std::uint32_t surface);

    std::vector<std::vector<Placed>> solids_;  // by surface
    TrackLooks looks_;
    TextureCache textures_;
};

}  // namespace sunder::scene
