#include "deformable/step/linear_system.h"

#include <algorithm>

namespace sunder::deformable {

namespace {

constexpr std::size_t kRowsWorthThreads = 1500;  // below, waking threads costs more than it gains

}  // namespace

template <class Function>
Real LinearSystem::sumOverChunks(TaskRunner& tasks, Function&& function) {
    sums_.resize(chunks_.size());
    const auto run = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            sums_[i] = double(function(chunks_[i]));
    };
    if (size_ < kRowsWorthThreads)
        run(0, chunks_.size());
    else
        runRanges(tasks, chunks_.size(), std::max<std::size_t>(1, chunks_.size() / 8), run);
    double sum = 0;
    for (const double part : sums_)
        sum += part;
    return Real(sum);
}

void LinearSystem::begin(std::span<const SystemSolid> solids, std::span<const SystemBody> bodies) {
    solids_.assign(solids.begin(), solids.end());
    bodies_.assign(bodies.begin(), bodies.end());
    chunks_.clear();
    firstNode_.clear();
    std::uint32_t row = 0;
    for (std::uint32_t s = 0; s < solids_.size(); ++s) {
        firstNode_.push_back(row);
        const std::vector<std::uint32_t>& firsts = solids_[s].model->firstOfAggregate;
        for (std::size_t a = 0; a + 1 < firsts.size(); ++a)
            chunks_.push_back({s, row + firsts[a], row + firsts[a + 1], 0});
        row += static_cast<std::uint32_t>(solids_[s].model->nodeCount());
    }
    bodyRow_ = row;
    for (std::uint32_t b = 0; b < bodies_.size(); ++b, row += 2)
        chunks_.push_back({static_cast<std::uint32_t>(solids_.size()) + b, row, row + 2, 0});
    size_ = row;
    hasBase_ = isOrdered_ = false;
    isIndefinite_ = false;
    chooseGroups();
    placeGroups();
}

bool LinearSystem::isPinned(const Chunk& chunk, std::uint32_t row) const {
    return chunk.solid < solids_.size() && solids_[chunk.solid].isPinned != nullptr &&
           solids_[chunk.solid].isPinned[row - firstNode_[chunk.solid]] != 0;
}

Four LinearSystem::multiplyRow(const Chunk& chunk, std::uint32_t row, const Four* x) const {
    if (chunk.solid >= solids_.size()) {
        const SystemBody& body = bodies_[chunk.solid - solids_.size()];
        return row == chunk.begin ? x[row] * fourOf(body.mass) : toFour(body.inertia * toVec3(x[row]));
    }
    const SystemSolid& solid = solids_[chunk.solid];
    const std::uint32_t first = firstNode_[chunk.solid], node = row - first;
    const NodeGraph& graph = solid.model->graph;
    Four sum = solid.matrix->diagonal[node] * x[row];
    for (std::uint32_t k = graph.firstOf[node]; k < graph.firstOf[node + 1]; ++k)
        sum += solid.matrix->offDiagonal[k] * x[first + graph.neighbor[k]];
    return sum;
}

Vec3 LinearSystem::relativeOf(const ContactGradient& gradient, std::span<const Four> x) const {
    Four sum{0, 0, 0, 0};
    for (int k = 0; k < gradient.nodeCount; ++k)
        sum += fourOf(gradient.weight[k]) * x[gradient.node[k]];
    Vec3 velocity = toVec3(sum);
    for (int k = 0; k < gradient.bodyCount; ++k) {
        const std::uint32_t row = firstRow(gradient.body[k]);
        velocity += gradient.sign[k] * (toVec3(x[row]) + cross(toVec3(x[row + 1]), gradient.arm[k]));
    }
    return velocity;
}

void LinearSystem::spread(const ContactGradient& gradient, const Vec3& f, std::span<Four> vector) const {
    for (int k = 0; k < gradient.nodeCount; ++k)
        vector[gradient.node[k]] += toFour(f * gradient.weight[k]);
    for (int k = 0; k < gradient.bodyCount; ++k) {
        const std::uint32_t row = firstRow(gradient.body[k]);
        vector[row] += toFour(f * gradient.sign[k]);
        vector[row + 1] += toFour(cross(gradient.arm[k], f) * gradient.sign[k]);
    }
}

Real LinearSystem::complianceOfNodes(const ContactGradient& gradient, const Vec3& direction) const {
    Real sum = 0;
    for (int k = 0; k < gradient.nodeCount; ++k) {
        const auto solid = std::upper_bound(firstNode_.begin(), firstNode_.end(), gradient.node[k]) - firstNode_.begin() - 1;
        const Block& own = solids_[solid].matrix->diagonal[gradient.node[k] - firstNode_[solid]];
        sum += square(gradient.weight[k]) / dot(direction, toVec3(own * toFour(direction)));
    }
    return sum;
}

