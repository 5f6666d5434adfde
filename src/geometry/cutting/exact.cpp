#include "geometry/cutting/exact.h"

#include <algorithm>
#include <cmath>

namespace sunder::geometry {
namespace {

constexpr double kLargest = 33554432;  // 2^25: see ExactPoint
// Rounding in a determinant of differences up to 2^26: three products below 2^79 and their sum are each off by less than 2^27.
constexpr double kCertain = 17179869184;  // 2^34

__extension__ using Unsigned = unsigned __int128;

struct Difference {
    std::int64_t x, y, z;
    Difference(const ExactPoint& to, const ExactPoint& from)
        : x(std::int64_t(to.x) - from.x), y(std::int64_t(to.y) - from.y), z(std::int64_t(to.z) - from.z) {}
    Difference(std::int64_t x_, std::int64_t y_, std::int64_t z_) : x(x_), y(y_), z(z_) {}
};

Difference cross(const Difference& a, const Difference& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Sign of the first component that is not zero.
int leadingSign(const Difference& d) {
    const std::int64_t first = d.x != 0 ? d.x : (d.y != 0 ? d.y : d.z);
    return first > 0 ? 1 : (first < 0 ? -1 : 0);
}

int signOf(Wide value) { return value > 0 ? 1 : (value < 0 ? -1 : 0); }

// Sign of n . d, where n is a product of two differences.
int signOfDot(const Difference& n, const Difference& d) {
    const double quick = double(n.x) * double(d.x) + double(n.y) * double(d.y) + double(n.z) * double(d.z);
    if (std::fabs(quick) > kCertain)
        return quick > 0 ? 1 : -1;
    return signOf(Wide(n.x) * d.x + Wide(n.y) * d.y + Wide(n.z) * d.z);
}

// The product a b as high and low half.
struct Product {
    Unsigned high, low;
    Product(Unsigned a, Unsigned b) {
        constexpr Unsigned mask = ~std::uint64_t(0);
        const Unsigned a0 = a & mask, a1 = a >> 64, b0 = b & mask, b1 = b >> 64;
        const Unsigned low0 = a0 * b0, middle = a1 * b0 + (low0 >> 64), middle2 = a0 * b1 + (middle & mask);
        low = (middle2 << 64) | (low0 & mask);
        high = a1 * b1 + (middle >> 64) + (middle2 >> 64);
    }
};

// Sign of a b - c d, where b and d are positive.
int compareProducts(Wide a, Wide b, Wide c, Wide d) {
    const int signA = signOf(a), signC = signOf(c);
    if (signA != signC)
        return signA > signC ? 1 : -1;
    if (signA == 0)
        return 0;
    const Product left(Unsigned(signA > 0 ? a : -a), Unsigned(b)), right(Unsigned(signC > 0 ? c : -c), Unsigned(d));
    const int larger = left.high != right.high ? (left.high > right.high ? 1 : -1)
                                               : (left.low != right.low ? (left.low > right.low ? 1 : -1) : 0);
    return signA * larger;
}

Fraction fractionOf(const ExactPoint& from, const ExactPoint& to, const ExactPoint (&plane)[3], int stepSign) {
    const Wide start = volume(plane[0], plane[1], plane[2], from), end = volume(plane[0], plane[1], plane[2], to);
    const Difference normal = cross({plane[1], plane[0]}, {plane[2], plane[0]});
    Fraction result;
    const int sign = start > end ? 1 : -1;
    result.over = start * sign;
    result.under = (start - end) * sign;
    const int turn = sign * stepSign;
    result.step[0] = normal.x * turn;
    result.step[1] = normal.y * turn;
    result.step[2] = normal.z * turn;
    return result;
}

}  // namespace

GridOfPoints::GridOfPoints(const Vec3d& low, const Vec3d& high) : center_((low + high) * 0.5) {
    const Vec3d half = (high - low) * 0.5;
    const double longest = std::max({half.x, half.y, half.z, 1e-300});
    scale_ = (kLargest - 1) / longest;
}

ExactPoint GridOfPoints::operator()(const Vec3d& p) const {
    const auto round = [&](double value) {
        return std::int32_t(std::clamp(std::floor(value * scale_ + 0.5), -kLargest, kLargest));
    };
    const Vec3d d = p - center_;
    return {round(d.x), round(d.y), round(d.z)};
}

Wide volume(const ExactPoint& a, const ExactPoint& b, const ExactPoint& c, const ExactPoint& d) {
    const Difference n = cross({b, a}, {c, a}), e(d, a);
    return Wide(n.x) * e.x + Wide(n.y) * e.y + Wide(n.z) * e.z;
}

int sideOfCutter(const ExactPoint (&cutter)[3], const ExactPoint& ofSurface) {
    const Difference n = cross({cutter[1], cutter[0]}, {cutter[2], cutter[0]});
    const int sign = signOfDot(n, {ofSurface, cutter[0]});
    return sign != 0 ? sign : (leadingSign(n) < 0 ? -1 : 1);
}

int sideOfSurface(const ExactPoint (&surface)[3], const ExactPoint& ofCutter) {
    const Difference n = cross({surface[1], surface[0]}, {surface[2], surface[0]});
    const int sign = signOfDot(n, {ofCutter, surface[0]});
    return sign != 0 ? sign : (leadingSign(n) > 0 ? -1 : 1);
}

bool hasArea(const ExactPoint (&triangle)[3]) {
    return leadingSign(cross({triangle[1], triangle[0]}, {triangle[2], triangle[0]})) != 0;
}

int sideOfEdge(const ExactPoint& a, const ExactPoint& b, const ExactPoint& p, const ExactPoint& q) {
    const Difference along(b, a);
    const int sign = signOfDot(cross(along, {p, a}), {q, a});
    return sign != 0 ? sign : leadingSign(cross(along, {p, q}));
}

Fraction fractionOnSurfaceEdge(const ExactPoint& p, const ExactPoint& q, const ExactPoint (&cutter)[3]) {
    return fractionOf(p, q, cutter, 1);
}

Fraction fractionOnCutterEdge(const ExactPoint& a, const ExactPoint& b, const ExactPoint (&surface)[3]) {
    return fractionOf(a, b, surface, -1);
}

bool isBefore(const Fraction& a, const Fraction& b) {
    int order = compareProducts(a.over, b.under, b.over, a.under);
    for (int axis = 0; axis < 3 && order == 0; ++axis)
        order = compareProducts(a.step[axis], b.under, b.step[axis], a.under);
    return order < 0;
}

}  // namespace sunder::geometry
