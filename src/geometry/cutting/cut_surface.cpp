#include "geometry/cutting/cut_surface.h"

#include <algorithm>
#include <optional>

#include "core/union_find.h"
#include "geometry/cutting/cut_polygons.h"
#include "geometry/level_set/winding_number.h"

namespace sunder::geometry {
namespace {

constexpr std::uint32_t kUnknown = 0xffffffffu;

// Labels of points; points joined by an edge that nothing crosses share a label.
class PointLabels {
public:
    explicit PointLabels(std::size_t count) : joined_(count), label_(count, kUnknown) {}
    void join(std::uint32_t a, std::uint32_t b) { joined_.join(a, b); }
    // Call after all joins. False where the point already has another label.
    bool set(std::uint32_t point, std::uint32_t label) {
        std::uint32_t& known = label_[joined_.root(point)];
        const bool fits = known == kUnknown || known == label;
        known = label;
        return fits;
    }
    std::uint32_t at(std::uint32_t point) { return label_[joined_.root(point)]; }

private:
    UnionFind joined_;
    std::vector<std::uint32_t> label_;  // by root
};

class Cutter {
public:
    Cutter(const ClosedSurface& surface, const CellComplex& complex)
        : surface_(surface),
          complex_(complex),
          cut_(findCrossings(surface, complex)),
          nodes_(surface, complex, cut_),
          tracer_(surface, complex, cut_, nodes_) {
        numberSeams();
    }

    bool run(const std::function<std::uint32_t(const Vec3d&)>& labelAt) { return cutTriangles(labelAt) && cutFaces(); }

    Fragments take() {
        for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
            fragments_.nodes.push_back(nodes_.position(node));
            NodePlace place;
            if (nodes_.isCrossing(node)) {
                const Crossing& crossing = cut_.crossings[nodes_.crossing(node)];
                place = crossing.onSurfaceEdge ? NodePlace{NodePlace::Kind::Edge, crossing.edge}
                                               : NodePlace{NodePlace::Kind::Triangle, crossing.triangle};
            } else if (node < surface_.points.size()) {
                place = {NodePlace::Kind::Point, node};
            }
            fragments_.places.push_back(place);
        }
        fragments_.seamCount = seamCount_;
        return std::move(fragments_);
    }

private:
    void numberSeams() {
        for (std::uint32_t edge = 0; edge < surface_.edges.size(); ++edge) {
            surfaceSeams_.push_back(seamCount_);
            seamCount_ += std::uint32_t(cut_.onSurfaceEdge[edge].size()) + 1;
        }
        for (std::uint32_t edge = 0; edge < complex_.edges.size(); ++edge) {
            complexSeams_.push_back(seamCount_);
            seamCount_ += (std::uint32_t(cut_.onComplexEdge[edge].size()) + 1) * complex_.edges[edge].faceCount;
        }
        segmentSeams_ = seamCount_;
        seamCount_ += 2 * std::uint32_t(cut_.segments.size());
    }

    // The label to the left of a piece of a segment: of the surface, the cell; of a face, 1 inside the surface, 0 outside.
    std::uint32_t labelLeft(const LoopEdge& edge, bool isFace) const {
        if (isFace)
            return edge.isForward ? 0 : 1;
        const CellComplex::Face& face = complex_.faces[cut_.segments[edge.segment].face];
        return edge.isForward ? face.back : face.front;
    }

    // Labels of the loops; false where a loop has two.
    bool labelLoops(const std::vector<FaceLoop>& loops, bool isFace) {
        labels_.assign(loops.size(), kUnknown);
        for (std::size_t i = 0; i < loops.size(); ++i)
            for (const LoopEdge& edge : loops[i].edges) {
                if (edge.segment == LoopEdge::kNone)
                    continue;
                const std::uint32_t label = labelLeft(edge, isFace);
                if (labels_[i] != kUnknown && labels_[i] != label)
                    return false;
                labels_[i] = label;
            }
        return true;
    }

