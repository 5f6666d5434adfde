// Surfaces of a recording for a copy of it.
#pragma once

#include "sunder/scene/recording.h"

namespace sunder::scene {

// They keep their numbers.
void copySurfaces(const Recording& recording, RecordingWriter& writer);

}  // namespace sunder::scene
