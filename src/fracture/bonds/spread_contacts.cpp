#include "fracture/bonds/spread_contacts.h"

#include <algorithm>

namespace sunder::fracture {

namespace {

// Cosine of the angle within which normals are the same.
constexpr double kSameNormal = 0.995;
constexpr int kMostRounds = 8;  // in which points that would pull are left out
// Of the force, and of the force times the size: what a spread load may miss of its sum and moment.
constexpr double kTolerance = 1e-6;

// Solves the symmetric 3 x 3 system; false where it is nearly singular.
bool solve3(const double (&A)[6], const double (&b)[3], double (&x)[3]) {
    const Vec3d c0{A[0], A[1], A[2]}, c1{A[1], A[3], A[4]}, c2{A[2], A[4], A[5]}, r{b[0], b[1], b[2]};
    const double determinant = dot(c0, cross(c1, c2));
    if (!(determinant > 1e-12 * A[0] * A[3] * A[5]))
        return false;
    x[0] = dot(r, cross(c1, c2)) / determinant;
    x[1] = dot(c0, cross(r, c2)) / determinant;
    x[2] = dot(c0, cross(c1, r)) / determinant;
    return true;
}

}  // namespace

void ContactSpreader::spread(std::span<ContactShare> points) {
    isDone_.assign(points.size(), 0);
    for (std::uint32_t first = 0; first < points.size(); ++first) {
        if (isDone_[first])
            continue;
        members_.clear();
        bool isOnePiece = true;
        for (std::uint32_t i = first; i < points.size(); ++i)
            if (!isDone_[i] && dot(points[i].normal, points[first].normal) > kSameNormal) {
                isDone_[i] = 1;
                members_.push_back(i);
                isOnePiece = isOnePiece && points[i].piece == points[first].piece;
            }
        if (!isOnePiece)  // on one piece only the sum counts
            spreadGroup(points);
    }
}

bool ContactSpreader::spreadGroup(std::span<ContactShare> points) {
    const Vec3d normal = points[members_[0]].normal, u = anyPerpendicular(normal), v = cross(normal, u);
    const std::size_t count = members_.size();
    Vec3d center;
    for (const std::uint32_t i : members_)
        center += points[i].point;
    center = center * (1 / double(count));
    double sum = 0, alongU = 0, alongV = 0, size = 0;
    Vec3d friction, moment;
    for (const std::uint32_t i : members_) {
        const Vec3d r = points[i].point - center;
        const double f = dot(points[i].impulse, normal);
        const Vec3d across = points[i].impulse - normal * f;
        sum += f;
        alongU += f * dot(r, u);
        alongV += f * dot(r, v);
        size = std::max(size, length(r));
        friction += across;
        moment += cross(r, across);
    }
    if (!(sum > 0))
        return false;
    isActive_.assign(count, 1);
    forces_.assign(count, 0);
    bool isFound = false;
    for (int round = 0; round < kMostRounds && !isFound; ++round) {
        double A[6] = {}, x[3];
        for (std::size_t k = 0; k < count; ++k) {
            if (!isActive_[k])
                continue;
            const Vec3d r = points[members_[k]].point - center;
            const double p = dot(r, u), q = dot(r, v);
            const double entries[6] = {1, p, q, p * p, p * q, q * q};
            for (int i = 0; i < 6; ++i)
                A[i] += entries[i];
        }
        if (!solve3(A, {sum, alongU, alongV}, x))
            return false;
        isFound = true;
        for (std::size_t k = 0; k < count; ++k) {
            const Vec3d r = points[members_[k]].point - center;
            forces_[k] = isActive_[k] ? x[0] + x[1] * dot(r, u) + x[2] * dot(r, v) : 0;
            if (forces_[k] < 0) {
                isActive_[k] = 0;
                isFound = false;
            }
        }
    }
    if (!isFound)
        return false;
    Vec3d spreadMoment;
    for (std::size_t k = 0; k < count; ++k) {
        const double share = forces_[k] / sum;
        spreadMoment += cross(points[members_[k]].point - center, friction * share);
    }
    const Vec3d lost = moment - spreadMoment;
    // Points out of one plane would turn what is spread along the normal into another moment.
    Vec3d before, after;
    for (std::size_t k = 0; k < count; ++k) {
        const ContactShare& point = points[members_[k]];
        const Vec3d r = point.point - center;
        before += cross(r, normal * dot(point.impulse, normal));
        after += cross(r, normal * forces_[k]);
    }
    if (length(before - after) > kTolerance * sum * size)
        return false;
    for (std::size_t k = 0; k < count; ++k) {
        ContactShare& point = points[members_[k]];
        const double share = forces_[k] / sum;
        point.impulse = normal * forces_[k] + friction * share;
        point.torque += lost * share;
    }
    return true;
}

}  // namespace sunder::fracture
