// Distinguishes a load from a blow for any step length (gap 3 of [Li18] 3.5, which compares the impulse of one step with a
// threshold: a load's impulse grows with the step, that of a blow does not).
//
// The impulses of a joint or a contact are kept in two spans of time: the steps of the last kBlowTime, and the mean force
// before that, which fades with kLoadTime. A blow is the recent impulse beyond that mean. A load counts only as far as both
// spans bear it, since a blow has left the recent span before it enters the mean.
#pragma once

#include <vector>

#include "math/vec3.h"

namespace sunder::fracture {

// s: length of the recent span, and time constant of the mean before it.
inline constexpr Real kBlowTime = Real(1) / 30, kLoadTime = Real(0.1);
// s. By default a joint that bears a force bears a blow of that force times kImpactTime. Longer than kBlowTime, so that a load
// that sets in at once is no blow unless it is too great in itself.
inline constexpr Real kImpactTime = Real(0.05);

// One step: impulses given (N s, N m s), and force and torque at its end (N, N m).
struct LoadSample {
    Real duration = 0;
    Vec3 impulse, angularImpulse;
    Vec3 endForce, endTorque;
};

// Mean forces of the two spans (N, N m), and the blow (N s, N m s).
struct LoadReading {
    Vec3 recentForce, recentTorque;
    Vec3 meanForce, meanTorque;
    Vec3 blow, angularBlow;
    Real duration = 0;     // s: length of the recent span
    bool isReady = false;  // there are steps of at least kBlowTime to judge by
};

struct LoadWindow {
    std::vector<LoadSample> recent;  // oldest first
    Vec3 meanForce, meanTorque;
    bool hasBegun = false;

    // The reading as it would be after one more step.
    LoadReading with(const LoadSample& last) const {
        LoadReading reading;
        reading.duration = last.duration;
        Vec3 impulse = last.impulse, angularImpulse = last.angularImpulse;
        for (std::size_t i = recent.size(); i-- > 0 && reading.duration < kFull;) {
            reading.duration += recent[i].duration;
            impulse += recent[i].impulse;
            angularImpulse += recent[i].angularImpulse;
        }
        reading.isReady = hasBegun || reading.duration >= kFull;
        reading.recentForce = impulse / reading.duration;
        reading.recentTorque = angularImpulse / reading.duration;
        reading.meanForce = meanForce;
        reading.meanTorque = meanTorque;
        if (!hasBegun)
            noteFirst(last, reading.meanForce, reading.meanTorque);
        reading.blow = impulse - reading.meanForce * reading.duration;
        reading.angularBlow = angularImpulse - reading.meanTorque * reading.duration;
        return reading;
    }

    void add(const LoadSample& last) {
        if (!hasBegun)
            noteFirst(last, meanForce, meanTorque);
        recent.push_back(last);
        Real duration = 0;
        std::size_t kept = 0;
        while (kept < recent.size() && duration < kFull)
            duration += recent[recent.size() - ++kept].duration;
        hasBegun = hasBegun || duration >= kFull;
        for (std::size_t i = 0; i + kept < recent.size(); ++i)
            fade(recent[i]);
        recent.erase(recent.begin(), recent.end() - static_cast<std::ptrdiff_t>(kept));
    }

    bool isIdle() const {
        for (const LoadSample& sample : recent)
            if (!(sample.impulse == Vec3{} && sample.angularImpulse == Vec3{}))
                return false;
        return lengthSquared(meanForce) + lengthSquared(meanTorque) < kNothing;
    }

private:
    // s: the recent span is complete at this length. Below kBlowTime, because steps of 1/240 s add up to 1/30 s only up to
    // rounding.
    static constexpr Real kFull = kBlowTime * Real(0.999);
    // N^2 and (N m)^2: a squared mean load below this has faded away; a micronewton is far below any load that matters.
    static constexpr Real kNothing = Real(1e-12);

    // A body that is added under load has not been struck. So, as long as there is no mean yet, the smallest load of the first
    // kBlowTime counts as the mean.
    void noteFirst(const LoadSample& sample, Vec3& force, Vec3& torque) const {
        if (recent.empty() || lengthSquared(sample.endForce) < lengthSquared(force))
            force = sample.endForce;
        if (recent.empty() || lengthSquared(sample.endTorque) < lengthSquared(torque))
            torque = sample.endTorque;
    }

    void fade(const LoadSample& gone) {
        // 1 - exp(-x), by its Pade form to 1e-4 for x up to 1; a longer step replaces the mean.
        const Real x = min(1, gone.duration / kLoadTime);
        const Real share = x / (1 + x / 2 + x * x / 12);
        meanForce += (gone.impulse / gone.duration - meanForce) * share;
        meanTorque += (gone.angularImpulse / gone.duration - meanTorque) * share;
    }
};

// N or N m: the load that both spans bear, the smaller of the two.
inline Real sustained(const Vec3& recent, const Vec3& mean) { return min(length(recent), length(mean)); }

}  // namespace sunder::fracture