    // Cuts one triangle or face that segments pass through. Waits: its outline has no label yet.
    enum class Outcome { Done, Waits, Fails };
    Outcome cutOne(std::uint32_t number, bool isFace, PointLabels& labels, bool mayWait) {
        const bool isTraced = isFace ? tracer_.traceFace(number, loops_) : tracer_.traceTriangle(number, loops_);
        if (!isTraced || !labelLoops(loops_, isFace))
            return Outcome::Fails;
        const std::uint32_t first = isFace ? nodes_.ofComplex(0) : 0;
        const std::vector<Vec3d>& points = isFace ? complex_.points : surface_.points;
        const auto& [a, b, c] = isFace ? complex_.faces[number].points : surface_.triangles[number];
        const std::array<Vec3d, 3> corners{points[a], points[b], points[c]};
        for (std::size_t i = 0; i < loops_.size(); ++i) {
            if (labels_[i] == kUnknown && mayWait)
                return Outcome::Waits;
            if (labels_[i] == kUnknown)
                labels_[i] = labels.at(a) != kUnknown ? labels.at(a) : outlineLabel(loops_, labels_, nodes_, corners);
        }
        for (std::size_t i = 0; i < loops_.size(); ++i)
            for (const LoopEdge& edge : loops_[i].edges)
                if (!nodes_.isCrossing(edge.from) && !labels.set(edge.from - first, labels_[i]))
                    return Outcome::Fails;
        makePolygons(loops_, labels_, nodes_, corners, polygons_);
        for (const CutPolygon& polygon : polygons_)
            if (!isFace)
                addFragment(polygon, polygon.label, false, number, false);
            else if (polygon.label == 1)
                addBothSides(polygon, number);
        return Outcome::Done;
    }

    bool cutAll(const Lists& segments, bool isFace, PointLabels& labels) {
        std::vector<std::uint32_t> waiting;
        for (std::uint32_t number = 0; number + 1 < segments.first.size(); ++number) {
            if (segments[number].empty())
                continue;
            const Outcome outcome = cutOne(number, isFace, labels, true);
            if (outcome == Outcome::Fails)
                return false;
            if (outcome == Outcome::Waits)
                waiting.push_back(number);
        }
        return std::all_of(waiting.begin(), waiting.end(),
                           [&](std::uint32_t number) { return cutOne(number, isFace, labels, false) == Outcome::Done; });
    }

    bool cutTriangles(const std::function<std::uint32_t(const Vec3d&)>& labelAt) {
        PointLabels labels(surface_.points.size());
        for (std::uint32_t edge = 0; edge < surface_.edges.size(); ++edge)
            if (cut_.onSurfaceEdge[edge].empty())
                labels.join(surface_.edges[edge].from, surface_.edges[edge].to);
        if (!cutAll(cut_.ofTriangle, false, labels))
            return false;
        for (std::uint32_t triangle = 0; triangle < surface_.triangles.size(); ++triangle) {
            if (!cut_.ofTriangle[triangle].empty())
                continue;
            const std::uint32_t point = surface_.triangles[triangle][0];
            if (labels.at(point) == kUnknown)
                labels.set(point, labelAt(surface_.points[point]));
            addWhole(triangle, labels.at(point));
        }
        return true;
    }

    bool cutFaces() {
        PointLabels inside(complex_.points.size());
        for (std::uint32_t edge = 0; edge < complex_.edges.size(); ++edge)
            if (cut_.onComplexEdge[edge].empty())
                inside.join(complex_.edges[edge].from, complex_.edges[edge].to);
        if (!cutAll(cut_.ofFace, true, inside))
            return false;
        for (std::uint32_t face = 0; face < complex_.faces.size(); ++face) {
            if (!cut_.ofFace[face].empty())
                continue;
            const std::uint32_t point = complex_.faces[face].points[0];
            if (inside.at(point) == kUnknown)
                inside.set(point, isInside(complex_.points[point]) ? 1 : 0);
            if (inside.at(point) != 1)
                continue;
            tracer_.traceFace(face, loops_);
            addBothSides(wholePolygon(loops_[0]), face);
        }
        return true;
    }

    // For parts of the complex that do not cross the surface.
    bool isInside(const Vec3d& point) {
        if (!winding_)
            winding_.emplace(surface_.points, surface_.triangles);
        return winding_->isInside(point);
    }