Real LinearSystem::compliance(const ContactGradient& gradient, const Vec3& direction) const {
    Real sum = complianceOfNodes(gradient, direction);
    for (int k = 0; k < gradient.bodyCount; ++k) {
        const SystemBody& body = bodies_[gradient.body[k]];
        const Vec3 turn = cross(gradient.arm[k], direction);
        sum += 1 / body.mass + dot(turn, sunder::solve(body.inertia, turn));
    }
    return sum;
}

// Returns x . A x.
Real LinearSystem::multiply(TaskRunner& tasks, const std::vector<Four>& x, std::vector<Four>& image) {
    Real sum = sumOverChunks(tasks, [&](const Chunk& chunk) {
        Four products{0, 0, 0, 0};
        for (std::uint32_t row = chunk.begin; row < chunk.end; ++row) {
            image[row] = multiplyRow(chunk, row, x.data());
            products += image[row] * x[row];
        }
        return sumOf(products);
    });
    double springs = 0;
    for (const ContactSpring& spring : springs_) {
        if (spring.normalFactor == 0)
            continue;
        const Vec3 v = relativeOf(spring.gradient, x);
        const Vec3 along = spring.normal * dot(spring.normal, v);
        const Vec3 f = along * spring.normalFactor + (v - along) * spring.tangentFactor;
        springs += double(dot(f, v));
        spread(spring.gradient, f, image);
    }
    return sum + Real(springs);
}

void LinearSystem::invertDiagonals(TaskRunner& tasks) {
    inverse_.resize(size_);
    sumOverChunks(tasks, [&](const Chunk& chunk) {
        for (std::uint32_t row = chunk.begin; row < chunk.end; ++row) {
            if (chunk.solid < solids_.size())
                inverse_[row] = solids_[chunk.solid].matrix->diagonal[row - firstNode_[chunk.solid]];
            else
                inverse_[row] = row == chunk.begin ? diagonalBlock(bodies_[chunk.solid - solids_.size()].mass)
                                                   : toBlock(bodies_[chunk.solid - solids_.size()].inertia);
        }
        return Real(0);
    });
    for (const ContactSpring& spring : springs_) {
        if (spring.normalFactor == 0)
            continue;
        const ContactGradient& gradient = spring.gradient;
        Block whole = outerBlock(spring.normal, spring.normalFactor - spring.tangentFactor);
        whole += diagonalBlock(spring.tangentFactor);
        for (int k = 0; k < gradient.nodeCount; ++k) {
            Block share = whole;
            for (Four& column : share.column)
                column *= fourOf(square(gradient.weight[k]));
            inverse_[gradient.node[k]] += share;
        }
        for (int k = 0; k < gradient.bodyCount; ++k) {
            const std::uint32_t row = firstRow(gradient.body[k]);
            inverse_[row] += whole;
            const Vec3 turn = cross(gradient.arm[k], spring.normal);
            inverse_[row + 1] += outerBlock(turn, spring.normalFactor);
        }
    }
    sumOverChunks(tasks, [&](const Chunk& chunk) {
        for (std::uint32_t row = chunk.begin; row < chunk.end; ++row)
            inverse_[row] = isPinned(chunk, row) ? Block{} : inverseOf(inverse_[row]);
        return Real(0);
    });
}

void LinearSystem::prepare(TaskRunner& tasks, std::span<const ContactSpring> springs) {
    springs_ = springs;
    invertDiagonals(tasks);
    hasCoarse_ = groups_ > 0;
    if (hasCoarse_) {
        if (!hasBase_)
            assembleCoarse(tasks);
        hasBase_ = true;
        orderGroups();
        copyBase();
        addSprings();
        coarse_.factor();
    }
}

