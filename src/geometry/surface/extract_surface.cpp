// Each grid edge that the surface crosses becomes a polygon around it: a quad of the vertices of its four cells, with one more
// vertex per side where the quad would share an edge with another sheet of the surface.
#include "geometry/surface/extract_surface.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <map>
#include <type_traits>

#include "core/generated.h"
#include "geometry/surface/cell_sheets.h"
#include "geometry/surface/split_normals.h"
#include "math/quads.h"

namespace sunder::geometry {
namespace {

// The cells around an edge along axis a, counter-clockwise seen from its high end. low: 1 where the cell lies on the low side
// of the edge along axis a + 1 and a + 2.
struct CellAround {
    int lowU, lowV;
};
constexpr CellAround kAround[4] = {{1, 1}, {0, 1}, {0, 0}, {1, 0}};

// A grid edge that the surface crosses, from a node along an axis. The other cells around it precede its node's cell in memory.
// Node, axis (2 bits from kAxisBit on) and whether the low end is inside, in one word.
using CrossingKey = std::uint64_t;
constexpr int kAxisBit = 32, kInsideBit = 34;

constexpr std::uint32_t nodeOf(CrossingKey crossing) { return std::uint32_t(crossing); }
constexpr std::uint32_t axisOf(CrossingKey crossing) { return std::uint32_t(crossing >> kAxisBit) & 3; }
constexpr bool lowIsInside(CrossingKey crossing) { return (crossing >> kInsideBit & 1) != 0; }

// Marks the first vertex of a cell with several sheets or a side that may be shared, and one on an edge or corner.
constexpr std::uint32_t kSpecial = 0x80000000u, kSharp = 0x40000000u, kNumber = kSharp - 1;

// A select without a branch.
constexpr std::uint32_t choose(bool isFirst, std::uint32_t first, std::uint32_t second) {
    return second ^ ((first ^ second) & (0u - std::uint32_t(isFirst)));
}

// Which of the three edges at the lowest corner of a cell the surface crosses, by the corners that are inside.
struct LowEdges {
    std::array<CrossingKey, 3> crossings{};  // of node 0
    std::uint32_t count = 0;
    std::uint32_t special = 0;  // kSpecial or nothing
};
const std::array<LowEdges, 256> kLowEdges = [] {
    std::array<LowEdges, 256> table{};
    for (unsigned corners = 0; corners < 256; ++corners) {
        LowEdges& edges = table[corners];
        for (unsigned axis = 0; axis < 3; ++axis)
            if ((corners >> (1u << axis) & 1) != (corners & 1))
                edges.crossings[edges.count++] = CrossingKey(axis) << kAxisBit | CrossingKey(corners & 1) << kInsideBit;
        edges.special = kCellSheets[corners].count > 1 || kCellSheets[corners].pinchedSides != 0 ? kSpecial : 0;
    }
    return table;
}();

// Memory that is kept from one surface to the next.
struct Scratch {
    std::vector<CrossingKey> crossings;
    std::vector<std::array<std::uint32_t, 3>> triangles;  // room for all, and their slots
    std::vector<std::uint16_t> slots;
    std::vector<std::uint8_t> isSharp;          // per point
    std::vector<std::uint32_t> sharpTriangles;  // with a sharp point; room for all
    std::vector<std::uint32_t> firstVertex;     // per cell, and its marks
};

Scratch& scratchOfThread() {
    thread_local Scratch scratch;
    return scratch;
}

// Slots: a SlotOf, or the cut nodes of a piece.
template <class Stored, class Slots>
class Extractor {
public:
    Extractor(const LevelSet<Stored>& field, std::span<const SurfaceVertex> vertices, const Slots& slots)
        : field_(field),
          vertices_(vertices),
          slots_(slots),
          strides_{1, field.grid.nodes.x, std::ptrdiff_t(field.grid.nodes.x) * field.grid.nodes.y, 1, field.grid.nodes.x},
          scratch_(scratchOfThread()) {
        // Only cells with a vertex are written, and only those are read, so nothing is cleared.
        if (scratch_.firstVertex.size() < field.grid.nodeCount())
            scratch_.firstVertex.resize(field.grid.nodeCount());
    }

