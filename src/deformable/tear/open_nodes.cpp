#include "deformable/tear/open_nodes.h"

#include <algorithm>

#include "core/union_find.h"

namespace sunder::deformable {

namespace {

using geometry::kNoTet;

// The faces of a solid while nodes open.
class FaceCuts {
public:
    FaceCuts(const SolidModel& model, std::uint32_t smallestPiece)
        : model_(model),
          smallest_(smallestPiece),
          isCut_(model.tetCount()),
          isAbove_(model.tetCount()),
          seen_(model.tetCount()) {}

    // Cuts the faces at a node that lie between its sides; false where there are none, or the pieces would be too small.
    bool open(const NodeTension& at, std::span<const Vec3> positions) {
        const NodeGraph& graph = model_.graph;
        const std::uint32_t begin = graph.firstCorner[at.node], end = graph.firstCorner[at.node + 1];
        for (std::uint32_t c = begin; c < end; ++c)
            isAbove_[graph.cornerList[c][0]] = isAbove(graph.cornerList[c][0], at, positions);
        made_.clear();
        for (std::uint32_t c = begin; c < end; ++c)
            cutBelow(graph.cornerList[c][0], graph.cornerList[c][1]);
        for (std::uint32_t c = begin; c < end && !made_.empty(); ++c)
            mendCrumb(graph.cornerList[c][0]);
        return !made_.empty();
    }

    // Cuts the faces between the tetrahedra on both sides of a plane.
    void cutAlong(const Vec3& point, const Vec3& normal, std::span<const Vec3> positions) {
        for (std::uint32_t t = 0; t < model_.tetCount(); ++t) {
            Vec3 sum;
            for (const std::uint32_t node : model_.mesh.tets[t])
                sum += positions[node] - point;
            isAbove_[t] = dot(sum, normal) > 0;
        }
        made_.clear();
        for (std::uint32_t t = 0; t < model_.tetCount(); ++t)
            cutBelow(t, kNoCorner);
        const std::vector<Face> made = made_;  // those that are mended leave the list
        for (const Face& face : made) {
            mendCrumb(face.tet);
            mendCrumb(face.other);
        }
    }

    // The tetrahedron across a face that is not cut.
    std::uint32_t across(std::uint32_t tet, int face) const {
        return (isCut_[tet] >> face & 1) != 0 ? kNoTet : model_.neighbors.across[tet][std::size_t(face)];
    }

private:
    static constexpr std::uint32_t kNoCorner = 4;

    struct Face {
        std::uint32_t tet, other;
        int face, otherFace;
    };

    bool isAbove(std::uint32_t tet, const NodeTension& at, std::span<const Vec3> positions) const {
        Vec3 sum;
        for (const std::uint32_t node : model_.mesh.tets[tet])
            sum += positions[node] - positions[at.node];
        return dot(sum, at.normal) > 0;
    }

    int faceTowards(std::uint32_t tet, std::uint32_t other) const {
        for (int face = 0; face < 4; ++face)
            if (model_.neighbors.across[tet][std::size_t(face)] == other)
                return face;
        return -1;
    }

    void cutBelow(std::uint32_t tet, std::uint32_t corner) {
        if (isAbove_[tet] == 0)
            return;
        for (int face = 0; face < 4; ++face) {
            const std::uint32_t other = across(tet, face);
            if (face == int(corner) || other == kNoTet || isAbove_[other] != 0)
                continue;
            made_.push_back({tet, other, face, faceTowards(other, tet)});
            set(made_.back(), true);
        }
    }

    void set(const Face& face, bool isCut) {
        const auto one = static_cast<std::uint8_t>(1u << face.face), two = static_cast<std::uint8_t>(1u << face.otherFace);
        isCut_[face.tet] = static_cast<std::uint8_t>(isCut ? isCut_[face.tet] | one : isCut_[face.tet] & ~one);
        isCut_[face.other] = static_cast<std::uint8_t>(isCut ? isCut_[face.other] | two : isCut_[face.other] & ~two);
    }

    // Where fewer than `smallest_` tetrahedra hang together with this one, the cut around them is undone.
    void mendCrumb(std::uint32_t tet) {
        ++stamp_;
        reached_.assign(1, tet);
        seen_[tet] = stamp_;
        for (std::size_t i = 0; i < reached_.size() && reached_.size() < smallest_; ++i)
            for (int face = 0; face < 4; ++face)
                if (const std::uint32_t next = across(reached_[i], face); next != kNoTet && seen_[next] != stamp_) {
                    seen_[next] = stamp_;
                    reached_.push_back(next);
                }
        if (reached_.size() >= smallest_)
            return;
        std::erase_if(made_, [&](const Face& face) {
            const bool isMended = seen_[face.tet] == stamp_ || seen_[face.other] == stamp_;
            if (isMended)
                set(face, false);
            return isMended;
        });
    }

