#include "collision/narrow_phase/manifold/further_points.h"

namespace sunder::collision {

int chooseFurther(const PlanarPoint* points, int count, const int (&chosen)[kMaxManifoldPoints], int chosenCount,
                  int (&further)[kMaxManifoldPoints]) {
    if (chosenCount < kMaxManifoldPoints)  // the others lie on a line with these
        return 0;
    constexpr int kMost = 32;
    PlanarPoint others[kMost];
    int indices[kMost], found = 0;
    for (int i = 0, next = 0; i < count && found < kMost; ++i) {
        if (next < chosenCount && chosen[next] == i) {
            ++next;
        } else if (points[i].separation <= 0) {
            others[found] = points[i];
            indices[found++] = i;
        }
    }
    const int taken = choosePoints(others, found, further);
    for (int i = 0; i < taken; ++i)
        further[i] = indices[further[i]];
    return taken;
}

void keepPlaces(const KnownManifold& known, const KnownManifold& knownFurther, ContactManifold& manifold,
                ContactManifold& further) {
    constexpr int kMost = 2 * kMaxManifoldPoints;
    ContactPoint points[kMost];
    int count = 0;
    for (const ContactManifold* from : {&manifold, &further})
        for (int i = 0; i < from->count; ++i)
            points[count++] = from->points[i];
    manifold.count = further.count = 0;
    bool isNew[kMost] = {};
    for (int i = 0; i < count; ++i) {
        const bool wasInFirst = known.has(points[i].feature);
        isNew[i] = !wasInFirst && !knownFurther.has(points[i].feature);
        ContactManifold& to = wasInFirst ? manifold : further;
        if (!isNew[i])
            to.points[to.count++] = points[i];
    }
    for (int i = 0; i < count; ++i) {
        ContactManifold& to = manifold.count < kMaxManifoldPoints ? manifold : further;
        if (isNew[i])
            to.points[to.count++] = points[i];
    }
    if (manifold.count == 0) {
        std::swap(manifold.points, further.points);
        std::swap(manifold.count, further.count);
    }
}

}  // namespace sunder::collision
