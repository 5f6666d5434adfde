// A level set against a convex shape: the particles by their exact distance to the convex shape, and the corners, edges or core
// of the convex shape in the field.
#include "collision/narrow_phase/core/placement.h"
#include "collision/narrow_phase/level_set/level_set_partners.h"

namespace sunder::collision {
namespace {

// Points along an edge: this many cells apart, and at most this many.
constexpr Real kEdgeSpacing = 2;
constexpr int kMostOnEdge = 64;
constexpr std::uint32_t kEdgeBits = 7;  // bits of a feature that hold the position on the edge
constexpr int kRimPoints = 24;
// Iterations that move the sampled point of a ball to its point nearest to the surface.
constexpr int kCoreLooks = 4;

struct RimPoint {
    Real x, z;
};
// Directions every 15 degrees.
const RimPoint (&rimPoints())[kRimPoints] {
    static const auto table = [] {
        struct {
            RimPoint points[kRimPoints];
        } made;
        const Real c = Real(0.96592582628906829), s = Real(0.25881904510252076);
        Real x = 1, z = 0;
        for (RimPoint& point : made.points) {
            point = {x, z};
            const Real next = c * x - s * z;
            z = s * x + c * z;
            x = next;
        }
        return made;
    }();
    return table.points;
}

geometry::FieldSample toSegment(const Vec3& p, Real radius, Real halfHeight) {
    const Vec3 arm = p - Vec3{0, clamp(p.y, -halfHeight, halfHeight), 0};
    const Real distance = length(arm);
    return {distance - radius, distance > 0 ? arm / distance : Vec3{1, 0, 0}};
}

geometry::FieldSample toCylinder(const Vec3& p, Real radius, Real halfHeight) {
    const Real across = std::sqrt(square(p.x) + square(p.z));
    const Vec3 outward = across > 0 ? Vec3{p.x / across, 0, p.z / across} : Vec3{1, 0, 0};
    const Vec3 upward{0, p.y < 0 ? Real(-1) : Real(1), 0};
    const Real beside = across - radius, above = std::fabs(p.y) - halfHeight;
    if (beside > 0 && above > 0) {
        const Real distance = std::sqrt(square(beside) + square(above));
        return {distance, (outward * beside + upward * above) / distance};
    }
    return beside > above ? geometry::FieldSample{beside, outward} : geometry::FieldSample{above, upward};
}

geometry::FieldSample toBox(const Vec3& p, const Vec3& half) {
    const Vec3 a = abs(p) - half;
    const auto signedAxis = [&](int axis) {
        Vec3 n;
        setComponent(n, axis, component(p, axis) < 0 ? Real(-1) : Real(1));
        return n;
    };
    const int axis = a.x >= a.y && a.x >= a.z ? 0 : (a.y >= a.z ? 1 : 2);
    const Vec3 beyond = max(a, Vec3{});
    const Real squared = lengthSquared(beyond), most = component(a, axis);
    if (!(most > 0) || !(squared > square(most)))
        return {most, signedAxis(axis)};
    const Real distance = std::sqrt(squared);
    const Vec3 n{p.x < 0 ? -beyond.x : beyond.x, p.y < 0 ? -beyond.y : beyond.y, p.z < 0 ? -beyond.z : beyond.z};
    return {distance, n / distance};
}

// toBox for four points at a time.
void toBox(const geometry::PointBlock& p, const Vec3& half, geometry::SampleBlock& out) {
    const Quad ax = absolute(p.x) - half.x, ay = absolute(p.y) - half.y, az = absolute(p.z) - half.z;
    const Quad zero = quadOf(0), one = quadOf(1);
    const QuadMask isX = (ax >= ay) & (ax >= az), isY = ~isX & (ay >= az), isZ = ~isX & ~isY;
    const auto signedBy = [&](Quad x, Quad size) { return select(x < zero, -size, size); };
    const Quad bx = greaterOf(ax, zero), by = greaterOf(ay, zero), bz = greaterOf(az, zero);
    const Quad squared = bx * bx + by * by + bz * bz, most = select(isX, ax, select(isY, ay, az));
    const QuadMask isBeside = (most > zero) & (squared > most * most);
    const Quad length = rootOf(squared), distance = select(isBeside, length, one);
    out.distance = select(isBeside, length, most);
    out.gradientX = select(isBeside, signedBy(p.x, bx) / distance, select(isX, signedBy(p.x, one), zero));
    out.gradientY = select(isBeside, signedBy(p.y, by) / distance, select(isY, signedBy(p.y, one), zero));
    out.gradientZ = select(isBeside, signedBy(p.z, bz) / distance, select(isZ, signedBy(p.z, one), zero));
}

// Outside and beside an edge this is the distance to the planes, a lower bound of the distance to the edge.
geometry::FieldSample toFaces(const Vec3& p, const geometry::Polyhedron& polyhedron) {
    geometry::FieldSample best{-kInfinity, {}};
    for (const geometry::Polyhedron::Face& face : polyhedron.faces) {
        const Real height = dot(face.normal, p) - face.offset;
        if (height > best.distance)
            best = {height, face.normal};
    }
    return best;
}

// A convex shape as a distance function for particles.
struct ConvexProbe {
    const BuiltShape& shape;
    const Bounds& bounds;
    Real innerRadius;

