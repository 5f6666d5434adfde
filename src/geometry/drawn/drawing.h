// From the frame of a drawing to that of a pattern.
#pragma once

#include <memory>
#include <string>

#include "geometry/patterns/built_pattern.h"
#include "geometry/patterns/pattern.h"
#include "math/quat.h"
#include "sunder/drawn_patterns.h"

namespace sunder::geometry {

// Turns a drawing so that its normal is +y and its up is -z, and moves its centre to the origin.
struct DrawingTurn {
    Quat patternFromDrawing;
    Vec3 center, normal;

    Vec3 toPattern(const Vec3& p) const { return rotate(patternFromDrawing, p - center); }
    Vec3 toDrawing(const Vec3& p) const { return center + inverseRotate(patternFromDrawing, p); }
};

// The frame's numbers, checked; `bounds` are those of the drawing.
DrawingTurn turnOf(const DrawnFrame& frame, const Bounds& bounds);
// Whether the pattern needs a rim of undrawn space: it has a size, and what is beyond it stays whole.
inline constexpr int kRim = 2;  // nodes or voxels of it
inline bool hasRim(const DrawnFrame& frame) { return frame.unit > 0 && frame.rest == PatternRest::Whole; }
// The number of nodes along the longest side that the frame asks for.
int nodesOf(const DrawnFrame& frame, int most, int fallback);
// The pattern of a drawing whose samples are made; region 0 is undrawn space. Throws what is wrong with it.
SharedPattern finishDrawing(PatternResult result, std::span<const std::uint64_t> regions, const DrawnFrame& frame,
                            const DrawingTurn& turn, bool isPrism, std::shared_ptr<const DrawnComplex> complex = {});

std::string placeText(const Vec3& point);

}  // namespace sunder::geometry
