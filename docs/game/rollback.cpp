// Rollback: a client guesses the other player's input, is told the truth some frames later, goes back and plays them again.
#include <sunder/sunder.h>

#include <cstdio>
#include <deque>
#include <vector>

using namespace sunder;

namespace {

struct Game {
    World world;
    BodyId players[2];

    Game() {
        world.addBody({.shape = Box{{20, 0.5f, 20}}, .motion = Motion::Static, .position = {0, -0.5f, 0}});
        for (int i = 0; i < 2; ++i)
            players[i] = world.addBody({.shape = Sphere{0.5f}, .position = {Real(i) * 3 - 1.5f, 0.5f, 0}, .mass = Real(5)});
        for (int i = 0; i < 20; ++i)
            world.addBody({.shape = Box{{0.25f, 0.25f, 0.25f}}, .position = {0, 0.25f + 0.5f * Real(i % 5), Real(i / 5) - 2}});
    }
    void play(const Vec3& mine, const Vec3& theirs) {
        world.addForce(players[0], mine);
        world.addForce(players[1], theirs);
        world.step(1.f / 60);
    }
};

Vec3 inputOf(int player, int frame) {
    const Real push = player == 0 ? 60.f : -60.f;
    return (frame / 20 + player) % 3 == 0 ? Vec3{0, 0, push} : Vec3{push, 0, 0};
}

}  // namespace

int main() {
    constexpr int kFrames = 180, kDelay = 6;  // frames until the other's input arrives
    Game server, client;
    std::deque<Checkpoint> past;  // of the frames whose input is not yet known
    Vec3 lastKnown;
    int rollbacks = 0;
    for (int frame = 0; frame < kFrames; ++frame) {
        server.play(inputOf(0, frame), inputOf(1, frame));
        past.push_back(client.world.checkpoint());
        client.play(inputOf(0, frame), lastKnown);  // a guess: as before
        if (frame < kDelay)
            continue;
        const int known = frame - kDelay;
        if (const Vec3 truth = inputOf(1, known); !(truth == lastKnown)) {
            ++rollbacks;
            lastKnown = truth;
            client.world.rewind(past.front());
            for (int i = known; i <= frame; ++i) {
                past[std::size_t(i - known)] = client.world.checkpoint();
                client.play(inputOf(0, i), lastKnown);
            }
        }
        past.pop_front();
    }
    // The last frames come in: from the first whose input was guessed on, play what really happened.
    client.world.rewind(past.front());
    for (int i = kFrames - kDelay; i < kFrames; ++i)
        client.play(inputOf(0, i), inputOf(1, i));
    const bool agree = client.world.hash() == server.world.hash();
    std::printf("rollback: %d rollbacks, the worlds %s\n", rollbacks, agree ? "agree to the bit" : "differ");
    return agree && rollbacks >= 3 ? 0 : 1;
}
