// The particles of one level set against the field of another: culled by clusters, then by groups of four, then sampled. The
// wide counterpart of ParticleProbe.
#include "collision/narrow_phase/level_set/field_kernels.h"
#include "collision/narrow_phase/level_set/level_set_partners.h"

namespace sunder::collision {
namespace {

using Fours = std::vector<std::uint32_t>;

FieldInFrame fieldInFrame(const LevelSetShape& other, const ProbeFrames& frames) {
    const geometry::LevelSet16& field = other.field();
    const geometry::Grid& grid = field.grid;
    const auto [low, high] = other.bounds;
    const Mat3& r = frames.rotation;
    return {field.values.data(),
            {grid.nodes.x, grid.nodes.y, grid.nodes.z},
            {grid.origin.x, grid.origin.y, grid.origin.z},
            grid.cell,
            1 / grid.cell,
            field.step,
            {low.x, low.y, low.z},
            {high.x, high.y, high.z},
            {{r.row0.x, r.row0.y, r.row0.z}, {r.row1.x, r.row1.y, r.row1.z}, {r.row2.x, r.row2.y, r.row2.z}},
            {frames.offset.x, frames.offset.y, frames.offset.z}};
}

template <class Four>
FoursAt foursAt(const std::vector<Four>& fours) {
    static_assert(sizeof(Four) % sizeof(Real) == 0);
    return {reinterpret_cast<const Real*>(fours.data()), int(sizeof(Four) / sizeof(Real))};
}

ParticlesInFrame particlesInFrame(const LevelSetShape& own, const Pose& pose, const LevelSetShape& other, bool ownIsB) {
    static_assert(sizeof(Vec3) == 3 * sizeof(Real) && sizeof(geometry::SurfaceFeature) == 1 &&
                  geometry::SurfaceFeature::Smooth == geometry::SurfaceFeature{});
    const geometry::SurfaceParticles& particles = own.solid->particles;
    const Mat3 r = toMatrix(pose.orientation);
    const std::size_t count = particles.size(), whole = count / 4;
    ParticlesInFrame frame{foursAt(own.particles),
                           &particles.normals.data()->x,
                           reinterpret_cast<const std::uint8_t*>(particles.features.data()),
                           std::uint32_t(whole),
                           {},
                           {},
                           {own.innerCenter.x, own.innerCenter.y, own.innerCenter.z},
                           {{r.row0.x, r.row0.y, r.row0.z}, {r.row1.x, r.row1.y, r.row1.z}, {r.row2.x, r.row2.y, r.row2.z}},
                           {pose.position.x, pose.position.y, pose.position.z},
                           ownIsB ? Real(1) : Real(-1),
                           kTouchingCells * own.field().grid.cell,
                           kShallowShare * other.innerRadius};
    std::copy(frame.normals + whole * 12, frame.normals + count * 3, frame.lastNormals);
    std::copy(frame.features + whole * 4, frame.features + count, frame.lastFeatures);
    return frame;
}

constexpr std::size_t kClustersAtOnce = 16;  // between two looks at the margin, which shrinks
constexpr std::uint32_t kRuns = LevelSetShape::kClusterSize / 4;

// Buffers for the groups of four that are processed at once.
struct FewFours {
    static_assert(kClustersAtOnce * kRuns % kFoursPerBlock == 0);
    std::uint32_t four[kClustersAtOnce * kRuns];
    std::size_t count = 0;

    int blocks() const { return int((count + kFoursPerBlock - 1) / kFoursPerBlock); }
    void fillLastBlock() {
        for (std::size_t i = count; i % kFoursPerBlock != 0; ++i)
            four[i] = four[count - 1];
    }
};

// Grows the vector if needed; entries are written before they are read, so they are not cleared.
template <class T>
T* atLeast(std::vector<T>& values, int count) {
    if (values.size() < std::size_t(count))
        values.resize(std::size_t(count));
    return values.data();
}

// Per thread, kept to reuse its memory.
struct ParticleScratch {
    FewFours fours;
    Fours clusters;
    Fours counted;  // 0, 1, 2 ...
    std::vector<SphereBounds> bounds;
    std::vector<FieldReadings> readings;
    std::vector<FacingParticles> facing;
};
ParticleScratch& particleScratch() {
    thread_local ParticleScratch scratch;
    return scratch;
}

class ParticlesInField {
public:
    ParticlesInField(const LevelSetShape& own, const Pose& poseOwn, const ProbeFrames& frames, const LevelSetShape& other,
                     Range& range, bool ownIsB, std::vector<ParticleContact>& contacts)
        : own_(own),
          field_(fieldInFrame(other, frames)),
          particles_(particlesInFrame(own, poseOwn, other, ownIsB)),
          range_(range),
          ownIsB_(ownIsB),
          contacts_(contacts) {}

