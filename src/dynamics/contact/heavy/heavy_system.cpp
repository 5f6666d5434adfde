#include "dynamics/contact/heavy/heavy_system.h"

#include <algorithm>
#include <cmath>

#include "dynamics/contact/scalar/soft_contact.h"

namespace sunder::dynamics {

namespace {

// m/s: rounding of velocities where bodies rest. Of heavy bodies it would look like gained energy.
constexpr double kSpeedRounding = 1e-7;

}  // namespace

void HeavySystem::resize(std::size_t points) {
    pointCount = points;
    rowCount = 3 * points;
    matrix.resize(rowCount * rowCount);
    friction.resize(points);
    for (std::vector<double>* values : {&had, &targets, &wanted, &change, &left})
        values->resize(rowCount);
}

void HeavySystem::takeMatrix() {
    tangentMasses.resize(pointCount);
    for (std::size_t i = 0; i < pointCount; ++i) {
        const double* own = answerTo(tangentOf(i)) + tangentOf(i);
        const double a = own[0], b = own[1], c = own[rowCount + 1], determinant = a * c - b * b, trace = a + c;
        const bool isFlat = !(determinant > double(kFlatAnswer) * (trace * trace));  // bodies yield in one direction, if any
        const double inverse = isFlat ? 0 : 1 / determinant, flat = isFlat && trace > 0 ? 1 / trace : 0;
        tangentMasses[i] = {c * inverse + flat, -b * inverse, a * inverse + flat};
    }
    normalFactor.forget();
    stickingFactor.forget();
}

void HeavySystem::begin() {
    std::fill(change.begin(), change.end(), 0.0);
    left = wanted;
}

// The matrix is symmetric, so the column of a row is its row.
void HeavySystem::add(std::size_t row, double impulse) {
    change[row] += impulse;
    const double* __restrict answer = answerTo(row);
    double* __restrict rest = left.data();
    for (std::size_t i = 0; i < rowCount; ++i)
        rest[i] -= answer[i] * impulse;
}

void HeavySystem::findLeft(std::size_t row) {
    const double* answer = answerTo(row);
    double sum = wanted[row];
    for (std::size_t i = 0; i < rowCount; ++i)
        sum -= answer[i] * change[i];
    left[row] = sum;
}

void HeavySystem::rub(std::size_t tangent, double first, double second) {
    change[tangent] += first;
    change[tangent + 1] += second;
    const double* __restrict answer1 = answerTo(tangent), * __restrict answer2 = answerTo(tangent + 1);
    double* __restrict rest = left.data();
    for (std::size_t i = pointCount; i < rowCount; ++i)
        rest[i] -= answer1[i] * first + answer2[i] * second;
}

bool HeavySystem::dropOverlaps() {
    bool any = false;
    for (std::size_t i = 0; i < pointCount; ++i) {
        any = any || targets[i] > 0;
        wanted[i] -= std::fmax(targets[i], 0);
        targets[i] = std::fmin(targets[i], 0);
    }
    return any;
}

bool HeavySystem::isBelow(double impulse) const {
    return std::all_of(change.begin(), change.end(), [&](double x) { return std::fabs(x) <= impulse; });
}

// Whether the work of the impulses, with the mean of the velocities before and after, exceeds what the targets ask for. The
// rows of a wedged body ask for what cannot be, and get large impulses that nearly cancel; these must not count as asked for.
// So each impulse counts only up to what the heaviest body of the block would need.
bool HeavySystem::gainsEnergy() const {
    double work = 0, asked = 0;
    for (std::size_t i = 0; i < rowCount; ++i) {
        if (change[i] == 0)
            continue;
        work += change[i] * (targets[i] - 0.5 * (wanted[i] + left[i]));
        asked += kSpeedRounding * std::fabs(change[i]);
        if (targets[i] != 0) {
            const double needed = massRatio * std::fabs(wanted[i]) / matrix[i * rowCount + i];
            asked += std::fabs(targets[i]) * std::fmin(std::fabs(change[i]), needed);
        }
    }
    return !(work <= asked + 1e-9);
}

}  // namespace sunder::dynamics
