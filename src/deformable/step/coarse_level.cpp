// The coarse level of the preconditioner: six rigid motions per group of aggregates and per rigid body, factored by blocks,
// sparsely. A group moves as y = a + b x r, r from its centre; the coarse matrix is what the fine one makes of such motions.
#include <algorithm>
#include <array>
#include <cmath>

#include "deformable/step/linear_system.h"

namespace sunder::deformable {

namespace {

// Groups of solids beyond one for each: with more, factoring takes longer than the sweeps that it saves.
constexpr std::uint32_t kMostSolidGroups = 64;

// Columns 0 to 2: the block itself; 3 to 5: the block times e_k x r.
struct SixColumns {
    Four column[6];
};

void addMoved(SixColumns& sum, const Block& m, const Vec3& r) {
    const Four x = fourOf(r.x), y = fourOf(r.y), z = fourOf(r.z);
    for (int k = 0; k < 3; ++k)
        sum.column[k] += m.column[k];
    sum.column[3] += y * m.column[2] - z * m.column[1];
    sum.column[4] += z * m.column[0] - x * m.column[2];
    sum.column[5] += x * m.column[1] - y * m.column[0];
}

// Adds the rows [c ; r x c] of every column to the 6 x 6 block at `out`.
void addRows(const SixColumns& columns, const Vec3& r, Real* out) {
    for (int k = 0; k < 6; ++k) {
        const Vec3 c = toVec3(columns.column[k]), t = cross(r, c);
        out[k] += c.x;
        out[6 + k] += c.y;
        out[12 + k] += c.z;
        out[18 + k] += t.x;
        out[24 + k] += t.y;
        out[30 + k] += t.z;
    }
}

}  // namespace

void LinearSystem::chooseGroups() {
    std::uint32_t shift = 0;
    const auto moreAt = [&](std::uint32_t s) {
        std::size_t sum = 0;
        for (const SystemSolid& solid : solids_)
            sum += ((solid.model->aggregateCount() + (std::size_t(1) << s) - 1) >> s) - 1;
        return sum;
    };
    while (shift < 8 &&
           (moreAt(shift) >= kMostSolidGroups || moreAt(shift) + solids_.size() + bodies_.size() > GroupSet::kMost))
        ++shift;
    groupOfRow_.resize(size_);
    firstChunkOfGroup_.clear();
    std::uint32_t solid = ~0u, inSolid = 0;
    for (std::uint32_t c = 0; c < chunks_.size(); ++c) {
        if (chunks_[c].solid != solid) {
            solid = chunks_[c].solid;
            inSolid = 0;
        }
        if ((inSolid++ & ((1u << shift) - 1)) == 0)
            firstChunkOfGroup_.push_back(c);
        chunks_[c].group = static_cast<std::uint32_t>(firstChunkOfGroup_.size() - 1);
        for (std::uint32_t row = chunks_[c].begin; row < chunks_[c].end; ++row)
            groupOfRow_[row] = chunks_[c].group;
    }
    groups_ = firstChunkOfGroup_.size();
    firstChunkOfGroup_.push_back(static_cast<std::uint32_t>(chunks_.size()));
    if (groups_ > GroupSet::kMost)
        groups_ = 0;
}

void LinearSystem::placeGroups() {
    groupCenter_.assign(groups_, {});
    for (std::size_t g = 0; g < groups_; ++g) {
        const Chunk &first = chunks_[firstChunkOfGroup_[g]], &last = chunks_[firstChunkOfGroup_[g + 1] - 1];
        if (first.solid >= solids_.size())
            continue;
        const Four* offsets = solids_[first.solid].offsets - firstNode_[first.solid];
        Four sum{0, 0, 0, 0};
        for (std::uint32_t row = first.begin; row < last.end; ++row)
            sum += offsets[row];
        groupCenter_[g] = toVec3(sum) / Real(last.end - first.begin);
    }
}

// Which groups have a block with which without springs, and a place for those above the diagonal.
void LinearSystem::linkBase() {
    baseLinks_.assign(groups_, {});
    for (const Chunk& chunk : chunks_) {
        if (chunk.solid >= solids_.size())
            continue;
        const NodeGraph& graph = solids_[chunk.solid].model->graph;
        const std::uint32_t first = firstNode_[chunk.solid];
        for (std::uint32_t k = graph.firstOf[chunk.begin - first]; k < graph.firstOf[chunk.end - first]; ++k)
            baseLinks_[chunk.group].add(groupOfRow_[first + graph.neighbor[k]]);
    }
    firstBase_.assign(1, 0);
    baseColumn_.clear();
    for (std::uint32_t g = 0; g < groups_; ++g) {
        baseLinks_[g].remove(g);
        baseColumn_.push_back(g);
        baseLinks_[g].forEach([&](std::uint32_t h) {
            if (h > g)
                baseColumn_.push_back(h);
        });
        firstBase_.push_back(static_cast<std::uint32_t>(baseColumn_.size()));
    }
    baseBlocks_.assign(36 * baseColumn_.size(), 0);
}

void LinearSystem::addNodeToCoarse(const Chunk& chunk, std::uint32_t row) {
    const SystemSolid& solid = solids_[chunk.solid];
    const std::uint32_t first = firstNode_[chunk.solid], node = row - first;
    const NodeGraph& graph = solid.model->graph;
    const Vec3 r = toVec3(solid.offsets[node]) - groupCenter_[chunk.group];
    std::uint32_t block = firstBase_[chunk.group];
    SixColumns sum;
    addMoved(sum, solid.matrix->diagonal[node], r);
    addRows(sum, r, &baseBlocks_[36 * std::size_t(block)]);
    // A row's neighbours are ascending, and so are their groups.
    for (std::uint32_t k = graph.firstOf[node]; k < graph.firstOf[node + 1];) {
        const std::uint32_t group = groupOfRow_[first + graph.neighbor[k]];
        sum = {};
        for (; k < graph.firstOf[node + 1] && groupOfRow_[first + graph.neighbor[k]] == group; ++k) {
            const std::uint32_t other = graph.neighbor[k];
            if (group >= chunk.group && (solid.isPinned == nullptr || solid.isPinned[other] == 0))
                addMoved(sum, solid.matrix->offDiagonal[k], toVec3(solid.offsets[other]) - groupCenter_[group]);
        }
        if (group < chunk.group)
            continue;
        while (baseColumn_[block] != group)
            ++block;
        addRows(sum, r, &baseBlocks_[36 * std::size_t(block)]);
    }
}

// One group is one task.
void LinearSystem::assembleCoarse(TaskRunner& tasks) {
    linkBase();
    coarseX_.resize(6 * groups_);
    runRanges(tasks, groups_, std::max<std::size_t>(1, groups_ / 8), [&](std::size_t begin, std::size_t end) {
        for (std::size_t g = begin; g < end; ++g)
            for (std::uint32_t c = firstChunkOfGroup_[g]; c < firstChunkOfGroup_[g + 1]; ++c) {
                const Chunk& chunk = chunks_[c];
                if (chunk.solid >= solids_.size()) {
                    const SystemBody& body = bodies_[chunk.solid - solids_.size()];
                    Real* out = &baseBlocks_[36 * std::size_t(firstBase_[g])];
                    const Block inertia = toBlock(body.inertia);
                    for (int i = 0; i < 3; ++i) {
                        out[7 * i] = body.mass;
                        for (int j = 0; j < 3; ++j)
                            out[6 * (3 + i) + 3 + j] = inertia.column[j][i];
                    }
                    continue;
                }
                for (std::uint32_t row = chunk.begin; row < chunk.end; ++row)
                    if (!isPinned(chunk, row))
                        addNodeToCoarse(chunk, row);
            }
    });
}

void LinearSystem::addSprings() {
    for (const ContactSpring& spring : springs_) {
        if (spring.normalFactor == 0)
            continue;
        const ContactGradient& gradient = spring.gradient;
        Block whole = outerBlock(spring.normal, spring.normalFactor - spring.tangentFactor);
        whole += diagonalBlock(spring.tangentFactor);
        // The point's velocity by groups: scale * (a + b x arm).
        struct Term {
            std::uint32_t group;
            Real scale;
            Vec3 arm;
        } terms[ContactGradient::kMostNodes + ContactGradient::kMostBodies];
        int count = 0;
        for (int k = 0; k < gradient.nodeCount; ++k) {
            const std::uint32_t row = gradient.node[k], group = groupOfRow_[row];
            const Chunk& chunk = chunks_[firstChunkOfGroup_[group]];
            if (isPinned(chunk, row))
                continue;
            const Vec3 offset = toVec3(solids_[chunk.solid].offsets[row - firstNode_[chunk.solid]]);
            terms[count++] = {group, gradient.weight[k], offset - groupCenter_[group]};
        }
        for (int k = 0; k < gradient.bodyCount; ++k)
            terms[count++] = {groupOfRow_[firstRow(gradient.body[k])], gradient.sign[k], gradient.arm[k]};
        for (int i = 0; i < count; ++i)
            for (int j = 0; j < count; ++j) {
                if (coarse_.isBefore(terms[j].group, terms[i].group))
                    continue;
                Block scaled = whole;
                for (Four& column : scaled.column)
                    column *= fourOf(terms[i].scale * terms[j].scale);
                SixColumns sum;
                addMoved(sum, scaled, terms[j].arm);
                addRows(sum, terms[i].arm, coarse_.block(terms[i].group, terms[j].group));
            }
    }
}

// The groups that a spring links.
template <class Function>
void LinearSystem::forLinksOf(const ContactSpring& spring, Function&& function) const {
    const ContactGradient& gradient = spring.gradient;
    std::array<std::uint32_t, ContactGradient::kMostNodes + ContactGradient::kMostBodies> group{};
    std::size_t count = 0;
    for (int k = 0; k < gradient.nodeCount; ++k)
        group[count++] = groupOfRow_[gradient.node[k]];
    for (int k = 0; k < gradient.bodyCount; ++k)
        group[count++] = groupOfRow_[firstRow(gradient.body[k])];
    for (std::size_t i = 0; i < count && spring.normalFactor != 0; ++i)
        for (std::size_t j = i + 1; j < count; ++j)
            if (group[i] != group[j])
                function(group[i], group[j]);
}

// An order is kept as long as it has places for all that springs link: contacts that open leave zeros in it.
void LinearSystem::orderGroups() {
    bool isKept = isOrdered_;
    for (std::size_t s = 0; s < springs_.size() && isKept; ++s)
        forLinksOf(springs_[s], [&](std::uint32_t g, std::uint32_t h) { isKept = isKept && coarse_.has(g, h); });
    if (isKept)
        return;
    std::vector<GroupSet> links = baseLinks_;
    for (const ContactSpring& spring : springs_)
        forLinksOf(spring, [&](std::uint32_t g, std::uint32_t h) {
            links[g].add(h);
            links[h].add(g);
        });
    coarse_.order(links);
    isOrdered_ = true;
}

void LinearSystem::copyBase() {
    coarse_.clear();
    for (std::uint32_t g = 0; g < groups_; ++g)
        for (std::uint32_t b = firstBase_[g]; b < firstBase_[g + 1]; ++b) {
            const std::uint32_t h = baseColumn_[b];
            const Real* from = &baseBlocks_[36 * std::size_t(b)];
            if (!coarse_.isBefore(h, g)) {
                std::copy_n(from, 36, coarse_.block(g, h));
                continue;
            }
            Real* to = coarse_.block(h, g);
            for (std::size_t i = 0; i < 6; ++i)
                for (std::size_t j = 0; j < 6; ++j)
                    to[6 * i + j] = from[6 * j + i];
        }
}

}  // namespace sunder::deformable
