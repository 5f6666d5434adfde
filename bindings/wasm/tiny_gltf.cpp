// The glTF reader of mesh files, which elsewhere comes from a library; images are not read.
#define TINYGLTF_IMPLEMENTATION
#include <tiny_gltf.h>
