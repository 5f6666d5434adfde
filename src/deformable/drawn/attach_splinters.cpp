// Which tetrahedra carry the corners of splinters.
#include <algorithm>

#include "deformable/drawn/splinters.h"
#include "geometry/static_tree.h"

namespace sunder::deformable {

namespace {

using geometry::kNoTet;

constexpr std::uint32_t kTetsPerLeaf = 4;
// Share of the surface's mean edge: tetrahedra this near to a splinter may carry its corners.
constexpr Real kNear = Real(0.75);

// Weights of the nodes of a tetrahedron, at rest, that make up a point.
std::array<Real, 4> weightsIn(const SolidModel& model, std::uint32_t tet, const Vec3& p) {
    const geometry::TetCorners& t = model.mesh.tets[tet];
    const std::vector<Vec3>& x = model.mesh.vertices;
    const Vec3 a = x[t[1]] - x[t[0]], b = x[t[2]] - x[t[0]], c = x[t[3]] - x[t[0]], d = p - x[t[0]];
    const double det = double(dot(a, cross(b, c)));
    const Real wa = Real(double(dot(d, cross(b, c))) / det), wb = Real(double(dot(d, cross(c, a))) / det),
               wc = Real(double(dot(d, cross(a, b))) / det);
    return {1 - wa - wb - wc, wa, wb, wc};
}

Real leastOf(const std::array<Real, 4>& weights) { return *std::min_element(weights.begin(), weights.end()); }

Bounds boundsOfTet(const SolidModel& model, std::uint32_t tet) {
    Bounds bounds;
    for (const std::uint32_t node : model.mesh.tets[tet])
        bounds = unite(bounds, model.mesh.vertices[node]);
    return bounds;
}

// Tetrahedra near a splinter that hang together with its own.
class Surroundings {
public:
    explicit Surroundings(const SolidModel& model) : model_(model), seen_(model.tetCount(), 0) {}

    const std::vector<std::uint32_t>& around(const Splinter& splinter, std::uint32_t owner) {
        Bounds box;
        for (const Vec3& corner : splinter.corners)
            box = unite(box, corner);
        box = expand(box, kNear * model_.cell);
        ++stamp_;
        found_.assign(1, owner);
        seen_[owner] = stamp_;
        for (std::size_t i = 0; i < found_.size(); ++i)
            for (const std::uint32_t next : model_.neighbors.across[found_[i]])
                if (next != kNoTet && seen_[next] != stamp_ && overlaps(box, boundsOfTet(model_, next))) {
                    seen_[next] = stamp_;
                    found_.push_back(next);
                }
        return found_;
    }

private:
    const SolidModel& model_;
    std::vector<std::uint32_t> seen_;
    std::uint32_t stamp_ = 0;
    std::vector<std::uint32_t> found_;
};

struct Place {
    std::uint32_t tet = 0;
    std::array<Real, 4> weights{};
};

// The tetrahedron in which a corner lies, or the one that it is least outside of.
Place placeOf(const SolidModel& model, const Vec3& corner, std::uint32_t owner, std::span<const std::uint32_t> near) {
    Place best{owner, weightsIn(model, owner, corner)};
    for (const std::uint32_t tet : near)
        if (const std::array<Real, 4> other = weightsIn(model, tet, corner); leastOf(other) > leastOf(best.weights))
            best = {tet, other};
    return best;
}

// Two triangles for each face of a hexahedron, counter-clockwise from outside. Faces have vertices of their own, so that they
// are drawn flat.
constexpr std::uint32_t kFaces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

}  // namespace

std::vector<std::uint32_t> ownersOf(const SolidModel& model, std::span<const Splinter> splinters) {
    std::vector<Bounds> boxes;
    for (std::uint32_t t = 0; t < model.tetCount(); ++t)
        boxes.push_back(boundsOfTet(model, t));
    const geometry::StaticTree tree(boxes, kTetsPerLeaf);
    std::vector<std::uint32_t> owners;
    for (const Splinter& splinter : splinters) {
        const Vec3 middle = splinter.middle();
        std::uint32_t best = 0;
        Real most = -std::numeric_limits<Real>::infinity();
        const auto look = [&](std::uint32_t tet) {
            if (const Real least = leastOf(weightsIn(model, tet, middle)); least > most || (least == most && tet < best)) {
                most = least;
                best = tet;
            }
        };
        tree.overlapping(expand(Bounds{middle, middle}, model.cell * Real(0.01)), look);
        for (std::uint32_t t = 0; most == -std::numeric_limits<Real>::infinity() && t < model.tetCount(); ++t)
            look(t);
        owners.push_back(best);
    }
    return owners;
}

SplinterSkin attachSplinters(const SolidModel& model, std::span<const Splinter> splinters,
                             std::span<const std::uint32_t> owner) {
    SplinterSkin skin;
    Surroundings surroundings(model);
    for (std::uint32_t s = 0; s < splinters.size(); ++s) {
        const std::vector<std::uint32_t>& near = surroundings.around(splinters[s], owner[s]);
        std::array<Place, 8> places;
        for (std::size_t k = 0; k < 8; ++k)
            places[k] = placeOf(model, splinters[s].corners[k], owner[s], near);
        for (const auto& face : kFaces) {
            const auto first = static_cast<std::uint32_t>(skin.tet.size());
            for (const std::uint32_t corner : face) {
                skin.tet.push_back(places[corner].tet);
                skin.weight.push_back(places[corner].weights);
                skin.splinterOf.push_back(s);
            }
            skin.triangles.push_back({first, first + 1, first + 2});
            skin.triangles.push_back({first, first + 2, first + 3});
        }
    }
    return skin;
}

std::vector<Vec3> SplinterSkin::place(const SolidModel& model, std::span<const Vec3> positions) const {
    std::vector<Vec3> placed(tet.size());
    for (std::size_t i = 0; i < tet.size(); ++i)
        for (std::size_t k = 0; k < 4; ++k)
            placed[i] += positions[model.mesh.tets[tet[i]][k]] * weight[i][k];
    return placed;
}

}  // namespace sunder::deformable
