#include "elastic/solve/node_graph.h"

#include <algorithm>
#include <numeric>

#include "core/none.h"

namespace sunder::elastic {

namespace {

constexpr std::size_t kNodesPerRange = 2048;

}  // namespace

Incidence incidenceOf(std::span<const std::array<std::uint32_t, 4>> elements, std::size_t nodes) {
    Incidence out;
    out.first.assign(nodes + 1, 0);
    for (const auto& corners : elements)
        for (const std::uint32_t node : corners)
            ++out.first[node + 1];
    std::partial_sum(out.first.begin(), out.first.end(), out.first.begin());
    out.corners.resize(4 * elements.size());
    std::vector<std::uint32_t> next(out.first.begin(), out.first.end() - 1);
    for (std::size_t e = 0; e < elements.size(); ++e)
        for (std::uint32_t c = 0; c < 4; ++c)
            out.corners[next[elements[e][c]]++] = static_cast<std::uint32_t>(4 * e) + c;
    return out;
}

NodeGraph graphOf(std::span<const std::array<std::uint32_t, 4>> elements, const Incidence& incidence, TaskRunner& runner) {
    const std::size_t nodes = incidence.first.size() - 1;
    const int blocks = static_cast<int>((nodes + kNodesPerRange - 1) / kNodesPerRange);
    std::vector<std::vector<std::uint32_t>> found(blocks);
    NodeGraph out;
    out.first.assign(nodes + 1, 0);
    runTasks(runner, blocks, [&](int block) {
        const std::size_t begin = block * kNodesPerRange, end = std::min(nodes, begin + kNodesPerRange);
        std::vector<std::uint32_t> seenBy(nodes, 0xffffffffu);
        std::vector<std::uint32_t>& list = found[block];
        list.reserve((end - begin) * 16);
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t start = list.size();
            seenBy[i] = static_cast<std::uint32_t>(i);
            for (std::uint32_t k = incidence.first[i]; k < incidence.first[i + 1]; ++k)
                for (const std::uint32_t node : elements[incidence.corners[k] / 4])
                    if (seenBy[node] != i) {
                        seenBy[node] = static_cast<std::uint32_t>(i);
                        list.push_back(node);
                    }
            out.first[i + 1] = static_cast<std::uint32_t>(list.size() - start);
        }
    });
    std::partial_sum(out.first.begin(), out.first.end(), out.first.begin());
    out.neighbours.reserve(out.first.back());
    for (const auto& list : found)
        out.neighbours.insert(out.neighbours.end(), list.begin(), list.end());
    return out;
}

ColourOrder colourOrder(const NodeGraph& graph) {
    const std::size_t nodes = graph.size();
    std::size_t most = 0;
    for (std::size_t i = 0; i < nodes; ++i)
        most = std::max(most, graph.of(i).size());
    std::vector<std::uint32_t> colourOf(nodes, kNone), takenBy(most + 2, kNone), count;
    for (std::uint32_t i = 0; i < nodes; ++i) {
        for (const std::uint32_t other : graph.of(i))
            if (colourOf[other] != kNone)
                takenBy[colourOf[other]] = i;
        std::uint32_t colour = 0;
        while (takenBy[colour] == i)
            ++colour;
        colourOf[i] = colour;
        if (colour >= count.size())
            count.resize(colour + 1, 0);
        ++count[colour];
    }
    ColourOrder out;
    out.colour.assign(count.size() + 1, 0);
    std::partial_sum(count.begin(), count.end(), out.colour.begin() + 1);
    std::vector<std::uint32_t> next(out.colour.begin(), out.colour.end() - 1);
    out.node.resize(nodes);
    out.row.resize(nodes);
    for (std::uint32_t i = 0; i < nodes; ++i) {
        out.row[i] = next[colourOf[i]]++;
        out.node[out.row[i]] = i;
    }
    return out;
}

}  // namespace sunder::elastic
