// The stress overlay: what blows found, kept while it is worth showing.
#include <algorithm>

#include "playground.h"
#include "sunder/scene/stress_picture.h"

namespace sunder::web {

namespace {

constexpr double kShownAfterBreak = 0.5;  // s

void append(std::vector<float>& numbers, const Vec3& v) { numbers.insert(numbers.end(), {float(v.x), float(v.y), float(v.z)}); }

}  // namespace

void Playground::keepBlows() {
    for (const StressMap& map : runner_->stressMaps()) {
        const auto known =
            std::find_if(blows_.begin(), blows_.end(), [&](const Blow& blow) { return blow.map.body == map.body; });
        if (known == blows_.end())
            blows_.push_back({runner_->frame(), map});
        else
            *known = {runner_->frame(), map};
    }
    std::erase_if(blows_, [&](const Blow& blow) {
        return !runner_->world().isValid(blow.map.body) &&
               runner_->frame() - blow.frame > kShownAfterBreak * double(scene_.frameRate);
    });
}

void Playground::listStress(const StressMap& map) {
    ListedStress& entry = stress_.emplace_back();
    for (std::size_t i = 0; i < bodies_.size(); ++i)
        if (bodies_[i].index == map.body.index && bodies_[i].generation == map.body.generation)
            entry.body = float(i);
    entry.vertices = float(map.vertices.size());
    entry.triangles = float(map.triangles.size());
    entry.strength = float(map.strength);
    entry.worst = float(map.worstTension);
    const Vec3& p = map.worldFromBody.position;
    const Quat& q = map.worldFromBody.orientation;
    entry.pose = {float(p.x), float(p.y), float(p.z), float(q.x), float(q.y), float(q.z), float(q.w)};
    for (std::size_t i = 0; i < map.vertices.size(); ++i) {
        append(stressVertices_, map.vertices[i]);
        stressVertices_.push_back(float(map.tensions[i] / map.strength));
    }
    for (const auto& triangle : map.triangles)
        stressTriangles_.insert(stressTriangles_.end(), triangle.begin(), triangle.end());
}

const std::vector<ListedStress>& Playground::stress() {
    stress_.clear();
    stressVertices_.clear();
    stressTriangles_.clear();
    if (!runner_)
        return stress_;
    for (const Blow& blow : blows_)
        listStress(blow.map);
    for (const StressMap& map : stressMaps(runner_->world()))
        if (runner_->world().isValid(map.body) && runner_->world().vertices(map.body))
            listStress(map);
    return stress_;
}

}  // namespace sunder::web
