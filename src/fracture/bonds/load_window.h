// Tells a load from a blow, whatever the step (gap 3 of [Li18] 3.5, which compares the impulse of one step with a threshold:
// a load's impulse grows with the step, that of a blow does not).
//
// What a joint or a contact did is kept in two parts: the steps of the last kBlowTime, and the mean of what was before, which
// fades with kLoadTime. A blow is what the recent steps hold beyond that mean. A load counts only as far as both parts bear it:
// a blow is gone from the one before it comes to the other.
#pragma once

#include <vector>

#include "math/vec3.h"

namespace sunder::fracture {

inline constexpr Real kBlowTime = Real(1) / 30, kLoadTime = Real(0.1);
// s: what bears a force bears a blow of as much as the force does in this time, where nothing else is said. Longer than
// kBlowTime, so that a load that sets in at once is no blow unless it is too great in itself.
inline constexpr Real kImpactTime = Real(0.05);

// Of one step: what it was given, N s and N m s, and the force at its end, N and N m.
struct LoadSample {
    Real duration = 0;
    Vec3 impulse, angularImpulse;
    Vec3 endForce, endTorque;
};

// N, N m: means of the two parts; N s, N m s: the blow.
struct LoadReading {
    Vec3 recentForce, recentTorque;
    Vec3 meanForce, meanTorque;
    Vec3 blow, angularBlow;
    Real duration = 0;     // s of the recent part
    bool isReady = false;  // what was at work kBlowTime ago is known
};

struct LoadWindow {
    std::vector<LoadSample> recent;  // oldest first
    Vec3 meanForce, meanTorque;
    bool hasBegun = false;

    // As it would be with one more step.
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
    // Steps of 1/240 s add up to 1/30 s but for rounding.
    static constexpr Real kFull = kBlowTime * Real(0.999);
    static constexpr Real kNothing = Real(1e-12);

    // A load that is there from the beginning is none that sets in: the least of the first kBlowTime counts as there before.
    void noteFirst(const LoadSample& sample, Vec3& force, Vec3& torque) const {
        if (recent.empty() || lengthSquared(sample.endForce) < lengthSquared(force))
            force = sample.endForce;
        if (recent.empty() || lengthSquared(sample.endTorque) < lengthSquared(torque))
            torque = sample.endTorque;
    }

    void fade(const LoadSample& gone) {
        // 1 - exp(-x), by its Pade form to 1e-4 for x up to 1; longer steps are the whole mean.
        const Real x = min(1, gone.duration / kLoadTime);
        const Real share = x / (1 + x / 2 + x * x / 12);
        meanForce += (gone.impulse / gone.duration - meanForce) * share;
        meanTorque += (gone.angularImpulse / gone.duration - meanTorque) * share;
    }
};

// N or N m: what counts as a load, of the larger of two forces only the smaller.
inline Real sustained(const Vec3& recent, const Vec3& mean) { return min(length(recent), length(mean)); }

}  // namespace sunder::fracture