    SurfaceMesh run() {
        const std::size_t count = vertices_.size();
        copyVertices();
        const std::size_t crossings = listCrossings();
        makeRoom(2 * crossings);
        emitPolygons(crossings);
        mesh_.triangles.assign(scratch_.triangles.begin(), scratch_.triangles.begin() + std::ptrdiff_t(triangleCount_));
        mesh_.slots.assign(scratch_.slots.begin(), scratch_.slots.begin() + std::ptrdiff_t(triangleCount_));
        mesh_.pointCount = std::uint32_t(mesh_.positions.size());
        mesh_.points.reserve(count + count / 4);
        const Generated points(mesh_.pointCount, [](std::size_t i) { return std::uint32_t(i); });
        mesh_.points.assign(points.begin(), points.end());
        splitNormals(mesh_, scratch_.isSharp, std::span(scratch_.sharpTriangles).first(sharpCount_));
        return std::move(mesh_);
    }

private:
    void copyVertices() {
        const std::size_t count = vertices_.size();
        mesh_.positions.reserve(count + count / 4);
        mesh_.normals.reserve(count + count / 4);
        const Generated positions(count, [&](std::size_t i) -> const Vec3& { return vertices_[i].position; });
        const Generated normals(count, [&](std::size_t i) -> const Vec3& { return vertices_[i].normal; });
        mesh_.positions.assign(positions.begin(), positions.end());
        mesh_.normals.assign(normals.begin(), normals.end());
        scratch_.isSharp.resize(count);
    }

    // Written without a branch: how many crossings a cell has is as good as random.
    std::size_t listCrossings() {
        const std::size_t count = vertices_.size();
        if (scratch_.crossings.size() < 3 * count)
            scratch_.crossings.resize(3 * count);
        CrossingKey* next = scratch_.crossings.data();
        const SurfaceVertex* vertices = vertices_.data();
        std::uint8_t* isSharp = scratch_.isSharp.data();
        std::uint32_t* firstVertex = scratch_.firstVertex.data();
        for (std::uint32_t i = 0; i < count; ++i) {
            const SurfaceVertex& vertex = vertices[i];
            const std::uint32_t cell = vertex.cell;
            const LowEdges& edges = kLowEdges[vertex.corners];
            const bool isFirst = vertex.sheet == 0;
            const std::uint32_t sharp = vertex.feature != SurfaceFeature::Smooth;
            isSharp[i] = std::uint8_t(sharp);
            if (!isFirst)
                continue;
            firstVertex[cell] = i | edges.special | sharp * kSharp;
            next[0] = edges.crossings[0] | cell;
            next[1] = edges.crossings[1] | cell;
            next[2] = edges.crossings[2] | cell;
            next += edges.count;
        }
        return std::size_t(next - scratch_.crossings.data());
    }

    // Room for `triangles` triangles in all.
    void makeRoom(std::size_t triangles) {
        room_ = triangles;
        if (scratch_.triangles.size() >= triangles)
            return;
        scratch_.triangles.resize(triangles);
        scratch_.slots.resize(triangles);
        scratch_.sharpTriangles.resize(triangles);
    }

    // Branch-free in the direction of the edge and the slot behind it, which are as good as random.
    void emitPolygons(std::size_t crossings) {
        const std::uint32_t* const firstVertex = scratch_.firstVertex.data();
        for (std::size_t i = 0; i < crossings; ++i) {
            const CrossingKey edge = scratch_.crossings[i];
            const std::uint32_t node = nodeOf(edge), axis = axisOf(edge);
            const std::uint32_t* first = firstVertex + node;
            const std::ptrdiff_t strideU = strides_[axis + 1], strideV = strides_[axis + 2];
            // In the order of kAround.
            std::uint32_t corners[4] = {first[-strideU - strideV], first[-strideV], first[0], first[-strideU]};
            const std::uint16_t slot = slotOf(node, int(axis), lowIsInside(edge));
            if (((corners[0] | corners[1] | corners[2] | corners[3]) & kSpecial) == 0)
                emitQuad(corners, lowIsInside(edge), slot);
            else
                emitSpecial(node, int(axis), corners, lowIsInside(edge), slot);
        }
    }

    // For edges where one of the four cells has several sheets or a side that may be shared.
    [[gnu::noinline]] void emitSpecial(std::uint32_t node, int axis, std::uint32_t* corners, bool isForward,
                                       std::uint16_t slot) {
        unsigned pinched = 0;
        for (int i = 0; i < 4; ++i) {
            const std::uint32_t first = corners[i] & kNumber;
            const CellSheets& sheets = kCellSheets[vertices_[first].corners];
            const std::uint32_t vertex = first + sheets.ofEdge[4 * axis + kAround[i].lowU + 2 * kAround[i].lowV];
            corners[i] = vertex | scratch_.isSharp[vertex] * kSharp;
            pinched |= sheets.pinchedSides;
        }
        if (pinched == 0)
            emitQuad(corners, isForward, slot);
        else
            emitPinched(node, axis, corners, isForward, slot);
    }

