// The curves of an SVG drawing.
#pragma once

#include <string_view>

#include "sunder/drawn_patterns.h"

namespace sunder::scene {

// Paths, lines, polylines, polygons, rectangles (without round corners), circles and ellipses with their transforms; strokes
// and fills are not looked at, what is hidden or only defined is left out. The drawing's edges are its viewBox, else its width
// and height, else those of the curves. Throws Error with the element and what is wrong.
DrawnCurves readSvg(std::string_view text);

}  // namespace sunder::scene
