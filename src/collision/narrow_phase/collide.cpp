// Chooses the routine for any two shapes.
#include "collision/narrow_phase/collide.h"

#include "collision/narrow_phase/compound_contact.h"
#include "collision/narrow_phase/convex/collide_convex.h"
#include "collision/narrow_phase/level_set/level_set_contact.h"
#include "collision/narrow_phase/mesh/mesh_contact.h"

namespace sunder::collision {

Real collide(const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB, const Range& range,
             ManifoldList& out, KnownManifolds known) {
    const std::size_t begin = out.size();
    const Real margin = range.margin;
    if (a.type == ShapeType::Mesh && b.type == ShapeType::Mesh) {
        return kInfinity;
    } else if (a.type == ShapeType::Compound || b.type == ShapeType::Compound) {
        return collideCompound(a, poseA, b, poseB, range, out, known, collide);
    } else if (a.type == ShapeType::LevelSet) {
        return collideLevelSet(a, poseA, b, poseB, range, out, known);
    } else if (b.type == ShapeType::LevelSet) {
        const Real distance = collideLevelSet(b, poseB, a, poseA, range, out, known);
        for (std::size_t i = begin; i < out.size(); ++i)
            exchangeShapes(out[i]);
        return distance;
    } else if (a.type == ShapeType::Mesh) {
        return collideMeshConvex(a, poseA, b, poseB, range, out, known);
    } else if (b.type == ShapeType::Mesh) {
        const Real distance = collideMeshConvex(b, poseB, a, poseA, range, out, known, false);
        for (std::size_t i = begin; i < out.size(); ++i)
            exchangeShapes(out[i]);
        return distance;
    } else {
        ContactManifold further;
        const ContactManifold manifold = collideConvex(a, poseA, b, poseB, range, known, further);
        if (manifold.count == 0)
            return max(margin, manifold.distance);
        out.push_back(manifold);
        if (further.count > 0)
            out.push_back(further);
    }
    return 0;
}

}  // namespace sunder::collision
