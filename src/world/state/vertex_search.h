// The door for the narrow phase of deforming bodies: the function that finds the contacts of colliders made of vertices.
#pragma once

#include "collision/narrow_phase/manifold/manifold.h"
#include "world/record/body.h"

namespace sunder::world {

struct ColliderAt {
    const Body* body = nullptr;
    std::uint32_t child = 0;
    Pose pose;  // of the body's frame; both sides of a pair are given in one frame, whose origin is near
};

// Appends the places where the two are nearer than the margin (m); at least one of them is of a deforming body. Several threads
// call it at once. Keys and features must persist from step to step, as those of collision::collide do.
using VertexSearch = void (*)(const ColliderAt& a, const ColliderAt& b, Real margin, collision::ManifoldList& out);

// Calls the function, if there is one; without it deforming bodies touch nothing.
inline void searchVertices(VertexSearch search, const ColliderAt& a, const ColliderAt& b, Real margin,
                           collision::ManifoldList& out) {
    const std::size_t first = out.size();
    if (search)
        search(a, b, margin, out);
    for (std::size_t i = first; i < out.size(); ++i) {
        if (a.body->vertices)
            out[i].childA = a.child;
        if (b.body->vertices)
            out[i].childB = b.child;
    }
}

}  // namespace sunder::world
