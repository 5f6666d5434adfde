#include "collision/validate_shape.h"

#include <algorithm>

#include "collision/built_shape.h"
#include "geometry/convex_hull.h"
#include "geometry/shell/shell_walls.h"
#include "sunder/describe.h"

namespace sunder {

namespace collision {

namespace {

// m. Smaller shapes are below the contact tolerances; in larger ones float coordinates are coarser than a centimetre.
constexpr double kSmallestSize = 1e-5, kLargestSize = 1e5;
// A broken mesh could give thousands of messages; the first ones suffice.
constexpr std::size_t kMaxMessages = 16;
// Deeper nesting is a mistake, and the recursion must end.
constexpr int kMaxNesting = 32;
// A quaternion shorter than this has no direction worth normalising.
constexpr Real kShortestQuaternion = Real(1e-6);

constexpr const char* kPartTypes = "sphere, box, capsule, cylinder, hull, compound";
constexpr const char* kChildTypes = "sphere, box, capsule, cylinder, hull, compound, level_set";

std::string indexed(const std::string& field, std::size_t index) { return field + "[" + std::to_string(index) + "]"; }

// Called by visitFields for every field of a shape. prefix: path of the shape; depth: number of enclosing compounds.
class FieldChecker {
public:
    FieldChecker(std::vector<std::string>& messages, std::string prefix, int depth)
        : messages_(messages), prefix_(std::move(prefix)), depth_(depth) {}

    void operator()(const FieldInfo& info, const Real& value) { number(info, name(info), value); }
    void operator()(const FieldInfo& info, const Vec3& value) { vector(info, name(info), value); }
    void operator()(const FieldInfo& info, const Quat& q) {
        const Real length = std::sqrt(dot(q, q));
        if (!(length >= kShortestQuaternion && length < kInfinity))
            refuse(name(info), "a quaternion of length " + numberText(length), "a unit quaternion x, y, z, w");
    }
    // Builds the names of fields only for bad points: meshes have many good ones.
    void operator()(const FieldInfo& info, const std::vector<Vec3>& points) {
        for (std::size_t i = 0; i < points.size() && !full(); ++i)
            if (const Vec3 p = abs(points[i]); !(p.x <= kLargestSize && p.y <= kLargestSize && p.z <= kLargestSize))
                vector(info, indexed(name(info), i), points[i]);
    }
    void operator()(const FieldInfo& info, const std::vector<std::array<std::uint32_t, 3>>& triangles) {
        if (triangles.empty())
            refuse(name(info), "0 triangles", "1 or more");
    }
    void operator()(const FieldInfo& info, const std::vector<CompoundChild>& children) {
        if (children.empty())
            refuse(name(info), "0 children", "1 or more");
        if (depth_ >= kMaxNesting)
            return refuse(name(info), "a compound inside " + std::to_string(depth_) + " others",
                          "up to " + std::to_string(kMaxNesting) + " levels");
        for (std::size_t i = 0; i < children.size() && !full(); ++i) {
            FieldChecker child(messages_, indexed(name(info), i) + ".", depth_ + 1);
            child.insideLevelSet_ = insideLevelSet_;
            visitFields(children[i], child);
        }
    }
    void operator()(const FieldInfo& info, const Shape& shape) {
        FieldChecker inner(messages_, name(info) + ".", depth_);
        inner.meshAllowed_ = meshAllowed_;
        inner.insideLevelSet_ = insideLevelSet_;
        inner.shape(shape);
    }

    void shape(const Shape& shape) {
        std::visit([&](const auto& definition) { check(definition); }, shape);
    }

private:
    bool full() const { return messages_.size() >= kMaxMessages; }
    std::string name(const FieldInfo& info) const { return prefix_ + std::string(info.name); }

    void refuse(const std::string& field, const std::string& value, const std::string& allowed) {
        if (!full())
            messages_.push_back(field + ": " + value + " is not allowed (" + allowed + ")");
    }

    void number(FieldInfo info, const std::string& field, Real value) {
        const bool isSize = info.low >= 0;
        info.low = isSize ? kSmallestSize : -kLargestSize;
        info.high = kLargestSize;
        info.lowExcluded = false;
        // Compared as Real, so that the limit itself is allowed although its float differs from its double.
        if (!(value >= Real(info.low) && value <= Real(info.high)))
            refuse(field, numberText(value), allowedRange(info));
    }