    Real run() {
        findNearClusters();
        Fours& clusters = scratch_.clusters;
        // The nearest cluster may reduce the margin for the others, so it goes first.
        std::size_t done = 0;
        if (range_.spread < range_.margin && !clusters.empty())
            probe(clusters, done++, 1);
        for (; done < clusters.size(); done += kClustersAtOnce)
            probe(clusters, done, std::min(kClustersAtOnce, clusters.size() - done));
        return least_;
    }

private:
    // Finds clusters within the margin: the nearest first, the others in order.
    void findNearClusters() {
        // The last block is filled up with the last group.
        const std::size_t fours = own_.clusters.size(), whole = fours / kFoursPerBlock * kFoursPerBlock;
        Fours& counted = scratch_.counted;
        while (counted.size() < whole)
            counted.push_back(std::uint32_t(counted.size()));
        boundSpheres(own_.clusters, counted.data(), whole, 0);
        int blocks = int(whole / kFoursPerBlock);
        if (whole < fours) {
            std::uint32_t rest[kFoursPerBlock];
            for (std::size_t i = 0; i < kFoursPerBlock; ++i)
                rest[i] = std::uint32_t(std::min(whole + i, fours - 1));
            boundSpheres(own_.clusters, rest, fours - whole, blocks++);
        }
        const std::uint32_t count = std::uint32_t(own_.runs.size());
        Fours& clusters = scratch_.clusters;
        clusters.clear();
        std::size_t nearest = 0;
        Real lowest = kInfinity;
        for (int block = 0; block < blocks; ++block) {
            const SphereBounds& bounds = scratch_.bounds[std::size_t(block)];
            for (std::uint32_t bits = bounds.near; bits != 0; bits &= bits - 1) {
                const int lane = std::countr_zero(bits);
                const std::uint32_t cluster = std::uint32_t(block * wide::kLanes + lane);
                if (cluster >= count)
                    break;
                if (bounds.bound[lane] < lowest) {
                    lowest = bounds.bound[lane];
                    nearest = clusters.size();
                }
                clusters.push_back(cluster);
            }
        }
        if (!clusters.empty())
            std::swap(clusters[0], clusters[nearest]);
    }

    // Bounds into scratch, from block `first` on.
    void boundSpheres(const std::vector<LevelSetShape::FourClusters>& spheres, const std::uint32_t* which, std::size_t fours,
                      int first) {
        SphereBounds* out = atLeast(scratch_.bounds, first + int((fours + kFoursPerBlock - 1) / kFoursPerBlock)) + first;
        least_ = min(least_, kernels_.boundSpheres(field_, foursAt(spheres), which, int(fours), range_.margin, out));
    }

    void probe(const Fours& clusters, std::size_t first, std::size_t count) {
        FewFours& fours = scratch_.fours;
        std::copy_n(clusters.begin() + std::ptrdiff_t(first), count, fours.four);
        fours.count = count;
        fours.fillLastBlock();
        boundSpheres(own_.runs, fours.four, count, 0);
        std::uint32_t* four = fours.four;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t cluster = clusters[first + i], lane = std::uint32_t(i % kFoursPerBlock) * 4;
            const std::uint32_t runs = std::uint32_t(own_.runs[cluster].count);
            std::uint32_t bits = (scratch_.bounds[i / kFoursPerBlock].near >> lane) & ((1u << runs) - 1);
            for (; bits != 0; bits &= bits - 1)
                *four++ = cluster * kRuns + std::uint32_t(std::countr_zero(bits));
        }
        fours.count = std::size_t(four - fours.four);
        if (fours.count > 0)
            readParticles();
    }

    void readParticles() {
        FewFours& fours = scratch_.fours;
        const int blocks = fours.blocks();
        fours.fillLastBlock();
        least_ = min(least_, kernels_.readParticles(field_, foursAt(own_.particles), fours.four, int(fours.count),
                                                    range_.margin, atLeast(scratch_.readings, blocks)));
        if (std::any_of(scratch_.readings.begin(), scratch_.readings.begin() + blocks,
                        [](const auto& r) { return r.near != 0; }))
            addContacts(blocks);
    }

    void addContacts(int blocks) {
        const FewFours& fours = scratch_.fours;
        FacingParticles* found = atLeast(scratch_.facing, blocks);
        kernels_.chooseNormals(field_, particles_, fours.four, int(fours.count), scratch_.readings.data(), found);
        const std::uint32_t particles = std::uint32_t(own_.particleCount());
        for (int block = 0; block < blocks; ++block) {
            const wide::Lanes& distance = scratch_.readings[std::size_t(block)].distance;
            for (std::uint32_t bits = found[block].facing; bits != 0; bits &= bits - 1) {
                const int lane = std::countr_zero(bits);
                const std::size_t four = std::size_t(block) * kFoursPerBlock + std::size_t(lane / 4);
                const std::uint32_t particle = fours.four[four] * 4 + std::uint32_t(lane % 4);
                if (particle < particles && distance[lane] < range_.margin)
                    addContact(particle, distance[lane], found[block], lane);
            }
        }
    }

    void addContact(std::uint32_t particle, Real distance, const FacingParticles& found, int lane) {
        const auto& [point, normal, bits] = found;
        contacts_.push_back({{point.x[lane], point.y[lane], point.z[lane]},
                             {normal.x[lane], normal.y[lane], normal.z[lane]},
                             distance,
                             particleFeature(int(particle), ownIsB_),
                             ownIsB_});
        range_.margin = min(range_.margin, distance + range_.spread);
    }

    const LevelSetShape& own_;
    const FieldInFrame field_;
    const ParticlesInFrame particles_;
    Range& range_;
    const bool ownIsB_;
    std::vector<ParticleContact>& contacts_;
    const FieldKernels& kernels_ = fieldKernels();
    ParticleScratch& scratch_ = particleScratch();
    Real least_ = kInfinity;
};

}  // namespace

Real addParticlesInField(const LevelSetShape& own, const Pose& poseOwn, const ProbeFrames& frames, const LevelSetShape& other,
                         Range& range, bool ownIsB, std::vector<ParticleContact>& contacts) {
    return ParticlesInField(own, poseOwn, frames, other, range, ownIsB, contacts).run();
}

}  // namespace sunder::collision