    std::uint16_t slotOf(std::uint32_t node, int axis, bool isForward) const {
        if constexpr (std::is_same_v<Slots, CutNodes>)
            return slots_.at(node + std::size_t(isForward) * std::size_t(strides_[axis])) ? kFractureSlot : kOldSlot;
        else
            return slots_ ? slots_(crossing(node, axis, isForward)) : std::uint16_t(0);
    }

    SurfaceCrossing crossing(std::uint32_t node, int axis, bool isForward) const {
        const std::uint32_t other = node + std::uint32_t(strides_[axis]);
        const Real a = Real(field_.values[node]), b = Real(field_.values[other]);
        Vec3 point = positionOf(node);
        setComponent(point, axis, component(point, axis) + field_.grid.cell * (a / (a - b)));
        return isForward ? SurfaceCrossing{node, other, point} : SurfaceCrossing{other, node, point};
    }

    Vec3 positionOf(std::uint32_t node) const {
        const std::uint32_t row = std::uint32_t(strides_[1]), slice = std::uint32_t(strides_[2]);
        return field_.grid.position(int(node % row), int(node % slice / row), int(node / slice));
    }

    void emitTriangle(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint16_t slot) {
        scratch_.triangles[triangleCount_] = {a, b, c};
        scratch_.slots[triangleCount_++] = slot;
    }

    // Emits a quad of vertices that may have the mark kSharp. It is split along the diagonal that follows a sharp edge, else
    // along the shorter one.
    void emitQuad(const std::uint32_t* marked, bool isForward, std::uint16_t slot) {
        const std::uint32_t v[4] = {marked[0] & kNumber, marked[1] & kNumber, marked[2] & kNumber, marked[3] & kNumber};
        const std::uint32_t sharp02 = marked[0] & marked[2] & kSharp, sharp13 = marked[1] & marked[3] & kSharp;
        const bool is02Shorter = isShorter(vertices_[v[0]], vertices_[v[2]], vertices_[v[1]], vertices_[v[3]]);
        const bool along02 = (sharp02 > sharp13) | ((sharp02 == sharp13) & is02Shorter);
        const std::uint32_t b = choose(isForward, v[1], v[3]), d = choose(isForward, v[3], v[1]);
        scratch_.sharpTriangles[sharpCount_] = std::uint32_t(triangleCount_);
        scratch_.sharpTriangles[sharpCount_ + 1] = std::uint32_t(triangleCount_) + 1;
        sharpCount_ += ((marked[0] | marked[1] | marked[2] | marked[3]) & kSharp) / (kSharp / 2);
        emitTriangle(v[0], b, choose(along02, v[2], d), slot);
        emitTriangle(choose(along02, v[0], b), v[2], d, slot);
    }

    // Whether a0 and a1 are no farther apart than b0 and b1. The fourth lane holds the number after the position.
    static bool isShorter(const SurfaceVertex& a0, const SurfaceVertex& a1, const SurfaceVertex& b0, const SurfaceVertex& b1) {
        const auto load = [](const SurfaceVertex& vertex) {
            static_assert(sizeof(SurfaceVertex) >= sizeof(Quad) && offsetof(SurfaceVertex, position) == 0);
            Quad four;
            std::memcpy(&four, &vertex, sizeof four);
            return four;
        };
        const Quad a = load(a1) - load(a0), b = load(b1) - load(b0), a2 = a * a, b2 = b * b;
        const Quad xy = __builtin_shufflevector(a2, b2, 0, 4, 1, 5), z = __builtin_shufflevector(a2, b2, 2, 6, 2, 6);
        const Quad sums = xy + __builtin_shufflevector(xy, xy, 2, 3, 2, 3) + z;
        return sums[0] <= sums[1];
    }

