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
// A row of which no more than this share is left has no pivot of its own: motions of groups of one or two nodes.
constexpr Real kLeastPivot = 16 * std::numeric_limits<Real>::epsilon();

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
void addRows(const SixColumns& columns, const Vec3& r, Real* out, std::size_t stride) {
    for (int k = 0; k < 6; ++k) {
        const Vec3 c = toVec3(columns.column[k]), t = cross(r, c);
        out[k] += c.x;
        out[stride + k] += c.y;
        out[2 * stride + k] += c.z;
        out[3 * stride + k] += t.x;
        out[4 * stride + k] += t.y;
        out[5 * stride + k] += t.z;
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
    while (shift < 8 && (moreAt(shift) >= kMostSolidGroups || moreAt(shift) + solids_.size() + bodies_.size() > kMostGroups))
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
    if (groups_ > kMostGroups)
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

void LinearSystem::addNodeToCoarse(const Chunk& chunk, std::uint32_t row) {
    const SystemSolid& solid = solids_[chunk.solid];
    const std::uint32_t first = firstNode_[chunk.solid], node = row - first;
    const NodeGraph& graph = solid.model->graph;
    const std::size_t stride = 6 * groups_;
    Real* out = &coarseBase_[6 * chunk.group * stride];
    const Vec3 r = toVec3(solid.offsets[node]) - groupCenter_[chunk.group];
    SixColumns sum;
    addMoved(sum, solid.matrix->diagonal[node], r);
    addRows(sum, r, out + 6 * chunk.group, stride);
    // A row's neighbours are ascending, and so are their groups.
    for (std::uint32_t k = graph.firstOf[node]; k < graph.firstOf[node + 1];) {
        const std::uint32_t group = groupOfRow_[first + graph.neighbor[k]];
        sum = {};
        for (; k < graph.firstOf[node + 1] && groupOfRow_[first + graph.neighbor[k]] == group; ++k) {
            const std::uint32_t other = graph.neighbor[k];
            if (solid.isPinned == nullptr || solid.isPinned[other] == 0)
                addMoved(sum, solid.matrix->offDiagonal[k], toVec3(solid.offsets[other]) - groupCenter_[group]);
        }
        if (group >= chunk.group)
            addRows(sum, r, out + 6 * group, stride);
    }
}

// The upper triangle of blocks, by rows; one group is one task.
void LinearSystem::assembleCoarse(TaskRunner& tasks) {
    const std::size_t stride = 6 * groups_;
    coarseBase_.assign(stride * stride, 0);
    coarseX_.resize(stride);
    runRanges(tasks, groups_, std::max<std::size_t>(1, groups_ / 8), [&](std::size_t begin, std::size_t end) {
        for (std::size_t g = begin; g < end; ++g)
            for (std::uint32_t c = firstChunkOfGroup_[g]; c < firstChunkOfGroup_[g + 1]; ++c) {
                const Chunk& chunk = chunks_[c];
                if (chunk.solid >= solids_.size()) {
                    const SystemBody& body = bodies_[chunk.solid - solids_.size()];
                    Real* out = &coarseBase_[6 * g * stride + 6 * g];
                    const Block inertia = toBlock(body.inertia);
                    for (int i = 0; i < 3; ++i) {
                        out[i * stride + i] = body.mass;
                        for (int j = 0; j < 3; ++j)
                            out[(3 + i) * stride + 3 + j] = inertia.column[j][i];
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
    const std::size_t stride = 6 * groups_;
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
                if (terms[j].group < terms[i].group)
                    continue;
                Block scaled = whole;
                for (Four& column : scaled.column)
                    column *= fourOf(terms[i].scale * terms[j].scale);
                SixColumns sum;
                addMoved(sum, scaled, terms[j].arm);
                addRows(sum, terms[i].arm, &coarse_[6 * terms[i].group * stride + 6 * terms[j].group], stride);
            }
    }
}

// Which groups have a block with which without springs, as bits above the diagonal and below it; the diagonal is left out.
void LinearSystem::linkBase() {
    const std::size_t n = 6 * groups_;
    baseLinks_.assign(groups_, {});
    for (std::size_t g = 0; g < groups_; ++g)
        for (std::size_t h = g + 1; h < groups_; ++h) {
            bool any = false;
            for (std::size_t i = 0; i < 6 && !any; ++i)
                for (std::size_t j = 0; j < 6; ++j)
                    any = any || coarseBase_[(6 * g + i) * n + 6 * h + j] != 0;
            baseLinks_[g][h] = baseLinks_[h][g] = any;
        }
}

void LinearSystem::linkSprings() {
    links_ = baseLinks_;
    for (const ContactSpring& spring : springs_) {
        if (spring.normalFactor == 0)
            continue;
        const ContactGradient& gradient = spring.gradient;
        std::array<std::uint32_t, ContactGradient::kMostNodes + ContactGradient::kMostBodies> group{};
        std::size_t count = 0;
        for (int k = 0; k < gradient.nodeCount; ++k)
            group[count++] = groupOfRow_[gradient.node[k]];
        for (int k = 0; k < gradient.bodyCount; ++k)
            group[count++] = groupOfRow_[firstRow(gradient.body[k])];
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t j = i + 1; j < count; ++j)
                if (group[i] != group[j])
                    links_[group[i]][group[j]] = links_[group[j]][group[i]] = true;
    }
}

// Only the blocks that the factor has: most groups touch few others.
void LinearSystem::copyBase() {
    const std::size_t n = 6 * groups_;
    coarse_.resize(n * n);
    for (std::size_t e = 0; e < groups_; ++e)
        for (std::uint32_t b = firstCoarseBlock_[e]; b < firstCoarseBlock_[e + 1]; ++b) {
            const std::size_t g = std::min(eliminated_[e], coarseColumn_[b]), h = std::max(eliminated_[e], coarseColumn_[b]);
            for (std::size_t i = 0; i < 6; ++i)
                std::copy_n(&coarseBase_[(6 * g + i) * n + 6 * h], 6, &coarse_[(6 * g + i) * n + 6 * h]);
        }
}

// Eliminates the group that is linked to the fewest others first, then by number: shards before what they lie on, so that few
// blocks are filled in. Lists the blocks of the factor row by row, that on the diagonal first.
void LinearSystem::orderGroups() {
    linkSprings();
    eliminated_.clear();
    firstCoarseBlock_.clear();
    coarseColumn_.clear();
    GroupSet isOut;
    for (std::size_t k = 0; k < groups_; ++k) {
        std::size_t best = 0, fewest = kMostGroups + 1;
        for (std::size_t g = 0; g < groups_; ++g)
            if (const std::size_t count = links_[g].count(); !isOut[g] && count < fewest) {
                fewest = count;
                best = g;
            }
        isOut[best] = true;
        eliminated_.push_back(static_cast<std::uint32_t>(best));
        firstCoarseBlock_.push_back(static_cast<std::uint32_t>(coarseColumn_.size()));
        coarseColumn_.push_back(static_cast<std::uint32_t>(best));
        for (std::size_t g = 0; g < groups_; ++g)
            if (links_[best][g]) {
                coarseColumn_.push_back(static_cast<std::uint32_t>(g));
                links_[g] |= links_[best];
                links_[g][g] = links_[g][best] = false;
            }
    }
    firstCoarseBlock_.push_back(static_cast<std::uint32_t>(coarseColumn_.size()));
}

namespace {

// own = U^T U in place; pivots: the inverse of U's diagonal, 0 where a row has none of its own.
void factorBlock(Real* own, const Real* scale, Real* pivot) {
    for (std::size_t k = 0; k < 6; ++k) {
        Real* row = own + 6 * k;
        const Real inverse = row[k] > kLeastPivot * scale[k] ? 1 / std::sqrt(row[k]) : Real(0);
        pivot[k] = inverse;
        for (std::size_t j = k + 1; j < 6; ++j)
            row[j] *= inverse;
        for (std::size_t i = k + 1; i < 6; ++i)
            for (std::size_t j = i; j < 6; ++j)
                own[6 * i + j] -= row[i] * row[j];
    }
}

// block = U^-T block
void solveBlock(const Real* own, const Real* pivot, Real* block) {
    for (std::size_t k = 0; k < 6; ++k) {
        Real* row = block + 6 * k;
        for (std::size_t j = 0; j < 6; ++j)
            row[j] *= pivot[k];
        for (std::size_t i = k + 1; i < 6; ++i)
            for (std::size_t j = 0; j < 6; ++j)
                block[6 * i + j] -= own[6 * k + i] * row[j];
    }
}

// out -= a^T b
void subtractProduct(const Real* __restrict a, const Real* __restrict b, Real* __restrict out, std::size_t stride) {
    for (std::size_t i = 0; i < 6; ++i) {
        Real sum[6] = {};
        for (std::size_t k = 0; k < 6; ++k)
            for (std::size_t j = 0; j < 6; ++j)
                sum[j] += a[6 * k + i] * b[6 * k + j];
        for (std::size_t j = 0; j < 6; ++j)
            out[i * stride + j] -= sum[j];
    }
}

}  // namespace

// coarse = U^T U, block by block, in the order of elimination. Blocks of two groups lie in coarse_ above the diagonal.
void LinearSystem::factorCoarse() {
    const std::size_t n = 6 * groups_;
    pivot_.resize(n);
    std::vector<Real> scale(n);
    for (std::size_t k = 0; k < n; ++k)
        scale[k] = coarse_[k * n + k];
    coarseBlocks_.resize(36 * coarseColumn_.size());
    for (std::size_t e = 0; e < groups_; ++e) {
        const std::uint32_t first = firstCoarseBlock_[e], end = firstCoarseBlock_[e + 1], g = eliminated_[e];
        for (std::uint32_t b = first; b < end; ++b) {
            const std::uint32_t h = coarseColumn_[b];
            Real* block = &coarseBlocks_[36 * std::size_t(b)];
            for (std::size_t i = 0; i < 6; ++i)
                for (std::size_t j = 0; j < 6; ++j)
                    block[6 * i + j] = h >= g ? coarse_[(6 * g + i) * n + 6 * h + j] : coarse_[(6 * h + j) * n + 6 * g + i];
        }
        Real* own = &coarseBlocks_[36 * std::size_t(first)];
        factorBlock(own, &scale[6 * g], &pivot_[6 * g]);
        for (std::uint32_t b = first + 1; b < end; ++b)
            solveBlock(own, &pivot_[6 * g], &coarseBlocks_[36 * std::size_t(b)]);
        for (std::uint32_t b = first + 1; b < end; ++b)  // columns ascend
            for (std::uint32_t c = b; c < end; ++c)
                subtractProduct(&coarseBlocks_[36 * std::size_t(b)], &coarseBlocks_[36 * std::size_t(c)],
                                &coarse_[6 * coarseColumn_[b] * n + 6 * coarseColumn_[c]], n);
    }
}

void LinearSystem::solveCoarse() {
    for (std::size_t e = 0; e < groups_; ++e) {
        const std::uint32_t g = eliminated_[e];
        Real* __restrict x = &coarseX_[6 * g];
        const std::uint32_t first = firstCoarseBlock_[e], end = firstCoarseBlock_[e + 1];
        const Real* own = &coarseBlocks_[36 * std::size_t(first)];
        for (std::size_t i = 0; i < 6; ++i) {
            const Real solved = x[i] *= pivot_[6 * g + i];
            for (std::size_t j = i + 1; j < 6; ++j)
                x[j] -= solved * own[6 * i + j];
        }
        for (std::uint32_t b = first + 1; b < end; ++b) {
            const Real* __restrict block = &coarseBlocks_[36 * std::size_t(b)];
            Real* __restrict y = &coarseX_[6 * coarseColumn_[b]];
            for (std::size_t i = 0; i < 6; ++i)
                for (std::size_t j = 0; j < 6; ++j)
                    y[j] -= x[i] * block[6 * i + j];
        }
    }
    for (std::size_t e = groups_; e-- > 0;) {
        const std::uint32_t g = eliminated_[e];
        Real* __restrict x = &coarseX_[6 * g];
        const std::uint32_t first = firstCoarseBlock_[e], end = firstCoarseBlock_[e + 1];
        for (std::uint32_t b = first + 1; b < end; ++b) {
            const Real* __restrict block = &coarseBlocks_[36 * std::size_t(b)];
            const Real* __restrict y = &coarseX_[6 * coarseColumn_[b]];
            for (std::size_t i = 0; i < 6; ++i) {
                Real sum = 0;
                for (std::size_t j = 0; j < 6; ++j)
                    sum += block[6 * i + j] * y[j];
                x[i] -= sum;
            }
        }
        const Real* own = &coarseBlocks_[36 * std::size_t(first)];
        for (std::size_t i = 6; i-- > 0;) {
            for (std::size_t j = i + 1; j < 6; ++j)
                x[i] -= own[6 * i + j] * x[j];
            x[i] *= pivot_[6 * g + i];
        }
    }
}

}  // namespace sunder::deformable
