// The order in which nodes open, and residual propagation: a crack that runs on without another solve.
//   [Parker09] 5   what a node bore beyond the strength when it opened goes on to the nodes at the tips of its crack, which
//   open in turn where that is too much for them
// Deviation: the paper hands on forces; here it is stress. The largest tension is first, then the lowest number.
#pragma once

#include <set>

#include "deformable/tear/tension.h"

namespace sunder::deformable {

struct ResidualShare {
    Real share = 0;     // of what is beyond the strength; 0: nothing goes on
    Real strength = 0;  // Pa
};

class OpeningOrder {
public:
    // tensions: of all nodes that are known; those of no more than the strength wait for what others hand on to them.
    OpeningOrder(const SolidModel& model, std::span<const NodeTension> tensions, const ResidualShare& residual);

    bool isEmpty() const { return waiting_.empty(); }
    NodeTension take();
    // A node has opened: its neighbours near the plane of its crack bear what it cannot.
    void handOn(const NodeTension& opened, std::span<const Vec3> positions);

private:
    struct LargestFirst {
        bool operator()(const NodeTension& a, const NodeTension& b) const {
            return a.stress != b.stress ? a.stress > b.stress : a.node < b.node;
        }
    };
    const SolidModel& model_;
    ResidualShare residual_;
    std::vector<NodeTension> of_;        // by node, where anything is handed on
    std::vector<std::uint8_t> isTaken_;  // by node
    std::set<NodeTension, LargestFirst> waiting_;
};

}  // namespace sunder::deformable
