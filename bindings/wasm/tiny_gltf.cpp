// The glTF reader of mesh files, which elsewhere comes from a library; images are not read.
#define TINYGLTF_IMPLEMENTATION
#include <tiny_gltf.h>

namespace tinygltf {

// Pictures other than PNG are decoded by the page; stills that the engine draws here go without them
// (src/scene/picture/textures.cpp).
bool LoadImageData(Image*, int, std::string*, std::string*, int, int, const unsigned char*, int, void*);
bool LoadImageData(Image*, int, std::string*, std::string*, int, int, const unsigned char*, int, void*) { return false; }

}  // namespace tinygltf
