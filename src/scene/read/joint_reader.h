// The `joints` list of a scene file.
#pragma once

#include "scene/read/reader.h"

namespace sunder::scene {

// Call after the bodies, which joints name.
void readJoints(const Json& list, const Path& path, Reader& reader, Scene& scene);

}  // namespace sunder::scene