    // Emits the quad as a fan around the crossing, with a vertex in the middle of each edge that two sheets of the surface
    // would share.
    void emitPinched(std::uint32_t node, int axis, const std::uint32_t* marked, bool isForward, std::uint16_t slot) {
        const std::uint32_t v[4] = {marked[0] & kNumber, marked[1] & kNumber, marked[2] & kNumber, marked[3] & kNumber};
        std::uint32_t loop[8];
        int count = 0;
        for (int i = 0; i < 4; ++i) {
            loop[count++] = v[i];
            const int next = (i + 1) % 4;
            // Neighbours in the ring differ along axis a + 1 (i even) or a + 2 (i odd); the side between them is normal to it.
            const int normal = (axis + (i % 2 == 0 ? 1 : 2)) % 3;
            const bool rises = i < 2;  // from the low to the high cell
            const unsigned fromBit = 1u << (2 * normal + (rises ? 1 : 0)), toBit = 1u << (2 * normal + (rises ? 0 : 1));
            if ((kCellSheets[vertices_[v[i]].corners].pinchedSides & fromBit) != 0 &&
                (kCellSheets[vertices_[v[next]].corners].pinchedSides & toBit) != 0)
                loop[count++] = middleVertex(node, axis, normal, i, isForward);
        }
        if (count == 4) {
            emitQuad(marked, isForward, slot);
            return;
        }
        const SurfaceCrossing at = crossing(node, axis, isForward);
        const std::uint32_t hub = addVertex(at.point, mesh_.normals[v[0]]);
        // Room for two triangles is there already.
        makeRoom(room_ + std::size_t(count) - 2);
        for (int i = 0; i < count; ++i) {
            const std::uint32_t a = loop[i], b = loop[(i + 1) % count];
            scratch_.sharpTriangles[sharpCount_++] = std::uint32_t(triangleCount_);
            emitTriangle(hub, isForward ? a : b, isForward ? b : a, slot);
        }
    }

    // On a side with four crossings the surface passes between the two that meet in one inside corner: the inside end of this
    // edge.
    std::uint32_t middleVertex(std::uint32_t node, int axis, int normal, int ringEdge, bool isForward) {
        const std::uint32_t inside = isForward ? node : node + std::uint32_t(strides_[axis]);
        // The side is spanned by `axis` and the remaining axis, and lies on the low or the high side of the edge along it.
        const int other = 3 - axis - normal;
        const bool isLow = ringEdge == 0 || ringEdge == 3;
        const std::uint32_t neighbor = inside + (isLow ? -std::uint32_t(strides_[other]) : std::uint32_t(strides_[other]));
        const std::uint32_t lowest = isLow ? node - std::uint32_t(strides_[other]) : node;  // corner of the side
        const std::uint64_t key = (std::uint64_t(inside) << 32 | lowest) * 3 + std::uint64_t(normal);
        const auto [found, isNew] = middles_.try_emplace(key, 0);
        if (isNew) {
            const Vec3 p0 = crossing(node, axis, isForward).point;
            const Real a = Real(field_.values[inside]), b = Real(field_.values[neighbor]);
            const Vec3 p1 = positionOf(inside) + (positionOf(neighbor) - positionOf(inside)) * (a / (a - b));
            found->second = addVertex((p0 + p1) * Real(0.5), normalizeOr(p0 + p1 - positionOf(inside) * 2, {0, 1, 0}));
        }
        return found->second;
    }

    std::uint32_t addVertex(const Vec3& position, const Vec3& normal) {
        mesh_.positions.push_back(position);
        mesh_.normals.push_back(normal);
        scratch_.isSharp.push_back(1);
        return std::uint32_t(mesh_.positions.size() - 1);
    }

    const LevelSet<Stored>& field_;
    std::span<const SurfaceVertex> vertices_;
    const Slots& slots_;
    std::array<std::ptrdiff_t, 5> strides_;  // of x, y, z, and x, y again
    Scratch& scratch_;
    std::size_t sharpCount_ = 0;  // of triangles with a sharp point
    std::map<std::uint64_t, std::uint32_t> middles_;
    SurfaceMesh mesh_;
    std::size_t triangleCount_ = 0, room_ = 0;  // triangles in use, and room for triangles
};

}  // namespace

template <class Stored>
SurfaceMesh extractSurface(const LevelSet<Stored>& field, std::span<const SurfaceVertex> vertices, const SlotOf& slotOf) {
    return Extractor<Stored, SlotOf>(field, vertices, slotOf).run();
}

template <class Stored>
SurfaceMesh extractCutSurface(const LevelSet<Stored>& field, std::span<const SurfaceVertex> vertices,
                              const CutNodes& cutNodes) {
    return Extractor<Stored, CutNodes>(field, vertices, cutNodes).run();
}

template SurfaceMesh extractSurface<std::int8_t>(const LevelSet8&, std::span<const SurfaceVertex>, const SlotOf&);
template SurfaceMesh extractSurface<std::int16_t>(const LevelSet16&, std::span<const SurfaceVertex>, const SlotOf&);
template SurfaceMesh extractCutSurface<std::int8_t>(const LevelSet8&, std::span<const SurfaceVertex>, const CutNodes&);
template SurfaceMesh extractCutSurface<std::int16_t>(const LevelSet16&, std::span<const SurfaceVertex>, const CutNodes&);

}  // namespace sunder::geometry
