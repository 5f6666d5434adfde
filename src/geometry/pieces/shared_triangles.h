// The triangles of all pieces of a cut at once: a crack's are there once, for both of its sides. Seen so, each piece is closed
// whatever happens to the nodes, because every change replaces triangles by others with the same outline.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "math/vec3d.h"

namespace sunder::geometry {

struct SharedTriangle {
    static constexpr std::uint32_t kOutside = 0xffffffffu;
    std::array<std::uint32_t, 3> nodes{};      // counter-clockwise from the front
    std::uint32_t back = 0, front = kOutside;  // pieces; the normal leads from the one behind to the one in front
    std::uint32_t source = 0;                  // triangle of the old surface; for cracks the number of the face
    Vec3d normal;                              // unit: of the face that it is part of

    bool isCrack() const { return front != kOutside; }
    bool has(std::uint32_t node) const { return nodes[0] == node || nodes[1] == node || nodes[2] == node; }
    SharedTriangle reversed() const { return {{nodes[0], nodes[2], nodes[1]}, front, back, source, normal * -1.0}; }
};

class SharedTriangles {
public:
    SharedTriangles(std::vector<SharedTriangle> triangles, std::size_t nodes, std::uint32_t pieces);

    // Triangles to take away and to put in their place. A new triangle with the nodes of another is merged with it, since there
    // is no volume between them.
    struct Change {
        std::vector<std::uint32_t> removed;
        std::vector<SharedTriangle> added;
    };
    // What the change comes to. None where a piece would vanish, the outside be closed in, or an edge get more than two
    // triangles of a piece that had no more before.
    std::optional<Change> settle(Change change) const;
    // Numbers of the new triangles are the last ones.
    void apply(const Change& change);
    // One more node, without triangles yet.
    std::uint32_t addNode();

    std::size_t size() const { return all_.size(); }
    bool isThere(std::uint32_t i) const { return isThere_[i] != 0; }
    const SharedTriangle& operator[](std::uint32_t i) const { return all_[i]; }
    std::span<const std::uint32_t> at(std::uint32_t node) const {
        if (changedAt_[node] != kUnchanged)
            return changed_[changedAt_[node]];
        return {first_.data() + firstAt_[node], first_.data() + firstAt_[node + 1]};
    }
    bool hasEdge(std::uint32_t a, std::uint32_t b) const;
    std::vector<std::uint32_t> atEdge(std::uint32_t a, std::uint32_t b) const;

private:
    bool joinEqual(Change& change) const;
    bool keepsPieces(const Change& change) const;
    bool keepsEdges(const Change& change) const;

    std::vector<SharedTriangle> all_;
    std::vector<std::uint8_t> isThere_;
    // Triangles by node: those at first, one node's after the other's, and the lists of nodes at which something has changed.
    static constexpr std::uint32_t kUnchanged = 0xffffffffu;
    std::vector<std::uint32_t>& changedAt(std::uint32_t node);
    std::vector<std::uint32_t> first_, firstAt_;
    std::vector<std::uint32_t> changedAt_;  // by node: into changed_
    std::vector<std::vector<std::uint32_t>> changed_;
    std::vector<std::uint32_t> countOf_;  // by piece
};

}  // namespace sunder::geometry