    static CutPolygon wholePolygon(const FaceLoop& loop) {
        CutPolygon polygon;
        for (const LoopEdge& edge : loop.edges)
            polygon.corners.push_back({edge, false});
        return polygon;
    }

    // The piece behind a face sees its front, and the reverse.
    void addBothSides(const CutPolygon& polygon, std::uint32_t face) {
        addFragment(polygon, complex_.faces[face].back, true, face, false);
        addFragment(polygon, complex_.faces[face].front, true, face, true);
    }

    // A triangle that nothing crosses.
    void addWhole(std::uint32_t triangle, std::uint32_t label) {
        fragments_.all.push_back({label, false, false, triangle, std::uint32_t(fragments_.corners.size()), 3});
        for (std::size_t i = 0; i < 3; ++i)
            fragments_.corners.push_back({surface_.triangles[triangle][i], surfaceSeams_[surface_.triangleEdges[triangle][i]]});
    }

    std::uint32_t seamOf(const LoopEdge& edge, bool isFace, std::uint32_t source, bool isFront) const {
        if (edge.segment != LoopEdge::kNone)
            return segmentSeams_ + 2 * edge.segment + (isFace ? isFront : !edge.isForward);
        if (!isFace)
            return surfaceSeams_[surface_.triangleEdges[source][edge.side]] + edge.stretch;
        // The wedge between two faces about the edge has the number of the face before it.
        const std::uint32_t number = complex_.faceEdges[source][edge.side];
        const CellComplex::Edge& complexEdge = complex_.edges[number];
        const std::uint32_t* fan = &complex_.fans[complexEdge.firstInFan];
        const std::uint32_t size = complexEdge.faceCount;
        const std::uint32_t at = std::uint32_t(std::find(fan, fan + size, source) - fan);
        const bool isAlong = complexEdge.from == complex_.faces[source].points[edge.side];
        const std::uint32_t wedge = isFront == isAlong ? at : (at + size - 1) % size;
        return complexSeams_[number] + edge.stretch * size + wedge;
    }

    void addFragment(const CutPolygon& polygon, std::uint32_t piece, bool isFace, std::uint32_t source, bool isFront) {
        const std::uint32_t count = std::uint32_t(polygon.corners.size()), first = std::uint32_t(fragments_.corners.size());
        fragments_.all.push_back({piece, isFace, isFront, source, first, count});
        for (std::uint32_t i = 0; i < count; ++i) {
            // Seen from the other side the corners come in opposite order, and an edge belongs to its other end.
            const CutPolygon::Corner& corner = polygon.corners[isFront ? count - 1 - i : i];
            const CutPolygon::Corner& edge = isFront ? polygon.corners[(2 * count - 2 - i) % count] : corner;
            fragments_.corners.push_back(
                {corner.edge.from, edge.isSlit ? Fragments::kNoSeam : seamOf(edge.edge, isFace, source, isFront)});
        }
    }

    const ClosedSurface& surface_;
    const CellComplex& complex_;
    const Crossings cut_;
    const NodeNumbers nodes_;
    LoopTracer tracer_;
    std::vector<std::uint32_t> surfaceSeams_, complexSeams_;  // by edge
    std::uint32_t segmentSeams_ = 0, seamCount_ = 0;
    Fragments fragments_;
    std::optional<WindingNumber> winding_;
    // Scratch.
    std::vector<FaceLoop> loops_;
    std::vector<std::uint32_t> labels_;
    std::vector<CutPolygon> polygons_;
};

}  // namespace

Fragments cutIntoFragments(const SurfaceMesh& surface, const CellComplex& complex,
                           const std::function<std::uint32_t(const Vec3d&)>& labelAt) {
    Fragments result;
    ClosedSurface closed = closedSurface(surface);
    if (!closed.error.empty()) {
        result.error = "the surface is not closed: " + closed.error;
        return result;
    }
    {
        Cutter cutter(closed, complex);
        if (cutter.run(labelAt))
            result = cutter.take();
        else
            result.error = "the cells do not fit together, or end within the surface";
    }
    result.surface = std::move(closed);
    return result;
}

}  // namespace sunder::geometry