    void vector(const FieldInfo& info, const std::string& field, const Vec3& value) {
        for (int axis = 0; axis < 3; ++axis)
            number(info, indexed(field, axis), component(value, axis));
    }

    template <class Definition>
    void check(const Definition& definition) {
        visitFields(definition, *this);
    }

    void check(const Hull& hull) {
        if (hull.points.size() < 4)
            refuse(prefix_ + "points", std::to_string(hull.points.size()) + " points", "4 or more, not in one plane");
        visitFields(hull, *this);
    }

    void check(const Mesh& mesh) {
        if (depth_ > 0 && !meshAllowed_)
            return refuse(prefix_ + "type", "a mesh inside a compound", kChildTypes);
        visitFields(mesh, *this);
        const std::size_t count = mesh.vertices.size();
        for (std::size_t i = 0; i < mesh.triangles.size() && !full(); ++i)
            for (int corner = 0; corner < 3; ++corner)
                if (mesh.triangles[i][corner] >= count)
                    refuse(indexed(indexed(prefix_ + "triangles", i), corner), std::to_string(mesh.triangles[i][corner]),
                           count > 0 ? "0 to " + std::to_string(count - 1) : "there are no vertices");
        if (mesh.look && !geometry::fits(*mesh.look, mesh.triangles.size()))
            refuse(prefix_ + "look", "a list of another length, or a material that is not there",
                   "an entry for each of the " + std::to_string(mesh.triangles.size()) + " triangles, or none");
    }

    void check(const Shell& shell) {
        if (insideLevelSet_)
            return refuse(prefix_ + "type", "a shell inside a level set", kPartTypes);
        visitFields(shell, *this);
        const std::size_t count = shell.vertices.size(), triangles = shell.triangles.size();
        if (triangles > geometry::kMostShellTriangles)
            refuse(prefix_ + "triangles", std::to_string(triangles) + " triangles",
                   "up to " + std::to_string(geometry::kMostShellTriangles));
        for (std::size_t i = 0; i < triangles && !full(); ++i) {
            const auto& [a, b, c] = shell.triangles[i];
            const std::string field = indexed(prefix_ + "triangles", i);
            if (std::max({a, b, c}) >= count)
                refuse(field, "vertex " + std::to_string(std::max({a, b, c})),
                       count > 0 ? "0 to " + std::to_string(count - 1) : "there are no vertices");
            else if (const Real height = geometry::leastHeight(shell.vertices[a], shell.vertices[b], shell.vertices[c]);
                     !(height >= Real(kSmallestSize)))
                refuse(field, "a triangle " + numberText(height) + " m high",
                       numberText(kSmallestSize) + " m or more over each of its sides");
        }
    }

    void check(const HeightField& field) {
        if (depth_ > 0)
            return refuse(prefix_ + "type", "a height field inside another shape", insideLevelSet_ ? kPartTypes : kChildTypes);
        const std::size_t count = field.heights.size(), columns = field.columns;
        if (columns < 2 || columns > 65536)
            return refuse(prefix_ + "columns", std::to_string(columns), "2 to 65536");
        visitFields(field, [&](const FieldInfo& info, const auto& member) { ground(info, member); });
        if (count < 2 * columns || count % columns != 0)
            return refuse(prefix_ + "heights", std::to_string(count) + " heights",
                          "whole rows of " + std::to_string(columns) + ", 2 rows or more");
        const std::size_t cells = (columns - 1) * (count / columns - 1);
        for (std::size_t i = 0; i < field.holes.size() && !full(); ++i)
            if (field.holes[i] >= cells)
                refuse(indexed(prefix_ + "holes", i), std::to_string(field.holes[i]), "0 to " + std::to_string(cells - 1));
    }
    // Fields of a height field.
    void ground(const FieldInfo&, const std::uint32_t&) {}
    void ground(const FieldInfo&, const std::vector<std::uint32_t>&) {}
    void ground(const FieldInfo& info, const Real& spacing) { number(info, name(info), spacing); }
    void ground(const FieldInfo& info, const std::vector<Real>& heights) {
        for (std::size_t i = 0; i < heights.size() && !full(); ++i)
            number(info, indexed(name(info), i), heights[i]);
    }

