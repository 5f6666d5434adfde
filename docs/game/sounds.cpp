// Sounds from impacts: a ball that bounces, each blow as loud as its impulse, and a box that scrapes as long as it slides.
#include <sunder/sunder.h>

#include <cmath>
#include <cstdio>
#include <vector>

using namespace sunder;

namespace {

// What a game would hand to its mixer.
struct Sound {
    int frame;
    Real loudness;  // 0 to 1
    Vec3 at;
};

}  // namespace

int main() {
    World world;
    const BodyId floor = world.addBody({.shape = Box{{20, 0.5f, 20}}, .motion = Motion::Static, .position = {0, -0.5f, 0}});
    const BodyId ball =
        world.addBody({.shape = Sphere{0.2f}, .position = {0, 3, 0}, .material = {.restitution = 0.8f}, .mass = Real(1)});
    const BodyId crate = world.addBody({.shape = Box{{0.3f, 0.3f, 0.3f}}, .position = {-8, 0.3f, 5}, .velocity = {5, 0, 0}});
    std::vector<Sound> hits;
    int scraping = 0;
    for (int frame = 0; frame < 240; ++frame) {
        world.step(1.f / 60);
        for (const ContactEvent& event : world.contactEvents()) {
            if (event.sensor || event.phase == ContactPhase::End)
                continue;
            const BodyId body = event.a == floor ? event.b : event.a;
            // A blow: more than what the body's weight gives in a step.
            const Real weight = world.mass(body) * 9.81f / 60;
            if (body == ball && event.phase == ContactPhase::Begin && event.impulse > 2 * weight)
                hits.push_back({frame, std::fmin(event.impulse / 20, 1.f), event.point});
            // Scraping: friction that does work, at the speed of the point that touches.
            if (body == crate && event.frictionImpulse > 0 && std::fabs(world.velocityAt(body, event.point).x) > 0.1f)
                ++scraping;
        }
    }
    bool isFading = true;
    for (std::size_t i = 1; i < hits.size(); ++i)
        isFading = isFading && hits[i].loudness < hits[i - 1].loudness * 0.9f;
    // It slides for v / (mu g) = 5 / (0.5 * 9.81) = 1.02 s.
    std::printf("sounds: %zu blows, the first of %.2f at frame %d; scraping for %d frames\n", hits.size(),
                hits.empty() ? 0 : double(hits[0].loudness), hits.empty() ? 0 : hits[0].frame, scraping);
    return hits.size() >= 3 && isFading && std::abs(hits[0].frame - 45) <= 1 && std::abs(scraping - 60) <= 4 ? 0 : 1;
}
