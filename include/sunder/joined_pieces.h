// The pieces of a bonded body as bodies of their own, held together by joints at the corners of the faces that they share
// [Li18] 4: the way of the paper, for comparison. A bonded body (bonds.h) is one rigid body and costs less.
#pragma once

#include <cstdint>
#include <vector>

#include "sunder/definitions.h"
#include "sunder/joints.h"

namespace sunder {

struct JoinedPieces {
    struct Joint {
        std::uint32_t a = 0, b = 0;  // indices into `bodies`
        JointDef def;                // its bodies are to be filled in
    };
    std::vector<BodyDef> bodies;  // one per piece, named name_0, name_1, ...
    std::vector<Joint> joints;    // four per bond
};

// body: dynamic, with a Compound and bonds. Each bond becomes four ball joints at the corners of the rectangle that has the
// area and the second moments of the shared face, which are the corners of the face itself where that is a rectangle. Each
// joint has a quarter of the face's stiffness E A / l, and of its strength in tension or shear, whichever is less. Throws Error
// where the body is none of these.
JoinedPieces joinPieces(const BodyDef& body);

}  // namespace sunder
