#include "deformable/tear/opening_order.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/eigen.h"

namespace sunder::deformable {

namespace {

// Sine of the angle to the plane of a crack within which a neighbour is at its tip.
constexpr Real kTipSine = Real(0.5);

// Two tensions at one node: the larger principal one of their sum.
NodeTension sumOf(const NodeTension& own, const Vec3& normal, Real stress) {
    const Sym3 sum = outer(own.normal) * own.stress + outer(normal) * stress;
    const SymmetricEigen eigen = symmetricEigen({sum.xx, sum.yy, sum.zz, sum.xy, sum.xz, sum.yz});
    const auto k = static_cast<std::size_t>(std::max_element(eigen.values.begin(), eigen.values.end()) - eigen.values.begin());
    return {own.node, Real(eigen.values[k]), {Real(eigen.vectors[0][k]), Real(eigen.vectors[1][k]), Real(eigen.vectors[2][k])}};
}

}  // namespace

OpeningOrder::OpeningOrder(const SolidModel& model, std::span<const NodeTension> tensions, const ResidualShare& residual)
    : model_(model), residual_(residual) {
    if (residual_.share > 0) {
        of_.resize(model.nodeCount());
        for (std::uint32_t i = 0; i < of_.size(); ++i)
            of_[i].node = i;
        isTaken_.assign(model.nodeCount(), 0);
    }
    for (const NodeTension& tension : tensions) {
        if (!of_.empty())
            of_[tension.node] = tension;
        if (tension.stress > residual_.strength)
            waiting_.insert(tension);
    }
}

NodeTension OpeningOrder::take() {
    const NodeTension first = *waiting_.begin();
    waiting_.erase(waiting_.begin());
    if (!isTaken_.empty())
        isTaken_[first.node] = 1;
    return first;
}

void OpeningOrder::handOn(const NodeTension& opened, std::span<const Vec3> positions) {
    const Real excess = residual_.share * (opened.stress - residual_.strength);
    if (!(residual_.share > 0 && excess > 0))
        return;
    const NodeGraph& graph = model_.graph;
    for (std::uint32_t k = graph.firstOf[opened.node]; k < graph.firstOf[opened.node + 1]; ++k) {
        const std::uint32_t node = graph.neighbor[k];
        const Vec3 way = positions[node] - positions[opened.node];
        if (isTaken_[node] != 0 || std::fabs(dot(way, opened.normal)) > kTipSine * length(way))
            continue;
        waiting_.erase(of_[node]);
        of_[node] = sumOf(of_[node], opened.normal, excess);
        if (of_[node].stress > residual_.strength)
            waiting_.insert(of_[node]);
    }
}

}  // namespace sunder::deformable