// scaled = M^-1 residual; returns their product.
Real LinearSystem::precondition(TaskRunner& tasks) {
    if (!hasCoarse_)
        return sumOverChunks(tasks, [&](const Chunk& chunk) {
            Four products{0, 0, 0, 0};
            for (std::uint32_t row = chunk.begin; row < chunk.end; ++row) {
                scaled_[row] = inverse_[row] * residual_[row];
                products += scaled_[row] * residual_[row];
            }
            return sumOf(products);
        });
    restrictToCoarse(tasks);
    coarse_.solve(coarseX_);
    return sumOverChunks(tasks, [&](const Chunk& chunk) {
        Four products{0, 0, 0, 0};
        const Real* modes = &coarseX_[6 * chunk.group];
        const Vec3 linear{modes[0], modes[1], modes[2]}, angular{modes[3], modes[4], modes[5]};
        for (std::uint32_t row = chunk.begin; row < chunk.end; ++row) {
            Vec3 moved;
            if (chunk.solid >= solids_.size())
                moved = row == chunk.begin ? linear : angular;
            else if (!isPinned(chunk, row))
                moved = linear + cross(angular, toVec3(solids_[chunk.solid].offsets[row - firstNode_[chunk.solid]]) -
                                                    groupCenter_[chunk.group]);
            scaled_[row] = inverse_[row] * residual_[row] + toFour(moved);
            products += scaled_[row] * residual_[row];
        }
        return sumOf(products);
    });
}

void LinearSystem::restrictToCoarse(TaskRunner& tasks) {
    const auto restrictGroup = [&](std::size_t group) {
        Vec3 force, torque;
        for (std::uint32_t c = firstChunkOfGroup_[group]; c < firstChunkOfGroup_[group + 1]; ++c) {
            const Chunk& chunk = chunks_[c];
            if (chunk.solid >= solids_.size()) {
                force = toVec3(residual_[chunk.begin]);
                torque = toVec3(residual_[chunk.begin + 1]);
                continue;
            }
            const Four* offsets = solids_[chunk.solid].offsets - firstNode_[chunk.solid];
            for (std::uint32_t row = chunk.begin; row < chunk.end; ++row) {
                const Vec3 r = toVec3(residual_[row]);
                force += r;
                torque += cross(toVec3(offsets[row]) - groupCenter_[group], r);
            }
        }
        Real* out = &coarseX_[6 * group];
        out[0] = force.x, out[1] = force.y, out[2] = force.z, out[3] = torque.x, out[4] = torque.y, out[5] = torque.z;
    };
    if (size_ < kRowsWorthThreads)
        for (std::size_t g = 0; g < groups_; ++g)
            restrictGroup(g);
    else
        runRanges(tasks, groups_, std::max<std::size_t>(1, groups_ / 8), [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = begin; g < end; ++g)
                restrictGroup(g);
        });
}

Real LinearSystem::residualOf(TaskRunner& tasks, std::span<const Four> right, std::span<const Four> x) {
    direction_.assign(x.begin(), x.end());
    residual_.resize(size_);
    image_.resize(size_);
    scaled_.resize(size_);
    multiply(tasks, direction_, image_);
    sumOverChunks(tasks, [&](const Chunk& chunk) {
        for (std::uint32_t row = chunk.begin; row < chunk.end; ++row)
            residual_[row] = isPinned(chunk, row) ? Four{} : right[row] - image_[row];
        return Real(0);
    });
    return precondition(tasks);
}

int LinearSystem::solve(TaskRunner& tasks, std::span<const Four> right, std::span<Four> x, const SolveLimits& limits) {
    firstSlope_ = slope_ = residualOf(tasks, right, x);
    direction_ = scaled_;
    return goOn(tasks, x, limits);
}

int LinearSystem::goOn(TaskRunner& tasks, std::span<Four> x, const SolveLimits& limits) {
    const Real enough = std::max(square(limits.tolerance) * firstSlope_, limits.least);
    int made = 0;
    for (; made < limits.iterations && slope_ > enough; ++made) {
        const Real curvature = multiply(tasks, direction_, image_);
        if (!(curvature > 0)) {  // rounding has eaten the rest, or the solid buckles
            isIndefinite_ = true;
            break;
        }
        const Four step = fourOf(slope_ / curvature);
        sumOverChunks(tasks, [&](const Chunk& chunk) {
            for (std::uint32_t row = chunk.begin; row < chunk.end; ++row) {
                x[row] += step * direction_[row];
                residual_[row] = isPinned(chunk, row) ? Four{} : residual_[row] - step * image_[row];
            }
            return Real(0);
        });
        const Real next = precondition(tasks);
        const Four turn = fourOf(next / slope_);
        sumOverChunks(tasks, [&](const Chunk& chunk) {
            for (std::uint32_t row = chunk.begin; row < chunk.end; ++row)
                direction_[row] = scaled_[row] + direction_[row] * turn;
            return Real(0);
        });
        slope_ = next;
    }
    isIndefinite_ = isIndefinite_ || !(slope_ >= 0);
    return made;
}

}  // namespace sunder::deformable
