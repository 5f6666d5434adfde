// Strongly connected components by depth first search (Tarjan), without recursion: a pile may be thousands of bodies deep.
// A component is finished after all those it rests on, so its level is known at once.
#include "dynamics/impulse/contact_graph.h"

#include <algorithm>

namespace sunder::dynamics {

namespace {

constexpr std::uint32_t kUnseen = 0xffffffffu;

class Levels {
public:
    Levels(std::span<const Rest> rests, std::span<const std::uint8_t> isSupport, std::vector<int>& level,
           std::vector<std::uint8_t>& grounded)
        : isSupport_(isSupport), level_(level), grounded_(grounded) {
        const std::size_t count = isSupport.size();
        first_.assign(count + 1, 0);
        for (const Rest& rest : rests)
            ++first_[rest.upper + 1];
        for (std::size_t i = 0; i < count; ++i)
            first_[i + 1] += first_[i];
        lower_.resize(rests.size());
        std::vector<std::uint32_t> fill(first_.begin(), first_.end() - 1);
        for (const Rest& rest : rests)
            lower_[fill[rest.upper]++] = rest.lower;
        index_.assign(count, kUnseen);
        low_.assign(count, 0);
        level_.assign(count, 0);
        grounded_.assign(count, 0);
        for (std::uint32_t body = 0; body < count; ++body) {
            if (isSupport[body])
                grounded_[body] = 1;
            else if (index_[body] == kUnseen)
                search(body);
        }
    }

private:
    struct Visit {
        std::uint32_t body, edge;
    };

    void enter(std::uint32_t body) {
        index_[body] = low_[body] = next_++;
        open_.push_back(body);
        level_[body] = -1;  // open
        path_.push_back({body, first_[body]});
    }

    void search(std::uint32_t root) {
        enter(root);
        while (!path_.empty()) {
            Visit& visit = path_.back();
            const std::uint32_t body = visit.body;
            if (visit.edge < first_[body + 1]) {
                const std::uint32_t lower = lower_[visit.edge++];
                if (isSupport_[lower])
                    continue;
                if (index_[lower] == kUnseen)
                    enter(lower);
                else if (level_[lower] < 0)
                    low_[body] = std::min(low_[body], index_[lower]);
                continue;
            }
            path_.pop_back();
            if (!path_.empty())
                low_[path_.back().body] = std::min(low_[path_.back().body], low_[body]);
            if (low_[body] == index_[body])
                finish(body);
        }
    }

    // The component is open_ from `root` on.
    void finish(std::uint32_t root) {
        const auto begin = std::find(open_.begin(), open_.end(), root);
        int below = 0;
        std::uint8_t grounded = 0;
        for (auto body = begin; body != open_.end(); ++body)
            for (std::uint32_t edge = first_[*body]; edge < first_[*body + 1]; ++edge) {
                below = std::max(below, level_[lower_[edge]]);  // open ones are -1
                grounded |= grounded_[lower_[edge]];
            }
        for (auto body = begin; body != open_.end(); ++body) {
            level_[*body] = below + 1;
            grounded_[*body] = grounded;
        }
        open_.erase(begin, open_.end());
    }

    std::span<const std::uint8_t> isSupport_;
    std::vector<int>& level_;
    std::vector<std::uint8_t>& grounded_;
    std::vector<std::uint32_t> first_, lower_;  // body i rests on lower_[first_[i]] to lower_[first_[i + 1]]
    std::vector<std::uint32_t> index_, low_;
    std::vector<std::uint32_t> open_;
    std::vector<Visit> path_;
    std::uint32_t next_ = 0;
};

}  // namespace

void buildLevels(std::span<const Rest> rests, std::span<const std::uint8_t> isSupport, std::vector<int>& level,
                 std::vector<std::uint8_t>& grounded) {
    Levels(rests, isSupport, level, grounded);
}

}  // namespace sunder::dynamics