    geometry::FieldSample sample(const Vec3& p) const {
        switch (shape.type) {
            case ShapeType::Sphere: return toSegment(p, shape.radius, 0);
            case ShapeType::Capsule: return toSegment(p, shape.radius, shape.halfHeight);
            case ShapeType::Cylinder: return toCylinder(p, shape.radius, shape.halfHeight);
            case ShapeType::Box: return toBox(p, shape.halfExtents);
            default: return toFaces(p, shape.polyhedron);
        }
    }
    // Whether a box has no second face nearly as near as the first; balls and capsules have no faces.
    bool isOverFace(const Vec3& p, Real distance) const {
        if (shape.type == ShapeType::Sphere || shape.type == ShapeType::Capsule)
            return true;
        if (shape.type != ShapeType::Box)
            return false;
        const Vec3 a = abs(p) - shape.halfExtents;
        const Real most = max(max(a.x, a.y), a.z), second = max(min(max(a.x, a.y), a.z), min(a.x, a.y));
        return second < most - 2 * std::fabs(distance);
    }
    Quad boundFour(const geometry::PointBlock& points) const {
        geometry::SampleBlock samples;
        sampleFour(points, samples);
        return samples.distance;
    }
    void sampleFour(const geometry::PointBlock& points, geometry::SampleBlock& out) const {
        if (shape.type == ShapeType::Box)
            return toBox(points, shape.halfExtents, out);
        for (int i = 0; i < geometry::kSampleLanes; ++i) {
            const geometry::FieldSample s = sample({points.x[i], points.y[i], points.z[i]});
            out.distance[i] = s.distance;
            out.gradientX[i] = s.gradient.x;
            out.gradientY[i] = s.gradient.y;
            out.gradientZ[i] = s.gradient.z;
        }
    }
};

// Samples the corners, edges and core of a convex shape in the field.
class ConvexSamples {
public:
    ConvexSamples(const LevelSetShape& own, const Pose& poseOwn, const Pose& poseConvex, Real margin,
                  std::vector<ParticleContact>& contacts)
        : own_(own),
          poseOwn_(poseOwn),
          ownFromConvex_{inverseTransformPoint(poseOwn, poseConvex.position),
                         conjugate(poseOwn.orientation) * poseConvex.orientation},
          margin_(margin),
          contacts_(contacts) {}

    void add(const BuiltShape& shape) {
        switch (shape.type) {
            case ShapeType::Sphere: return addCore({}, shape.radius, 0);
            case ShapeType::Capsule: return addSegment(shape.radius, shape.halfHeight);
            case ShapeType::Cylinder:
                addRim(shape.radius, shape.halfHeight, 0);
                return addRim(shape.radius, -shape.halfHeight, kRimPoints);
            default: return addEdges(shape.polyhedron);
        }
    }

private:
    void addCore(const Vec3& point, Real rounding, std::uint32_t number) {
        addSampleContact(own_, poseOwn_, {transformPoint(ownFromConvex_, point), {}, rounding, kOtherFeature | number}, margin_,
                         contacts_);
    }
    void addSegment(Real radius, Real halfHeight) {
        const Real spacing = kEdgeSpacing * own_.field().grid.cell;
        const int count = int(clamp(2 * halfHeight / spacing, 1, Real(kMostOnEdge)));
        for (int i = 0; i <= count; ++i)
            addCore({0, halfHeight * (2 * Real(i) / Real(count) - 1), 0}, radius, std::uint32_t(i));
    }
    void addRim(Real radius, Real height, int firstNumber) {
        constexpr Real kHalf = Real(0.70710678118654752);
        for (int i = 0; i < kRimPoints; ++i) {
            const RimPoint& rim = rimPoints()[i];
            const Vec3 normal{rim.x * kHalf, height < 0 ? -kHalf : kHalf, rim.z * kHalf};
            addSampleContact(own_, poseOwn_,
                             {transformPoint(ownFromConvex_, {rim.x * radius, height, rim.z * radius}),
                              rotate(ownFromConvex_.orientation, normal), 0, kOtherFeature | std::uint32_t(firstNumber + i)},
                             margin_, contacts_);
        }
    }
    void addEdges(const geometry::Polyhedron& polyhedron) {
        for (std::size_t i = 0; i < polyhedron.edges.size(); ++i) {
            const geometry::Polyhedron::Edge& edge = polyhedron.edges[i];
            const Vec3 normal = polyhedron.faces[edge.face0].normal + polyhedron.faces[edge.face1].normal;
            addEdgeContacts(own_, poseOwn_, transformPoint(ownFromConvex_, polyhedron.vertices[edge.vertex0]),
                            transformPoint(ownFromConvex_, polyhedron.vertices[edge.vertex1]),
                            rotate(ownFromConvex_.orientation, normalizeOr(normal, {0, 1, 0})), std::uint32_t(i), margin_,
                            contacts_);
        }
    }

