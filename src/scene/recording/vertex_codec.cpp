// See vertex_codec.h.
#include "scene/recording/vertex_codec.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "math/vec3.h"

namespace sunder::scene {

namespace {

constexpr float kSmallestQuantum = std::numeric_limits<float>::min(), kLargestQuantum = 1e9f;  // m

std::int64_t roundToQuanta(double x, double quantum) {
    const double quanta = std::floor(x / quantum + 0.5);
    return std::int64_t(quanta < -kFarthest ? -kFarthest : (quanta > kFarthest ? kFarthest : quanta));
}

}  // namespace

void VertexTrack::restAt(float quantum) {
    quantum_ = quantum;
    const auto rest = topology_->rest();
    for (std::vector<Place>& places : history_)
        places.resize(rest.size());
    next_.resize(rest.size());
    predicted_.resize(rest.size());
    missed_.resize(rest.size());
    predictInTime(InTime::Rest);
    for (std::vector<Place>& places : history_)
        places = predicted_;
}

void VertexTrack::begin(std::shared_ptr<const SurfaceTopology> topology, double tolerance) {
    topology_ = std::move(topology);
    const auto quantum = float(2 * tolerance * double(topology_->extent()));
    const bool hasExtent = quantum >= kSmallestQuantum;
    restAt(hasExtent ? std::min(quantum, kLargestQuantum) : float(tolerance));
}

void VertexTrack::aim(std::span<const Vec3> positions) {
    next_ = history_[0];
    for (std::size_t i = 0; i < positions.size(); ++i)
        if (isFinite(positions[i]))
            for (int axis = 0; axis < 3; ++axis)
                next_[i][axis] = roundToQuanta(double(component(positions[i], axis)), double(quantum_));
}

void VertexTrack::predictInTime(InTime way) {
    const auto rest = topology_->rest();
    for (std::size_t i = 0; i < predicted_.size(); ++i)
        for (int axis = 0; axis < 3; ++axis) {
            const std::int64_t a = history_[0][i][axis], b = history_[1][i][axis], c = history_[2][i][axis];
            const std::int64_t step = minus(a, b), lastStep = minus(b, c);
            switch (way) {
                case InTime::Rest:
                    predicted_[i][axis] = roundToQuanta(double(rest[i][std::size_t(axis)]), double(quantum_));
                    break;
                case InTime::Stays: predicted_[i][axis] = a; break;
                case InTime::KeepsVelocity: predicted_[i][axis] = plus(a, step); break;
                case InTime::KeepsAcceleration: predicted_[i][axis] = plus(a, plus(step, minus(step, lastStep))); break;
            }
        }
}

VertexTrack::Place VertexTrack::predictInSpace(InSpace way, std::size_t vertex) const {
    Place place{};
    const SurfaceTopology::Known& known = topology_->known()[vertex];
    if (way == InSpace::None)
        return place;
    if (way == InSpace::Parallelogram && known.parallelogram[0] != SurfaceTopology::kNone) {
        const auto [a, b, c] = known.parallelogram;
        for (int axis = 0; axis < 3; ++axis)
            place[axis] = minus(plus(missed_[a][axis], missed_[b][axis]), missed_[c][axis]);
        return place;
    }
    std::int64_t count = 0;
    for (const std::uint32_t near : known.near)
        if (near != SurfaceTopology::kNone) {
            ++count;
            for (int axis = 0; axis < 3; ++axis)
                place[axis] = plus(place[axis], missed_[near][axis]);
        }
    for (int axis = 0; axis < 3 && count > 1; ++axis)
        place[axis] /= count;
    return place;
}

// An estimate of the bits that the surface takes if missed_ is written this way.
std::uint64_t VertexTrack::costOf(InSpace way) const {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < missed_.size(); ++i) {
        const Place guess = predictInSpace(way, i);
        for (int axis = 0; axis < 3; ++axis)
            bits += std::uint64_t(std::bit_width(zigzag(minus(missed_[i][axis], guess[axis]))));
    }
    return bits;
}