    void check(const LevelSet& levelSet) {
        if (insideLevelSet_)
            return refuse(prefix_ + "type", "a level set inside another", kPartTypes);
        if (levelSet.sampled) {
            if (!isSound(*levelSet.sampled))
                refuse(prefix_ + "sampled", "a solid whose tables do not fit together", "one that the engine made");
            return;
        }
        if (levelSet.parts.empty())
            refuse(prefix_ + "parts", "0 parts", "1 or more");
        FieldChecker inside(messages_, prefix_, depth_);
        inside.meshAllowed_ = levelSet.parts.size() == 1;
        inside.insideLevelSet_ = true;
        visitFields(levelSet, [&](const FieldInfo& info, const auto& member) { inside.field(info, member); });
        const auto& [nx, ny, nz] = levelSet.resolution;
        if ((levelSet.cell > 0) == (nx > 0 || ny > 0 || nz > 0))
            refuse(prefix_ + "cell", numberText(levelSet.cell) + (levelSet.cell > 0 ? " beside a resolution" : ""),
                   "either a cell size above 0 or a resolution");
    }

    // Fields of a level set.
    void field(const FieldInfo& info, const std::vector<CompoundChild>& parts) {
        for (std::size_t i = 0; i < parts.size() && !full(); ++i) {
            FieldChecker part(messages_, indexed(name(info), i) + ".", depth_ + 1);
            part.meshAllowed_ = meshAllowed_;
            part.insideLevelSet_ = true;
            visitFields(parts[i], part);
        }
    }
    void field(const FieldInfo&, bool) {}
    void field(const FieldInfo& info, Real cell) {
        if (cell != 0)
            number(info, name(info), cell);
    }
    void field(const FieldInfo& info, const std::array<std::uint32_t, 3>& nodes) {
        for (int axis = 0; axis < 3; ++axis)
            if (!sunder::isAllowed(info, double(nodes[axis])))
                refuse(indexed(name(info), axis), std::to_string(nodes[axis]), allowedRange(info));
    }

    void check(const SharedShape& shared) {
        if (!shared)
            refuse(prefix_ + "type", "null", "a result of buildShape");
        else if (depth_ > 0 && shared->type == ShapeType::Mesh && !meshAllowed_)
            refuse(prefix_ + "type", "a mesh inside a compound", kChildTypes);
        else if (insideLevelSet_ && shared->hasLevelSet)
            refuse(prefix_ + "type", "a level set inside another", kPartTypes);
    }

    std::vector<std::string>& messages_;
    std::string prefix_;
    int depth_;
    bool meshAllowed_ = false;  // inside a level set, which may be made from one
    bool insideLevelSet_ = false;
};

// Messages for hulls that cannot be built although their numbers are sound.
void checkHulls(const std::string& prefix, const Shape& shape, std::vector<std::string>& messages) {
    if (const Hull* hull = std::get_if<Hull>(&shape)) {
        const std::string error = geometry::buildConvexHull(hull->points).error;
        if (!error.empty())
            messages.push_back(prefix + "points: " + error);
    } else if (const Compound* compound = std::get_if<Compound>(&shape)) {
        for (std::size_t i = 0; i < compound->children.size(); ++i)
            checkHulls(indexed(prefix + "children", i) + ".shape.", compound->children[i].shape, messages);
    } else if (const LevelSet* levelSet = std::get_if<LevelSet>(&shape)) {
        for (std::size_t i = 0; i < levelSet->parts.size(); ++i)
            checkHulls(indexed(prefix + "parts", i) + ".shape.", levelSet->parts[i].shape, messages);
    }
}

}  // namespace

std::vector<std::string> checkShapeFields(const Shape& shape) {
    std::vector<std::string> messages;
    FieldChecker(messages, "", 0).shape(shape);
    return messages;
}

}  // namespace collision

std::vector<std::string> validate(const Shape& shape) {
    std::vector<std::string> messages = collision::checkShapeFields(shape);
    if (messages.empty())
        collision::checkHulls("", shape, messages);
    return messages;
}

}  // namespace sunder