    const LevelSetShape& own_;
    const Pose& poseOwn_;
    Pose ownFromConvex_;
    Real margin_;
    std::vector<ParticleContact>& contacts_;
};

// Narrows the interval of fractions of a segment to those inside the box; false where none are.
bool clipToBox(const Bounds& box, const Vec3d& start, const Vec3d& way, double& enter, double& leave) {
    const auto clip = [&](double low, double high, double from, double along) {
        if (along == 0) {
            if (!(low <= from && from <= high))
                leave = -1;
            return;
        }
        const double first = (low - from) / along, second = (high - from) / along;
        enter = greater(enter, lesser(first, second));
        leave = lesser(leave, greater(first, second));
    };
    clip(box.low.x, box.high.x, start.x, way.x);
    clip(box.low.y, box.high.y, start.y, way.y);
    clip(box.low.z, box.high.z, start.z, way.z);
    return enter <= leave;
}

}  // namespace

void addSampleContact(const LevelSetShape& own, const Pose& poseOwn, const EdgeSample& sample, Real margin,
                      std::vector<ParticleContact>& contacts) {
    geometry::FieldSample field = geometry::sample(own.field(), sample.point);
    if (!(field.distance - sample.rounding < margin))
        return;
    Vec3 point = sample.point, normal = normalizeOr(field.gradient, {0, 1, 0});
    if (sample.rounding > 0) {
        // Outside the grid the field at a ball's centre is only a bound; at the ball's surface it is the distance.
        for (int i = 0; i < kCoreLooks; ++i) {
            point = sample.point - normal * sample.rounding;
            field = geometry::sample(own.field(), point);
            normal = normalizeOr(field.gradient, normal);
        }
        if (!(field.distance < margin))
            return;
    } else if (!chooseNormal(field.gradient, {sample.normal, {}, geometry::SurfaceFeature::Edge, Reading::Touching, false},
                             normal)) {
        return;
    }
    contacts.push_back(
        {transformPoint(poseOwn, point), rotate(poseOwn.orientation, normal), field.distance, sample.feature, true});
}

void addEdgeContacts(const LevelSetShape& own, const Pose& poseOwn, const Vec3& p, const Vec3& q, const Vec3& normal,
                     std::uint32_t feature, Real margin, std::vector<ParticleContact>& contacts) {
    const Vec3d start = toDouble(p), way = toDouble(q - p);
    double enter = 0, leave = 1;
    if (!clipToBox(expand(own.bounds, margin), start, way, enter, leave))
        return;
    const Real spacing = kEdgeSpacing * own.field().grid.cell;
    // Long edges have so many positions that only those within the level set's bounds are sampled; their numbers wrap around.
    const double count = std::floor(length(way) / double(spacing)) + 1;
    const double first = std::floor(enter * count), last = greater(std::floor(leave * count + 1), first);
    const double stride = std::floor((last - first) / kMostOnEdge) + 1;
    for (double k = std::floor(first / stride) * stride; k <= lesser(last, count); k += stride) {
        const std::uint32_t number = std::uint32_t(std::uint64_t(k)) & ((1u << kEdgeBits) - 1);
        addSampleContact(own, poseOwn,
                         {toReal(start + way * (k / count)), normal, 0, kOtherFeature | feature << kEdgeBits | number}, margin,
                         contacts);
    }
}

Real collideWithConvex(const LevelSetShape& own, const Pose& poseOwn, const BuiltShape& convex, const Pose& poseConvex,
                       Range range, std::vector<ParticleContact>& contacts) {
    const Real margin = range.margin;
    const ConvexProbe probe{convex, convex.localBounds, convex.innerRadius};
    const Real least = addParticleContacts(own, poseOwn, ProbeFrames(poseOwn, poseConvex), probe, range, false, contacts);
    ConvexSamples(own, poseOwn, poseConvex, range.margin, contacts).add(convex);
    return min(least, margin);
}

}  // namespace sunder::collision
