#include "scene/filter/copy_surfaces.h"

#include <set>

namespace sunder::scene {

void copySurfaces(const Recording& recording, RecordingWriter& writer) {
    std::set<std::uint32_t> moving;
    for (const RecordedTrack& track : recording.tracks())
        if (track.def.deforms) {
            moving.insert(track.def.surface);
            for (const SurfaceChange& change : track.changes)
                moving.insert(change.surface);
        }
    for (int i = 0; i < recording.surfaceCount(); ++i) {
        const DrawnShape& shape = recording.surface(std::uint32_t(i));
        if (moving.count(std::uint32_t(i)) > 0)
            writer.addMovingSurface(std::get<Surface>(shape.solids.at(0).solid));
        else
            writer.addSurface(shape);
    }
}

}  // namespace sunder::scene
