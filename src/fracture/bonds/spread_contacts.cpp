#include "fracture/bonds/spread_contacts.h"

#include <algorithm>

#include "math/linear/cramer.h"

namespace sunder::fracture {

namespace {

// Cosine of the angle, 5.7 degrees, within which normals count as equal.
constexpr double kSameNormal = 0.995;
constexpr int kMostActiveSetRounds = 8;  // each leaves out the points whose force would pull
// Share of the force, and of force times size, by which a spread load may miss its sum and moment.
constexpr double kTolerance = 1e-6;

// Solves the symmetric 3 x 3 system; false where it is nearly singular.
bool solve3(const double (&A)[6], const Vec3d& b, Vec3d& x) {
    const auto [numerators, determinant] =
        linear::cramer(Vec3d{A[0], A[1], A[2]}, Vec3d{A[1], A[3], A[4]}, Vec3d{A[2], A[4], A[5]}, b);
    if (!(determinant > 1e-12 * A[0] * A[3] * A[5]))
        return false;
    x = {numerators.x / determinant, numerators.y / determinant, numerators.z / determinant};
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

ContactSpreader::Sum ContactSpreader::sumOf(std::span<const ContactShare> points) const {
    Sum sum;
    sum.normal = points[members_[0]].normal;
    sum.u = anyPerpendicular(sum.normal);
    sum.v = cross(sum.normal, sum.u);
    for (const std::uint32_t i : members_)
        sum.center += points[i].point;
    sum.center = sum.center * (1 / double(members_.size()));
    for (const std::uint32_t i : members_) {
        const Vec3d r = points[i].point - sum.center;
        const double f = dot(points[i].impulse, sum.normal);
        const Vec3d across = points[i].impulse - sum.normal * f;
        sum.force += f;
        sum.alongU += f * dot(r, sum.u);
        sum.alongV += f * dot(r, sum.v);
        sum.size = std::max(sum.size, length(r));
        sum.friction += across;
        sum.moment += cross(r, across);
    }
    return sum;
}

bool ContactSpreader::findForces(std::span<const ContactShare> points, const Sum& sum) {
    const std::size_t count = members_.size();
    isActive_.assign(count, 1);
    forces_.assign(count, 0);
    for (int round = 0; round < kMostActiveSetRounds; ++round) {
        double A[6] = {};
        Vec3d x;
        for (std::size_t k = 0; k < count; ++k) {
            if (!isActive_[k])
                continue;
            const Vec3d r = points[members_[k]].point - sum.center;
            const double p = dot(r, sum.u), q = dot(r, sum.v);
            const double entries[6] = {1, p, q, p * p, p * q, q * q};
            for (int i = 0; i < 6; ++i)
                A[i] += entries[i];
        }
        if (!solve3(A, {sum.force, sum.alongU, sum.alongV}, x))
            return false;
        bool isFound = true;
        for (std::size_t k = 0; k < count; ++k) {
            const Vec3d r = points[members_[k]].point - sum.center;
            forces_[k] = isActive_[k] ? x.x + x.y * dot(r, sum.u) + x.z * dot(r, sum.v) : 0;
            if (forces_[k] < 0) {
                isActive_[k] = 0;
                isFound = false;
            }
        }
        if (isFound)
            return true;
    }
    return false;
}

bool ContactSpreader::keepsMoment(std::span<const ContactShare> points, const Sum& sum) const {
    Vec3d before, after;
    for (std::size_t k = 0; k < members_.size(); ++k) {
        const ContactShare& point = points[members_[k]];
        const Vec3d r = point.point - sum.center;
        before += cross(r, sum.normal * dot(point.impulse, sum.normal));
        after += cross(r, sum.normal * forces_[k]);
    }
    return !(length(before - after) > kTolerance * sum.force * sum.size);
}

bool ContactSpreader::spreadGroup(std::span<ContactShare> points) {
    const Sum sum = sumOf(points);
    if (!(sum.force > 0) || !findForces(points, sum) || !keepsMoment(points, sum))
        return false;
    Vec3d spreadMoment;
    for (std::size_t k = 0; k < members_.size(); ++k) {
        const double share = forces_[k] / sum.force;
        spreadMoment += cross(points[members_[k]].point - sum.center, sum.friction * share);
    }
    const Vec3d lost = sum.moment - spreadMoment;
    for (std::size_t k = 0; k < members_.size(); ++k) {
        ContactShare& point = points[members_[k]];
        const double share = forces_[k] / sum.force;
        point.impulse = sum.normal * forces_[k] + sum.friction * share;
        point.torque += lost * share;
    }
    return true;
}

}  // namespace sunder::fracture
