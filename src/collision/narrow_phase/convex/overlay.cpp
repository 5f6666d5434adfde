// Where two facing patches lie over one another, seen along the reference's normal.
// Features: the two sides that meet in a corner (polygon over polygon), otherwise which end of the segment.
#include "collision/narrow_phase/convex/patch.h"

namespace sunder::collision {
namespace {

constexpr double kShortSegment = 1e-6;  // share of a segment below which it counts as one point
constexpr int kMaxClipVertices = 2 * kMaxPatchVertices;

constexpr std::uint32_t kSegmentEnd = 0x8000;  // feature of an end: + end, + 2 (side + 1) where it was cut

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

void segmentOver(const Patch& reference, const Patch& incident, double slack, PatchPoints& out) {
    const Vec3d p = incident.points[0], q = incident.points[incident.count() - 1];
    Cut cut;
    if (!cutByPolygon(reference, p, q, slack, cut))
        return;
    const auto add = [&](double f, int end, int side) {
        const Vec3d x = p + (q - p) * f;
        out.add({onPlane(x, reference.normal, reference.points[0]), x, kSegmentEnd + std::uint32_t(end + 2 * (side + 1))});
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

}  // namespace

void overlay(const Patch& reference, const Patch& incident, double slack, PatchPoints& out) {
    if (incident.kind == Patch::Kind::Polygon)
        polygonOverPolygon(reference, incident, slack, out);
    else
        segmentOver(reference, incident, slack, out);
}

}  // namespace sunder::collision