    const SolidModel& model_;
    std::uint32_t smallest_;
    std::vector<std::uint8_t> isCut_;  // per tetrahedron: bits of its faces
    std::vector<std::uint8_t> isAbove_;
    std::vector<std::uint32_t> seen_;
    std::uint32_t stamp_ = 0;
    std::vector<Face> made_;  // by the node at hand
    std::vector<std::uint32_t> reached_;
};

int cornerOf(const geometry::TetCorners& tet, std::uint32_t node) {
    return int(std::find(tet.begin(), tet.end(), node) - tet.begin());
}

// Which corners of tetrahedra are still the same node: items are 4 tet + corner.
UnionFind joinCorners(const SolidModel& model, const FaceCuts& cuts) {
    UnionFind corners(4 * model.tetCount());
    for (std::uint32_t t = 0; t < model.tetCount(); ++t)
        for (int face = 0; face < 4; ++face) {
            const std::uint32_t other = cuts.across(t, face);
            if (other == kNoTet || other < t)
                continue;
            for (int k = 0; k < 4; ++k)
                if (k != face)
                    corners.join(
                        4 * t + std::uint32_t(k),
                        4 * other + std::uint32_t(cornerOf(model.mesh.tets[other], model.mesh.tets[t][std::size_t(k)])));
        }
    return corners;
}

// A face is open where its two tetrahedra have become different at one of its corners.
bool isOpen(const SolidModel& model, UnionFind& corners, std::uint32_t tet, int face, std::uint32_t other) {
    for (int k = 0; k < 4; ++k)
        if (k != face) {
            const int mirror = cornerOf(model.mesh.tets[other], model.mesh.tets[tet][std::size_t(k)]);
            if (corners.root(4 * tet + std::uint32_t(k)) != corners.root(4 * other + std::uint32_t(mirror)))
                return true;
        }
    return false;
}

OpenedFace openedFace(const SolidModel& model, std::uint32_t tet, int face) {
    const auto corners = geometry::faceOf(model.mesh.tets[tet], face);
    const std::vector<Vec3>& p = model.mesh.vertices;
    return {{corners[0], corners[1], corners[2]},
            length(cross(p[corners[1]] - p[corners[0]], p[corners[2]] - p[corners[0]])) / 2};
}

// Tetrahedra that hang together; lists the faces that opened.
UnionFind joinTets(const SolidModel& model, UnionFind& corners, std::vector<OpenedFace>& opened) {
    UnionFind tets(model.tetCount());
    for (std::uint32_t t = 0; t < model.tetCount(); ++t)
        for (int face = 0; face < 4; ++face) {
            const std::uint32_t other = model.neighbors.across[t][std::size_t(face)];
            if (other == kNoTet || other < t)
                continue;
            if (isOpen(model, corners, t, face, other))
                opened.push_back(openedFace(model, t, face));
            else
                tets.join(t, other);
        }
    return tets;
}

void takeParts(const SolidModel& model, UnionFind& corners, UnionFind& tets, std::vector<SolidPart>& parts) {
    std::vector<std::uint32_t> partOf(model.tetCount(), kNoTet), nodeOf(4 * model.tetCount(), kNoTet);
    for (std::uint32_t t = 0; t < model.tetCount(); ++t) {
        std::uint32_t& number = partOf[tets.root(t)];
        if (number == kNoTet) {
            number = static_cast<std::uint32_t>(parts.size());
            parts.emplace_back();
        }
        SolidPart& part = parts[number];
        geometry::TetCorners& made = part.mesh.tets.emplace_back();
        part.tetFrom.push_back(t);
        for (std::uint32_t k = 0; k < 4; ++k) {
            std::uint32_t& node = nodeOf[corners.root(4 * t + k)];
            if (node == kNoTet) {
                node = static_cast<std::uint32_t>(part.nodeFrom.size());
                part.nodeFrom.push_back(model.mesh.tets[t][k]);
                part.mesh.vertices.push_back(model.mesh.vertices[model.mesh.tets[t][k]]);
            }
            made[k] = node;
        }
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const SolidPart& a, const SolidPart& b) { return a.tetFrom.size() > b.tetFrom.size(); });
}

// The parts that the cuts leave. Where all was mended nothing has torn.
void finish(const SolidModel& model, const FaceCuts& cuts, Torn& torn) {
    UnionFind corners = joinCorners(model, cuts);
    UnionFind tets = joinTets(model, corners, torn.faces);
    for (const OpenedFace& face : torn.faces)
        torn.area += double(face.area);
    if (torn.area > 0)
        takeParts(model, corners, tets, torn.parts);
    else
        torn.openedNodes = 0;
}

}  // namespace

Torn openNodes(const SolidModel& model, std::span<const Vec3> positions, std::span<const NodeTension> tensions,
               const TearLimits& limits) {
    Torn torn;
    FaceCuts cuts(model, limits.smallestPiece);
    OpeningOrder order(model, tensions, limits.residual);
    while (!order.isEmpty() && torn.openedNodes < limits.mostNodes) {
        const NodeTension tension = order.take();
        if (!cuts.open(tension, positions))
            continue;
        if (torn.openedNodes++ == 0)
            torn.first = tension;
        order.handOn(tension, positions);
    }
    if (torn.openedNodes == 0)
        return torn;
    finish(model, cuts, torn);
    return torn;
}

Torn cutAlong(const SolidModel& model, std::span<const Vec3> positions, const Vec3& point, const Vec3& normal,
              std::uint32_t smallestPiece) {
    Torn torn;
    FaceCuts cuts(model, smallestPiece);
    cuts.cutAlong(point, normal, positions);
    finish(model, cuts, torn);
    if (torn.parts.empty())
        return torn;
    torn.first = {torn.faces.front().node[0], 0, normal};
    torn.openedNodes = torn.faces.size();
    return torn;
}

}  // namespace sunder::deformable
