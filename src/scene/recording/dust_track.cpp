#include "scene/recording/dust_track.h"

#include <array>

#include "math/vec3.h"

namespace sunder::scene {

namespace {

// Corners of a grain, in units of its size.
constexpr std::array<Vec3, 4> kCorners = {Vec3{1, 1, 1}, Vec3{1, -1, -1}, Vec3{-1, 1, -1}, Vec3{-1, -1, 1}};
constexpr std::array<std::array<std::uint32_t, 3>, 4> kFaces = {{{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}};

Surface surfaceOf(const std::vector<Vec3>& positions) {
    Surface surface;
    surface.positions = positions;
    for (std::uint32_t first = 0; first < positions.size(); first += 4)
        for (const auto& face : kFaces)
            surface.triangles.push_back({first + face[0], first + face[1], first + face[2]});
    return surface;
}

}  // namespace

std::uint32_t DustTrack::follow(const World& world, RecordingWriter& writer, std::vector<MovingVertices>& moving) {
    const std::span<const DustGrain> dust = world.dust();
    positions_.clear();
    for (const DustGrain& grain : dust)
        for (const Vec3& corner : kCorners)
            positions_.push_back(grain.position + corner * grain.size);
    if (dust.empty() && track_ != kNoTrack) {
        writer.endTrack(track_);
        track_ = kNoTrack;
    } else if (!dust.empty() && track_ == kNoTrack) {
        TrackDef def;
        def.name = "dust";
        def.surface = writer.addMovingSurface(surfaceOf(positions_));
        def.deforms = true;
        track_ = writer.addTrack(def);
    } else if (dust.size() != grains_) {
        writer.changeSurface(track_, writer.addMovingSurface(surfaceOf(positions_)));
    }
    grains_ = dust.size();
    if (track_ != kNoTrack)
        moving.push_back({track_, positions_});
    return track_;
}

}  // namespace sunder::scene
