// Who rests on whom: the order in which shock propagation walks through a pile [GBF03].
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sunder::dynamics {

struct Rest {
    std::uint32_t upper = 0, lower = 0;
};

class ContactGraph {
public:
    // isSupport: bodies that never give way, one entry per body.
    void build(std::span<const Rest> rests, std::span<const std::uint8_t> isSupport);

    // 0 for a support; 1 for a body that rests on supports only, or on nothing; else one more than the highest level it rests
    // on. Bodies that rest on each other, directly or in a ring, share a level.
    int level(std::uint32_t body) const { return level_[body]; }
    // Whether the body rests on a support, directly or through others.
    bool isGrounded(std::uint32_t body) const { return grounded_[body] != 0; }

private:
    struct Visit {
        std::uint32_t body, edge;
    };

    void listEdges(std::span<const Rest> rests, std::size_t bodyCount);
    void search(std::uint32_t root, std::span<const std::uint8_t> isSupport);
    void enter(std::uint32_t body);
    void finishComponent(std::uint32_t root);

    std::vector<int> level_;
    std::vector<std::uint8_t> grounded_;
    // Scratch of build. Body i rests on lower_[first_[i]] to lower_[first_[i + 1]].
    std::vector<std::uint32_t> first_, lower_, fill_;
    std::vector<std::uint32_t> index_, low_, open_;
    std::vector<Visit> path_;
    std::uint32_t next_ = 0;
};

}  // namespace sunder::dynamics
