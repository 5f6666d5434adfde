#include "world/flesh/flesh_touches.h"

#include <algorithm>

namespace sunder::world {

namespace {

Vec3 inBody(const Body& body, const WorldPoint& point) {
    return rotate(conjugate(userOrientation(body)), point - userPosition(body));
}

}  // namespace

void FleshTouches::add(const PagedVector<Body>& bodies, const FleshContact& found, const deformable::IslandContact& solved) {
    if (found.a.body == found.b.body || (!found.isHold && found.gap > kFleshNear && !(solved.normalImpulse > 0)))
        return;
    Touch touch;
    touch.blow.striker = found.a.body;
    touch.blow.struck = found.b.body;
    touch.blow.point = found.b.point;
    touch.blow.onStriker = inBody(bodies[found.a.body], found.b.point);
    touch.blow.onStruck = inBody(bodies[found.b.body], found.b.point);
    touch.blow.normal = found.normal;
    touch.blow.impulse = found.isHold ? solved.held : found.normal * solved.normalImpulse + solved.tangentImpulse;
    touch.blow.normalImpulse = touch.hardest = solved.normalImpulse;
    if (touch.blow.striker > touch.blow.struck) {
        std::swap(touch.blow.striker, touch.blow.struck);
        std::swap(touch.blow.onStriker, touch.blow.onStruck);
        touch.blow.normal = -touch.blow.normal;
        touch.blow.impulse = -touch.blow.impulse;
    }
    touches_.push_back(touch);
}

void FleshTouches::take(std::vector<SweptBlow>& blows) {
    blows.clear();
    std::stable_sort(touches_.begin(), touches_.end(), [](const Touch& a, const Touch& b) {
        return a.blow.striker != b.blow.striker ? a.blow.striker < b.blow.striker : a.blow.struck < b.blow.struck;
    });
    Real hardest = 0;
    for (const Touch& touch : touches_) {
        if (blows.empty() || blows.back().striker != touch.blow.striker || blows.back().struck != touch.blow.struck) {
            blows.push_back(touch.blow);
            hardest = touch.hardest;
            continue;
        }
        const Vec3 impulse = blows.back().impulse + touch.blow.impulse;
        const Real normalImpulse = blows.back().normalImpulse + touch.blow.normalImpulse;
        if (touch.hardest > hardest) {  // the place is that of the hardest
            blows.back() = touch.blow;
            hardest = touch.hardest;
        }
        blows.back().impulse = impulse;
        blows.back().normalImpulse = normalImpulse;
    }
    touches_.clear();
}

}  // namespace sunder::world
