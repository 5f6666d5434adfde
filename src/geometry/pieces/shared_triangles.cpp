#include "geometry/pieces/shared_triangles.h"

#include <algorithm>
#include <numeric>

namespace sunder::geometry {
namespace {

constexpr std::uint32_t kOutside = SharedTriangle::kOutside;
constexpr std::uint32_t kFewestOfPiece = 4;  // triangles of a closed piece

bool haveSameNodes(const SharedTriangle& a, const SharedTriangle& b) {
    return b.has(a.nodes[0]) && b.has(a.nodes[1]) && b.has(a.nodes[2]);
}

bool runAlike(const SharedTriangle& a, const SharedTriangle& b) {
    const auto at = std::find(b.nodes.begin(), b.nodes.end(), a.nodes[0]) - b.nodes.begin();
    return b.nodes[std::size_t(at + 1) % 3] == a.nodes[1];
}

enum class Joined { Impossible, Nothing, One };

// Two triangles on the same nodes: what lies between them has no volume and goes.
Joined joinTwo(const SharedTriangle& a, SharedTriangle b, SharedTriangle& result) {
    if (!runAlike(a, b))
        b = b.reversed();
    const bool isFirst = a.front == b.back;  // seen along the normal
    if (!isFirst && b.front != a.back)
        return Joined::Impossible;
    if ((isFirst ? a.front : a.back) == kOutside)
        return Joined::Impossible;
    const std::uint32_t back = isFirst ? a.back : b.back, front = isFirst ? b.front : a.front;
    if (back == front)
        return Joined::Nothing;
    const bool takesB = (back == kOutside || front == kOutside) ? b.back == kOutside || b.front == kOutside : false;
    result = takesB ? b : a;
    result.back = back;
    result.front = front;
    if (back == kOutside)
        result = result.reversed();
    return Joined::One;
}

bool isIn(const std::vector<std::uint32_t>& list, std::uint32_t item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

}  // namespace

SharedTriangles::SharedTriangles(std::vector<SharedTriangle> triangles, std::size_t nodes, std::uint32_t pieces)
    : all_(std::move(triangles)),
      isThere_(all_.size(), 1),
      first_(3 * all_.size()),
      firstAt_(nodes + 1),
      changedAt_(nodes, kUnchanged),
      countOf_(pieces) {
    for (const SharedTriangle& triangle : all_)
        for (const std::uint32_t node : triangle.nodes)
            ++firstAt_[node + 1];
    std::partial_sum(firstAt_.begin(), firstAt_.end(), firstAt_.begin());
    std::vector<std::uint32_t> next(firstAt_.begin(), firstAt_.end() - 1);
    for (std::uint32_t t = 0; t < all_.size(); ++t) {
        for (const std::uint32_t node : all_[t].nodes)
            first_[next[node]++] = t;
        ++countOf_[all_[t].back];
        if (all_[t].isCrack())
            ++countOf_[all_[t].front];
    }
}

bool SharedTriangles::hasEdge(std::uint32_t a, std::uint32_t b) const {
    const auto here = at(a);
    return std::any_of(here.begin(), here.end(), [&](std::uint32_t t) { return all_[t].has(b); });
}

std::vector<std::uint32_t> SharedTriangles::atEdge(std::uint32_t a, std::uint32_t b) const {
    std::vector<std::uint32_t> found;
    for (const std::uint32_t t : at(a))
        if (all_[t].has(b))
            found.push_back(t);
    return found;
}

std::optional<SharedTriangles::Change> SharedTriangles::settle(Change change) const {
    if (!joinEqual(change) || !keepsPieces(change) || !keepsEdges(change))
        return std::nullopt;
    return change;
}

bool SharedTriangles::joinEqual(Change& change) const {
    std::vector<SharedTriangle> left = std::move(change.added), done;
    while (!left.empty()) {
        SharedTriangle triangle = left.back();
        left.pop_back();
        SharedTriangle other;
        bool isFound = false;
        for (std::size_t i = 0; i < done.size() && !isFound; ++i)
            if (haveSameNodes(triangle, done[i])) {
                isFound = true;
                other = done[i];
                done.erase(done.begin() + std::ptrdiff_t(i));
            }
        for (const std::uint32_t t : at(triangle.nodes[0]))
            if (!isFound && haveSameNodes(triangle, all_[t]) && !isIn(change.removed, t)) {
                isFound = true;
                other = all_[t];
                change.removed.push_back(t);
            }
        if (!isFound) {
            done.push_back(triangle);
            continue;
        }
        SharedTriangle one;
        const Joined joined = joinTwo(triangle, other, one);
        if (joined == Joined::Impossible)
            return false;
        if (joined == Joined::One)
            left.push_back(one);
    }
    std::reverse(done.begin(), done.end());
    change.added = std::move(done);
    return true;
}

bool SharedTriangles::keepsPieces(const Change& change) const {
    std::vector<std::pair<std::uint32_t, int>> more;
    const auto count = [&](const SharedTriangle& triangle, int by) {
        for (const std::uint32_t piece : {triangle.back, triangle.front}) {
            if (piece == kOutside)
                continue;
            auto at = std::find_if(more.begin(), more.end(), [&](const auto& entry) { return entry.first == piece; });
            if (at == more.end())
                at = more.insert(more.end(), {piece, 0});
            at->second += by;
        }
    };
    for (const std::uint32_t t : change.removed)
        count(all_[t], -1);
    for (const SharedTriangle& triangle : change.added)
        count(triangle, 1);
    return std::all_of(more.begin(), more.end(), [&](const auto& entry) {
        return entry.second >= 0 || int(countOf_[entry.first]) + entry.second >= int(kFewestOfPiece);
    });
}

bool SharedTriangles::keepsEdges(const Change& change) const {
    struct Uses {
        std::uint32_t piece;
        int before, after;
    };
    std::vector<Uses> uses;
    const auto count = [&](const SharedTriangle& triangle, int before, int after) {
        for (const std::uint32_t piece : {triangle.back, triangle.front}) {
            if (piece == kOutside)
                continue;
            auto at = std::find_if(uses.begin(), uses.end(), [&](const Uses& use) { return use.piece == piece; });
            if (at == uses.end())
                at = uses.insert(uses.end(), {piece, 0, 0});
            at->before += before;
            at->after += after;
        }
    };
    for (const SharedTriangle& triangle : change.added)
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t a = triangle.nodes[i], b = triangle.nodes[(i + 1) % 3];
            uses.clear();
            for (const std::uint32_t t : at(a))
                if (all_[t].has(b))
                    count(all_[t], 1, isIn(change.removed, t) ? 0 : 1);
            for (const SharedTriangle& other : change.added)
                if (other.has(a) && other.has(b))
                    count(other, 0, 1);
            for (const Uses& use : uses)
                if (use.after > 2 && use.after > use.before)
                    return false;
        }
    return true;
}

std::uint32_t SharedTriangles::addNode() {
    changedAt_.push_back(std::uint32_t(changed_.size()));
    changed_.emplace_back();
    return std::uint32_t(changedAt_.size() - 1);
}

std::vector<std::uint32_t>& SharedTriangles::changedAt(std::uint32_t node) {
    if (changedAt_[node] == kUnchanged) {
        const auto before = at(node);
        changed_.emplace_back(before.begin(), before.end());
        changedAt_[node] = std::uint32_t(changed_.size() - 1);
    }
    return changed_[changedAt_[node]];
}

void SharedTriangles::apply(const Change& change) {
    const auto count = [&](const SharedTriangle& triangle, std::uint32_t by) {
        countOf_[triangle.back] += by;
        if (triangle.isCrack())
            countOf_[triangle.front] += by;
    };
    for (const std::uint32_t t : change.removed) {
        isThere_[t] = 0;
        count(all_[t], std::uint32_t(-1));
        for (const std::uint32_t node : all_[t].nodes)
            std::erase(changedAt(node), t);
    }
    for (const SharedTriangle& triangle : change.added) {
        const std::uint32_t t = std::uint32_t(all_.size());
        all_.push_back(triangle);
        isThere_.push_back(1);
        count(triangle, 1);
        for (const std::uint32_t node : triangle.nodes)
            changedAt(node).push_back(t);
    }
}

}  // namespace sunder::geometry
