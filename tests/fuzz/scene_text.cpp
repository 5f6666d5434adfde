// Any bytes as a scene file: an answer, never a crash, and a scene that was accepted survives writing and reading.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sunder/scene/scene.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const sunder::SceneResult result = sunder::parseScene(text);
    if (result && result.scene->bodies.size() < 100 && !sunder::parseScene(sunder::writeScene(*result.scene)))
        std::abort();
    return 0;
}
