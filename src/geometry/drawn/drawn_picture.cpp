// Patterns from a picture of cracks and from curves: regions of a plane, which run through the body along the normal.
//   1  a raster finer than the pattern's samples: dark where the picture is, or where a curve passes
//   2  its regions, and the distance of each pixel to the nearest border   (crack_map.h)
//   3  those of the nodes, in a grid two nodes thin
#include <algorithm>
#include <cmath>

#include "geometry/drawn/crack_map.h"
#include "geometry/drawn/drawing.h"
#include "geometry/patterns/build_pattern.h"
#include "sunder/definitions.h"
#include "sunder/describe/field_info.h"

namespace sunder::geometry {
namespace {

constexpr int kPictureNodes = 257, kMostPictureNodes = 1025;
constexpr int kFiner = 4;  // pixels of the raster per cell
// Pixels of the raster: half the width of a curve. Above sqrt(1/2), so that no path of pixels that touch along edges crosses.
constexpr double kHalfLine = 0.75;
// Pixels: smaller regions, less than a cell, are specks.
constexpr std::size_t kSpeck = kFiner * kFiner;
constexpr int kMostPixels = 8192;

// The plane of a drawing, in its units: x to the right, z down.
struct Sheet {
    Vec3 low;
    double cell = 0;
    int nodesX = 0, nodesZ = 0;

    Sheet(const std::array<double, 2>& from, const std::array<double, 2>& to, int nodes)
        : low{Real(from[0]), 0, Real(from[1])} {
        const double x = to[0] - from[0], z = to[1] - from[1];
        cell = std::max(x, z) / (nodes - 1);
        nodesX = std::max(int(std::floor(x / cell + 0.5)), 1) + 1;
        nodesZ = std::max(int(std::floor(z / cell + 0.5)), 1) + 1;
    }
    Raster raster() const {
        Raster raster{(nodesX - 1) * kFiner + 1, (nodesZ - 1) * kFiner + 1, {}};
        raster.isDark.resize(std::size_t(raster.width) * std::size_t(raster.height));
        return raster;
    }
    Bounds bounds() const { return {low, low + Vec3{Real(cell * (nodesX - 1)), 0, Real(cell * (nodesZ - 1))}}; }
};

SharedPattern fromRegions(const Sheet& sheet, const RegionMap& map, const DrawnFrame& frame) {
    if (!(frame.normal == Vec3{0, 1, 0}))
        throw Error("normal: " + placeText(frame.normal) +
                    " is not allowed (a picture or curves lie in the plane at right angles to +y)");
    const DrawingTurn turn = turnOf(frame, sheet.bounds());
    const int rim = hasRim(frame) ? kRim : 0, nx = sheet.nodesX + 2 * rim, nz = sheet.nodesZ + 2 * rim;
    const Real cell = Real(sheet.cell);
    Grid grid{sheet.low - turn.center - Vec3{Real(rim), Real(0.5), Real(rim)} * cell, cell, {nx, 2, nz}};
    const int width = (sheet.nodesX - 1) * kFiner + 1;
    std::vector<std::uint64_t> regions(grid.nodeCount());
    std::vector<Real> distances(grid.nodeCount());
    for (int z = 0; z < nz; ++z)
        for (int x = 0; x < nx; ++x) {
            const int i = x - rim, k = z - rim;
            // Cells to the edge of the drawing, from inside.
            const int inside = std::min({i, k, sheet.nodesX - 1 - i, sheet.nodesZ - 1 - k});
            std::uint64_t region = 0;
            Real distance = Real(-inside) * cell;
            if (inside >= 0) {
                const std::size_t pixel = std::size_t(i * kFiner) + std::size_t(width) * std::size_t(k * kFiner);
                region = map.regions[pixel];
                distance = Real(map.distances[pixel]) * cell / kFiner;
                if (rim > 0)
                    distance = min(distance, Real(inside) * cell);
            }
            for (int y = 0; y < 2; ++y) {
                regions[grid.index(x, y, z)] = region;
                distances[grid.index(x, y, z)] = distance;
            }
        }
    return finishDrawing(assemblePattern(grid, regions, distances), regions, frame, turn, true);
}

// The darkest pixel of an area, or the picture's brightness between pixels where these are coarser than the raster.
class Brightness {
public:
    explicit Brightness(const DrawnPicture& picture) : picture_(picture) {}

