// Where two facing patches lie over one another, seen along the reference's normal.
// Features: the two sides that meet in a corner (polygon over polygon), otherwise a kind and a number.
#include "collision/narrow_phase/convex/patch.h"

namespace sunder::collision {
namespace {

constexpr double kShortSegment = 1e-6;   // share of a segment below which it counts as one point
constexpr double kGrazingCosine = 0.05;  // cosine below which a polygon is seen edge-on and has no points inside
constexpr int kMaxClipVertices = 2 * kMaxPatchVertices;

enum FeatureKind : std::uint32_t {
    kSegmentEnd = 0x8000,  // + end, + 2 (side + 1) where it was cut
    kVertexInDisc = 0x9000,
    kEdgeAndRim = 0xa000,  // + 2 edge + (leaving the disc)
    kRim = 0xb000,         // + direction
    kOtherRim = 0xb100,
    kRimAndRim = 0xb200,
    kLowestRim = 0xb300,
    kSinglePoint = 0xc000
};

struct ClipVertex {
    Vec3d point;
    int edge = 0;  // that leaves the vertex: of the incident polygon, or kMaxPatchVertices + side of the reference
};

using ClipPolygon = InlineList<ClipVertex, kMaxClipVertices>;

// Outward normal of side i of a polygon, in its plane.
Vec3d sideNormal(const Patch& polygon, int i) {
    const Vec3d edge = polygon.points[i + 1 < polygon.count() ? i + 1 : 0] - polygon.points[i];
    return normalizeOr(cross(edge, polygon.normal), {});
}

Vec3d onPlane(const Vec3d& point, const Vec3d& normal, const Vec3d& planePoint) {
    return point - normal * dot(normal, point - planePoint);
}

// The part of a polygon on the inner side of a plane. Returns false where that is all of it, and leaves `out` alone.
bool clipBySide(const ClipPolygon& in, const Vec3d& normal, const Vec3d& planePoint, int side, double slack, ClipPolygon& out) {
    double above[kMaxClipVertices];
    bool isCut = false;
    for (int k = 0; k < in.count(); ++k) {
        above[k] = dot(normal, in[k].point - planePoint);
        isCut |= !(above[k] <= slack);
    }
    if (!isCut)
        return false;
    out.clear();
    for (int k = 0; k < in.count(); ++k) {
        const int next = k + 1 < in.count() ? k + 1 : 0;
        const ClipVertex &p = in[k], &q = in[next];
        const bool insideP = above[k] <= slack, insideQ = above[next] <= slack;
        if (insideP)
            out.add(p);
        if (insideP == insideQ)
            continue;
        const double f = limitTo(above[k] / (above[k] - above[next]), 0, 1);
        out.add({p.point + (q.point - p.point) * f, insideP ? kMaxPatchVertices + side : p.edge});
    }
    return true;
}

void polygonOverPolygon(const Patch& reference, const Patch& incident, double slack, PatchPoints& out) {
    ClipPolygon polygons[2];
    ClipPolygon* current = &polygons[0];
    for (int i = 0; i < incident.count(); ++i)
        current->add({incident.points[i], i});
    for (int i = 0; i < reference.count() && current->count() > 0; ++i) {
        ClipPolygon* next = current == &polygons[0] ? &polygons[1] : &polygons[0];
        if (clipBySide(*current, sideNormal(reference, i), reference.points[i], i, slack, *next))
            current = next;
    }
    for (int k = 0; k < current->count(); ++k) {
        const ClipVertex& c = (*current)[k];
        const int before = (*current)[k > 0 ? k - 1 : current->count() - 1].edge;
        out.add({onPlane(c.point, reference.normal, reference.points[0]), c.point, std::uint32_t(before << 7 | c.edge)});
    }
}

// The interval [low, high] of a segment, with the side that cut it at either end (-1: not cut).
struct Cut {
    double low = 0, high = 1;
    int lowSide = -1, highSide = -1;
};

bool cutByPolygon(const Patch& polygon, const Vec3d& p, const Vec3d& q, double slack, Cut& cut) {
    for (int i = 0; i < polygon.count(); ++i) {
        const Vec3d normal = sideNormal(polygon, i);
        const double dp = dot(normal, p - polygon.points[i]), dq = dot(normal, q - polygon.points[i]);
        if (dp > slack && dq > slack)
            return false;
        if (dp <= slack && dq <= slack)
            continue;
        const double f = limitTo(dp / (dp - dq), 0, 1);
        if (dp > slack && f > cut.low) {
            cut.low = f;
            cut.lowSide = i;
        } else if (dq > slack && f < cut.high) {
            cut.high = f;
            cut.highSide = i;
        }
    }
    return cut.low <= cut.high;
}

// Where the line p + f (q - p), seen along the disc's normal, enters and leaves the disc.
bool crossCircle(const Patch& disc, const Vec3d& p, const Vec3d& q, double& enter, double& leave) {
    const Vec3d start = onPlane(p, disc.normal, disc.center) - disc.center, step = q - p;
    const Vec3d flat = step - disc.normal * dot(disc.normal, step);
    const double squared = dot(flat, flat), along = dot(start, flat);
    const double c = dot(start, start) - disc.radius * disc.radius;
    const double root = along * along - squared * c;
    if (!(root >= 0) || !(squared > 1e-300))
        return false;
    enter = (-along - std::sqrt(root)) / squared;
    leave = (-along + std::sqrt(root)) / squared;
    return true;
}

void segmentOver(const Patch& reference, const Patch& incident, double slack, PatchPoints& out) {
    const Vec3d p = incident.points[0], q = incident.points[incident.count() - 1];
    const bool isDisc = reference.kind == Patch::Kind::Disc;
    const Vec3d planePoint = isDisc ? reference.center : reference.points[0];
    Cut cut;
    if (!isDisc) {
        if (!cutByPolygon(reference, p, q, slack, cut))
            return;
    } else {
        const auto inside = [&](const Vec3d& x) {
            return length(onPlane(x, reference.normal, planePoint) - planePoint) <= reference.radius + slack;
        };
        double enter = 0, leave = 1;
        const bool insideP = inside(p), insideQ = inside(q);
        if (!(insideP && insideQ) && !crossCircle(reference, p, q, enter, leave))
            return;
        if (!insideP) {
            cut.low = enter;
            cut.lowSide = 0;
        }
        if (!insideQ) {
            cut.high = leave;
            cut.highSide = 0;
        }
        if (!(cut.low <= cut.high && cut.low <= 1 && cut.high >= 0 && cut.low >= 0 && cut.high <= 1))
            return;
    }
    const auto add = [&](double f, int end, int side) {
        const Vec3d x = p + (q - p) * f;
        out.add({onPlane(x, reference.normal, planePoint), x, kSegmentEnd + std::uint32_t(end + 2 * (side + 1))});
    };
    const Vec3d step = q - p;
    const double rise = dot(step, reference.normal), run2 = dot(step, step) - rise * rise;
    if (cut.high - cut.low > kShortSegment && rise * rise < run2) {
        add(cut.low, 0, cut.lowSide);
        add(cut.high, 1, cut.highSide);
    } else if (rise > 0) {
        add(cut.low, 0, cut.lowSide);
    } else {
        add(cut.high, 1, cut.highSide);
    }
}

// A disc and a polygon over one another along `normal`, which is the normal of the reference.
void discAndPolygon(const Patch& disc, const Patch& polygon, bool discIsReference, double slack, PatchPoints& out) {
    const Vec3d normal = discIsReference ? disc.normal : polygon.normal;
    const double slope = dot(normal, disc.normal);  // of the normal against the disc; about 1 in size
    const auto onDisc = [&](const Vec3d& x) { return x + normal * (dot(disc.center - x, disc.normal) / slope); };
    const auto add = [&](const Vec3d& atDisc, const Vec3d& atPolygon, std::uint32_t feature) {
        out.add({discIsReference ? atDisc : atPolygon, discIsReference ? atPolygon : atDisc, feature});
    };

    // Points of the rim over the polygon, in directions fixed to the polygon, so that they stay while a cylinder spins.
    const double facing = dot(polygon.normal, normal);
    if (std::fabs(facing) > kGrazingCosine) {
        const Vec3d edge = polygon.points[1] - polygon.points[0];
        const Vec3d u = normalizeOr(edge - disc.normal * dot(disc.normal, edge), disc.axisX), w = cross(disc.normal, u);
        const Vec3d tilt = polygon.normal - disc.normal * dot(polygon.normal, disc.normal);
        const Vec3d lowest = normalizeOr(-tilt, u);
        const Vec3d directions[5] = {u, w, -u, -w, lowest};
        for (int k = 0; k < 5; ++k) {
            const Vec3d x = disc.center + directions[k] * disc.radius;
            bool inside = true;
            for (int i = 0; i < polygon.count() && inside; ++i) {
                const Vec3d side = onDisc(polygon.points[i]);
                const Vec3d next = onDisc(polygon.points[i + 1 < polygon.count() ? i + 1 : 0]);
                const double outward = dot(cross(next - side, normal), x - side) * (facing > 0 ? 1 : -1);
                inside = outward <= slack * length(next - side);
            }
            if (inside)
                add(x, x + normal * (dot(polygon.points[0] - x, polygon.normal) / facing),
                    k < 4 ? kRim + std::uint32_t(k) : std::uint32_t(kLowestRim));
        }
    }
    for (int i = 0; i < polygon.count(); ++i) {
        const Vec3d p = polygon.points[i], q = polygon.points[i + 1 < polygon.count() ? i + 1 : 0];
        const Vec3d flatP = onDisc(p), flatQ = onDisc(q);
        if (length(flatP - disc.center) <= disc.radius)
            add(flatP, p, kVertexInDisc + std::uint32_t(i));
        double enter = 0, leave = 0;
        if (!crossCircle(disc, flatP, flatQ, enter, leave))
            continue;
        if (enter > 0 && enter < 1)
            add(flatP + (flatQ - flatP) * enter, p + (q - p) * enter, kEdgeAndRim + std::uint32_t(2 * i));
        if (leave > 0 && leave < 1)
            add(flatP + (flatQ - flatP) * leave, p + (q - p) * leave, kEdgeAndRim + std::uint32_t(2 * i + 1));
    }
}

void discOverDisc(const Patch& reference, const Patch& incident, double slack, PatchPoints& out) {
    const Vec3d n = reference.normal, m = incident.normal;
    const double slope = dot(n, m);  // about -1
    const Vec3d u = reference.axisX, w = cross(n, u);
    const auto addIncidentRim = [&](const Vec3d& direction, std::uint32_t feature) {
        const Vec3d flat = normalizeOr(direction - m * dot(m, direction), direction);
        const Vec3d x = incident.center + flat * incident.radius, y = onPlane(x, n, reference.center);
        if (length(y - reference.center) <= reference.radius + slack)
            out.add({y, x, feature});
    };
    const auto addReferenceRim = [&](const Vec3d& direction, std::uint32_t feature, double extra) {
        const Vec3d y = reference.center + direction * reference.radius;
        const Vec3d x = y + n * (dot(incident.center - y, m) / slope);
        if (length(x - incident.center) <= incident.radius + extra)
            out.add({y, x, feature});
    };
    const Vec3d directions[4] = {u, w, -u, -w};
    for (int k = 0; k < 4; ++k) {
        addIncidentRim(directions[k], kRim + std::uint32_t(k));
        addReferenceRim(directions[k], kOtherRim + std::uint32_t(k), slack);
    }
    const Vec3d offset = onPlane(incident.center, n, reference.center) - reference.center;
    const double distance = length(offset);
    if (distance > 1e-6 * (reference.radius + incident.radius)) {
        const Vec3d toward = offset * (1 / distance);
        const double r = reference.radius, s = incident.radius;
        const double cosine = (distance * distance + r * r - s * s) / (2 * distance * r);
        if (cosine > -1 && cosine < 1) {
            const Vec3d aside = cross(n, toward) * std::sqrt(1 - cosine * cosine);
            const double extra = 1e-3 * s;  // the tilted circle is an ellipse from here
            addReferenceRim(toward * cosine + aside, kRimAndRim, extra);
            addReferenceRim(toward * cosine - aside, kRimAndRim + 1, extra);
        }
    }
    addIncidentRim(normalizeOr(-(n - m * slope), u), kLowestRim);
}

}  // namespace

void overlay(const Patch& reference, const Patch& incident, double slack, PatchPoints& out) {
    const bool isDisc = reference.kind == Patch::Kind::Disc;
    switch (incident.kind) {
        case Patch::Kind::Point:
        case Patch::Kind::Segment: segmentOver(reference, incident, slack, out); return;
        case Patch::Kind::Polygon:
            if (isDisc)
                discAndPolygon(reference, incident, true, slack, out);
            else
                polygonOverPolygon(reference, incident, slack, out);
            return;
        case Patch::Kind::Disc:
            if (isDisc)
                discOverDisc(reference, incident, slack, out);
            else
                discAndPolygon(incident, reference, false, slack, out);
            return;
    }
}

}  // namespace sunder::collision
