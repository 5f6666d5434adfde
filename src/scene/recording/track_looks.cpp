#include "scene/recording/track_looks.h"

namespace sunder::scene {

const std::vector<render::Look>& TrackLooks::of(const Recording& recording) {
    while (looks_.size() < recording.tracks().size())
        looks_.push_back(find(recording, looks_.size()));
    return looks_;
}

// A piece looks as the body that it broke off did, also where that was fixed and the piece is not.
render::Look TrackLooks::find(const Recording& recording, std::size_t track) {
    const TrackDef& def = recording.tracks()[track].def;
    render::Look look;
    if (def.parent < looks_.size()) {
        look = looks_[def.parent];
        look.ground = false;
        return look;
    }
    look = palette_.look(def.name, def.variant, def.motion);
    const std::vector<RecordedLook>& given = recording.info().looks;
    if (def.look >= given.size())
        return look;
    const RecordedLook& material = given[def.look];
    look.material = def.look;
    if (material.color) {
        look.albedo = *material.color;
        look.opened = render::openedTone(*material.color);
        look.gloss = material.gloss;
    }
    if (material.innerColor)
        look.opened = *material.innerColor;
    look.opacity = material.opacity;
    return look;
}

}  // namespace sunder::scene