    // (u, v) in pixels; the area is `side` pixels wide.
    double at(double u, double v, double side) const {
        if (side > 1) {
            int darkest = 255;
            for (int y = row(v - side / 2); y <= row(v + side / 2); ++y)
                for (int x = column(u - side / 2); x <= column(u + side / 2); ++x)
                    darkest = std::min(darkest, int(pixel(x, y)));
            return darkest;
        }
        const double left = std::floor(u - 0.5), top = std::floor(v - 0.5), s = u - 0.5 - left, t = v - 0.5 - top;
        const auto value = [&](double x, double y) { return double(pixel(column(x), row(y))); };
        return (1 - t) * ((1 - s) * value(left, top) + s * value(left + 1, top)) +
               t * ((1 - s) * value(left, top + 1) + s * value(left + 1, top + 1));
    }

private:
    int column(double u) const { return std::clamp(int(std::floor(u)), 0, picture_.width - 1); }
    int row(double v) const { return std::clamp(int(std::floor(v)), 0, picture_.height - 1); }
    std::uint8_t pixel(int x, int y) const {
        return picture_.gray[std::size_t(x) + std::size_t(picture_.width) * std::size_t(y)];
    }
    const DrawnPicture& picture_;
};

void check(const DrawnPicture& drawn) {
    const int most = std::max(drawn.width, drawn.height), least = std::min(drawn.width, drawn.height);
    if (least < 2 || most > kMostPixels || drawn.gray.size() != std::size_t(drawn.width) * std::size_t(drawn.height))
        throw Error("picture: " + std::to_string(drawn.width) + " x " + std::to_string(drawn.height) +
                    " pixels are not allowed (2 to 8192 along each side, and a byte for each)");
    if (drawn.dark < 1 || drawn.dark > 255)
        throw Error("dark: " + std::to_string(drawn.dark) + " is not allowed (1 to 255)");
}

double squaredDistance(const std::array<double, 2>& p, const std::array<double, 2>& a, const std::array<double, 2>& b) {
    const double x = b[0] - a[0], y = b[1] - a[1], px = p[0] - a[0], py = p[1] - a[1];
    const double square = x * x + y * y;
    const double t = square > 0 ? std::clamp((px * x + py * y) / square, 0.0, 1.0) : 0;
    return (px - t * x) * (px - t * x) + (py - t * y) * (py - t * y);
}

// Darkens pixels near a line; points in pixels.
void drawLine(Raster& raster, const std::array<double, 2>& a, const std::array<double, 2>& b) {
    const auto pixel = [](double at, int count) { return int(std::clamp(at, -1.0, double(count))); };
    const int left = std::max(pixel(std::min(a[0], b[0]) - 1, raster.width), 0),
              right = std::min(pixel(std::max(a[0], b[0]) + 1, raster.width), raster.width - 1),
              top = std::max(pixel(std::min(a[1], b[1]) - 1, raster.height), 0),
              bottom = std::min(pixel(std::max(a[1], b[1]) + 1, raster.height), raster.height - 1);
    for (int y = top; y <= bottom; ++y)
        for (int x = left; x <= right; ++x)
            if (squaredDistance({double(x), double(y)}, a, b) < kHalfLine * kHalfLine)
                raster.isDark[raster.index(x, y)] = 1;
}

// A curve that ends at the right or the lower edge of the drawing (in pixels) goes on to that of the raster, whose whole cells
// may reach half a cell beyond.
void drawToEdge(Raster& raster, const std::array<double, 2>& end, const std::array<double, 2>& edge) {
    for (std::size_t i = 0; i < 2; ++i)
        if (end[i] > edge[i] - kHalfLine) {
            std::array<double, 2> beyond = end;
            beyond[i] += kFiner;
            drawLine(raster, end, beyond);
        }
}

}  // namespace
}  // namespace sunder::geometry

namespace sunder {

SharedPattern patternFromPicture(const DrawnPicture& drawn, const DrawnFrame& frame) {
    using namespace geometry;
    check(drawn);
    const Sheet sheet({0, 0}, {1, double(drawn.height) / drawn.width}, nodesOf(frame, kMostPictureNodes, kPictureNodes));
    Raster raster = sheet.raster();
    const Brightness brightness(drawn);
    const double side = double(drawn.width) / (raster.width - 1);
    for (int y = 0; y < raster.height; ++y)
        for (int x = 0; x < raster.width; ++x)
            raster.isDark[raster.index(x, y)] = brightness.at(x * side, y * side, side) < drawn.dark;
    const RegionMap map = regionsBetween(raster, kSpeck);
    if (map.count < 2)
        throw Error("picture: dark lines divide it into " + std::to_string(map.count) +
                    " regions (2 or more are needed: lines that are closed or run from edge to edge, darker than " +
                    std::to_string(drawn.dark) + " of 255)");
    return fromRegions(sheet, map, frame);
}

SharedPattern patternFromCurves(const DrawnCurves& drawn, const DrawnFrame& frame) {
    using namespace geometry;
    for (int i = 0; i < 2; ++i)
        if (!(drawn.high[i] > drawn.low[i]) || !std::isfinite(drawn.high[i] - drawn.low[i]))
            throw Error("curves: the drawing has no area (its edges must be apart)");
    const Sheet sheet(drawn.low, drawn.high, nodesOf(frame, kMostPictureNodes, kPictureNodes));
    Raster raster = sheet.raster();
    const auto pixelOf = [&](const std::array<double, 2>& p) {
        return std::array<double, 2>{(p[0] - drawn.low[0]) / sheet.cell * kFiner, (p[1] - drawn.low[1]) / sheet.cell * kFiner};
    };
    for (const auto& points : drawn.polylines) {
        for (std::size_t i = 0; i + 1 < points.size(); ++i)
            drawLine(raster, pixelOf(points[i]), pixelOf(points[i + 1]));
        if (!points.empty())
            for (const auto& end : {points.front(), points.back()})
                drawToEdge(raster, pixelOf(end), pixelOf(drawn.high));
    }
    const RegionMap map = regionsBetween(raster, kSpeck);
    if (map.count < 2)
        throw Error("curves: they divide the drawing into " + std::to_string(map.count) +
                    " regions (2 or more are needed: curves that are closed or run from edge to edge)");
    return fromRegions(sheet, map, frame);
}

}  // namespace sunder
