// A box about a shape, turning with it.
#pragma once

#include "math/bounds.h"
#include "math/mat3.h"
#include "math/quat.h"

namespace sunder::collision {

struct TurnedBox {
    Mat3 worldFromBox;
    Vec3 middle, half;  // middle: world

    TurnedBox() = default;
    TurnedBox(const Bounds& local, const Pose& pose)
        : worldFromBox(toMatrix(pose.orientation)),
          middle(worldFromBox * center(local) + pose.position),
          half((local.high - local.low) * Real(0.5)) {}

    Bounds bounds() const {
        const Vec3 reach = absolute(worldFromBox) * half;
        return {middle - reach, middle + reach};
    }
    static Mat3 absolute(const Mat3& R) { return {abs(R.row0), abs(R.row1), abs(R.row2)}; }
};

// m: a lower bound of the distance of two boxes, from the six axes of theirs; 0 or less where none parts them.
inline Real gapBetween(const TurnedBox& a, const TurnedBox& b) {
    const auto gaps = [](const TurnedBox& box, const TurnedBox& other) {
        const Mat3 boxFromWorld = transpose(box.worldFromBox);
        const Vec3 reach = TurnedBox::absolute(boxFromWorld * other.worldFromBox) * other.half;
        return abs(boxFromWorld * (other.middle - box.middle)) - reach - box.half;
    };
    const Vec3 one = gaps(a, b), two = gaps(b, a);
    return max(max(max(one.x, one.y), one.z), max(max(two.x, two.y), two.z));
}

}  // namespace sunder::collision