void VertexTrack::write(BitWriter& out, std::span<const InTime> ways) {
    const auto miss = [&](InTime way) {
        predictInTime(way);
        for (std::size_t i = 0; i < next_.size(); ++i)
            for (int axis = 0; axis < 3; ++axis)
                missed_[i][axis] = minus(next_[i][axis], predicted_[i][axis]);
    };
    InTime time = ways[0];
    InSpace space = InSpace::None;
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    for (const InTime inTime : ways) {
        miss(inTime);
        for (const InSpace inSpace : {InSpace::None, InSpace::Mean, InSpace::Parallelogram})
            if (const std::uint64_t cost = costOf(inSpace); cost < least) {
                least = cost;
                time = inTime;
                space = inSpace;
            }
    }
    miss(time);
    out.bits(std::uint64_t(space), 2);
    out.bits(std::uint64_t(time), 2);
    AdaptiveCode codes[3];
    for (std::size_t i = 0; i < missed_.size(); ++i) {
        const Place guess = predictInSpace(space, i);
        for (int axis = 0; axis < 3; ++axis)
            codes[axis].write(out, minus(missed_[i][axis], guess[axis]));
    }
}

void VertexTrack::writeStart(BitWriter& out) {
    std::uint32_t quantumBits = 0;
    std::memcpy(&quantumBits, &quantum_, sizeof quantumBits);
    out.bits(quantumBits, 32);
    constexpr InTime kWays[] = {InTime::Rest};
    write(out, kWays);
    for (std::vector<Place>& places : history_)
        places = next_;
}

void VertexTrack::writeMove(BitWriter& out) {
    if (next_ == history_[0]) {
        out.bits(std::uint64_t(InSpace::NothingMoves), 2);
    } else {
        constexpr InTime kWays[] = {InTime::Rest, InTime::Stays, InTime::KeepsVelocity, InTime::KeepsAcceleration};
        write(out, kWays);
    }
    push();
}

void VertexTrack::read(BitReader& in, InTime time, InSpace space) {
    predictInTime(time);
    AdaptiveCode codes[3];
    for (std::size_t i = 0; i < missed_.size() && !in.failed(); ++i) {
        const Place guess = predictInSpace(space, i);
        for (int axis = 0; axis < 3; ++axis) {
            missed_[i][axis] = plus(guess[axis], codes[axis].read(in));
            next_[i][axis] = plus(predicted_[i][axis], missed_[i][axis]);
        }
    }
}

bool VertexTrack::readStart(BitReader& in, std::shared_ptr<const SurfaceTopology> topology) {
    const auto quantumBits = std::uint32_t(in.bits(32));
    float quantum = 0;
    std::memcpy(&quantum, &quantumBits, sizeof quantum);
    const auto space = InSpace(in.bits(2));
    const auto time = InTime(in.bits(2));
    // A coordinate takes at least a bit, so a forged count of vertices cannot ask for more memory than the file has bits.
    const bool good = quantum >= kSmallestQuantum && quantum <= kLargestQuantum && time == InTime::Rest &&
                      space != InSpace::NothingMoves && topology->vertexCount() <= in.remaining() / 3;
    if (in.failed() || !good)
        return false;
    topology_ = std::move(topology);
    restAt(quantum);
    read(in, time, space);
    for (std::vector<Place>& places : history_)
        places = next_;
    return !in.failed();
}

bool VertexTrack::readMove(BitReader& in) {
    const auto space = InSpace(in.bits(2));
    if (space == InSpace::NothingMoves) {
        next_ = history_[0];
    } else {
        const auto time = InTime(in.bits(2));
        read(in, time, space);
    }
    push();
    return !in.failed();
}

void VertexTrack::push() {
    std::swap(history_[2], history_[1]);
    std::swap(history_[1], history_[0]);
    history_[0] = next_;
}

void VertexTrack::positions(std::vector<Vec3>& list) const {
    list.resize(history_[0].size());
    for (std::size_t i = 0; i < list.size(); ++i)
        for (int axis = 0; axis < 3; ++axis)
            setComponent(list[i], axis, Real(double(history_[0][i][axis]) * double(quantum_)));
}

}  // namespace sunder::scene
