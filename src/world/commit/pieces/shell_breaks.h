// What the thin shells that are struck in one step break into, found side by side, one in each thread. Each is broken as if it
// were the first, so the result depends neither on the number of threads nor on how many are found at once.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "world/commit/pieces/shell_pieces.h"

namespace sunder::world {

class ShellBreaks {
public:
    // Null where nothing is to be tried.
    using RequestAt = std::function<const BreakRequest*(std::size_t)>;
    ShellBreaks(WorldState& world, std::size_t count, RequestAt requestAt);

    // Null where the request is for no shell, or for one that had better be broken by all threads. Breaks that the caps of the
    // step will refuse are mostly not looked for: asked of one, it finds those of the next ones that are expected to fit.
    ShellBreak* of(std::size_t number);

private:
    std::size_t mostAtOnce() const;
    void findFrom(std::size_t number);

    WorldState& world_;
    RequestAt requestAt_;
    std::vector<std::optional<ShellBreak>> made_;
    std::size_t end_ = 0;  // those before this one were looked at
    std::size_t tried_ = 0;
    double workBefore_;  // s: of the step, before the first of these
};

}  // namespace sunder::world
