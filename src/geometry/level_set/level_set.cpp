#include "geometry/level_set/level_set.h"

#include <algorithm>

namespace sunder::geometry {
namespace {

bool isBorderOutside(const Int3& nodes, const auto& isInside) {
    const auto [nx, ny, nz] = nodes;
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y) {
            const bool whole = z == 0 || z == nz - 1 || y == 0 || y == ny - 1;
            const int stride = whole ? 1 : std::max(nx - 1, 1);
            for (int x = 0; x < nx; x += stride)
                if (isInside(x, y, z))
                    return false;
        }
    return true;
}

}  // namespace

template <class Stored>
Stored toStored(Real distance, Real inverseStep) {
    constexpr Real limit = LevelSet<Stored>::kLimit;
    const Real scaled = clamp(distance * inverseStep, -limit, limit);
    const int rounded = int(scaled + (scaled < 0 ? Real(-0.5) : Real(0.5)));
    return Stored(rounded == 0 && distance < 0 ? -1 : rounded);
}

template <class Stored>
LevelSet<Stored> quantize(const DistanceField& field) {
    LevelSet<Stored> result{field.grid, field.grid.cell / LevelSet<Stored>::kStepsPerCell, {}};
    result.values.resize(field.values.size());
    const Real inverseStep = 1 / result.step;
    for (std::size_t node = 0; node < field.values.size(); ++node)
        result.values[node] = toStored<Stored>(field.values[node], inverseStep);
    return result;
}

template <class To, class From>
LevelSet<To> converted(const LevelSet<From>& field) {
    LevelSet<To> result{field.grid, field.grid.cell / LevelSet<To>::kStepsPerCell, {}};
    result.values.resize(field.values.size());
    const Real inverseStep = 1 / result.step;
    for (std::size_t node = 0; node < field.values.size(); ++node)
        result.values[node] = toStored<To>(field.distance(node), inverseStep);
    return result;
}

template <class Stored>
LevelSet<Stored> crop(const LevelSet<Stored>& field, const GridRange& range) {
    const Grid& from = field.grid;
    LevelSet<Stored> result{cropped(from, range), field.step, {}};
    result.values.assign(result.grid.nodeCount(), Stored(LevelSet<Stored>::kLimit));
    const int firstX = std::max(range.low.x, 0), lastX = std::min(range.high.x, from.nodes.x - 1);
    if (firstX > lastX)
        return result;
    for (int z = std::max(range.low.z, 0); z <= std::min(range.high.z, from.nodes.z - 1); ++z)
        for (int y = std::max(range.low.y, 0); y <= std::min(range.high.y, from.nodes.y - 1); ++y)
            std::copy_n(&field.values[from.index(firstX, y, z)], lastX - firstX + 1,
                        &result.values[result.grid.index(firstX - range.low.x, y - range.low.y, z - range.low.z)]);
    return result;
}

template <class Stored>
GridRange insideRange(const LevelSet<Stored>& field, int marginNodes) {
    const auto [nx, ny, nz] = field.grid.nodes;
    GridRange range{{nx, ny, nz}, {-1, -1, -1}};
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y) {
            const Stored* row = &field.values[field.grid.index(0, y, z)];
            int first = 0, last = nx - 1;
            while (first < nx && row[first] >= 0)
                ++first;
            if (first == nx)
                continue;
            while (row[last] >= 0)
                --last;
            range.low = {std::min(range.low.x, first), std::min(range.low.y, y), std::min(range.low.z, z)};
            range.high = {std::max(range.high.x, last), std::max(range.high.y, y), z};
        }
    if (range.isEmpty())
        return range;
    const int m = marginNodes;
    return {{range.low.x - m, range.low.y - m, range.low.z - m}, {range.high.x + m, range.high.y + m, range.high.z + m}};
}

template <class Stored>
LevelSet<Stored> withBorder(LevelSet<Stored> field) {
    const auto [nx, ny, nz] = field.grid.nodes;
    if (isBorderOutside(field.grid.nodes, [&](int x, int y, int z) { return field.isInside(field.grid.index(x, y, z)); }))
        return field;
    return crop(field, {{-1, -1, -1}, {nx, ny, nz}});
}

template <class Stored>
LevelSet<Stored> decimated(const LevelSet<Stored>& field, int stride) {
    const auto [nx, ny, nz] = field.grid.nodes;
    const auto along = [&](int count) { return (count - 1 + stride - 1) / stride + 1; };
    LevelSet<Stored> result{{field.grid.origin, field.grid.cell * Real(stride), {along(nx), along(ny), along(nz)}}, 0, {}};
    result.step = result.grid.cell / LevelSet<Stored>::kStepsPerCell;
    result.values.assign(result.grid.nodeCount(), Stored(LevelSet<Stored>::kLimit));
    const Real inverseStep = 1 / result.step;
    for (int z = 0; z < nz; z += stride)
        for (int y = 0; y < ny; y += stride) {
            Stored* row = &result.values[result.grid.index(0, y / stride, z / stride)];
            for (int x = 0; x < nx; x += stride)
                *row++ = toStored<Stored>(field.distance(field.grid.index(x, y, z)), inverseStep);
        }
    return result;
}

#define SUNDER_LEVEL_SET_OF(Stored)                                                    \
    template Stored toStored<Stored>(Real, Real);                                      \
    template LevelSet<Stored> quantize<Stored>(const DistanceField&);                  \
    template LevelSet<Stored> crop<Stored>(const LevelSet<Stored>&, const GridRange&); \
    template GridRange insideRange<Stored>(const LevelSet<Stored>&, int);              \
    template LevelSet<Stored> withBorder<Stored>(LevelSet<Stored>);                    \
    template LevelSet<Stored> decimated<Stored>(const LevelSet<Stored>&, int);
SUNDER_LEVEL_SET_OF(std::int8_t)
SUNDER_LEVEL_SET_OF(std::int16_t)
#undef SUNDER_LEVEL_SET_OF
template LevelSet8 converted<std::int8_t, std::int16_t>(const LevelSet16&);
template LevelSet16 converted<std::int16_t, std::int8_t>(const LevelSet8&);

}  // namespace sunder::geometry
