// The vertices of one deforming surface over time as a stream of small numbers.
//
// Positions are whole numbers of a quantum, twice the tolerance. A vertex is predicted in time (it is where the surface has it
// at rest, it stays, it keeps its velocity, it keeps its acceleration), and what that misses is predicted from what it missed
// at vertices that were read before (not at all, by the mean of the neighbours, by the parallelogram over two triangles). The
// writer tries all of these for the whole surface and writes which two it used. Arithmetic as in pose_codec.h.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "scene/recording/bits.h"
#include "scene/recording/surface_topology.h"

namespace sunder::scene {

class VertexTrack {
public:
    using Place = std::array<std::int64_t, 3>;  // quanta

    const SurfaceTopology* topology() const { return topology_.get(); }

    // For the writer: begins with the surface at rest.
    void begin(std::shared_ptr<const SurfaceTopology> topology, double tolerance);
    // Sets the next positions of the vertices; one that is not finite stays. An empty list: all stay.
    void aim(std::span<const Vec3> positions);
    // Writes all positions set by aim, so that they can be read without the frames before.
    void writeStart(BitWriter& out);
    void writeMove(BitWriter& out);

    // False where the bits cannot be decoded.
    bool readStart(BitReader& in, std::shared_ptr<const SurfaceTopology> topology);
    bool readMove(BitReader& in);

    void positions(std::vector<Vec3>& list) const;

private:
    enum class InTime : std::uint8_t { Rest, Stays, KeepsVelocity, KeepsAcceleration };
    enum class InSpace : std::uint8_t { None, Mean, Parallelogram, NothingMoves };

    void restAt(float quantum);
    void predictInTime(InTime way);
    Place predictInSpace(InSpace way, std::size_t vertex) const;
    std::uint64_t costOf(InSpace way) const;
    void write(BitWriter& out, std::span<const InTime> ways);
    void read(BitReader& in, InTime time, InSpace space);
    void push();

    std::shared_ptr<const SurfaceTopology> topology_;
    float quantum_ = 1;                          // m
    std::array<std::vector<Place>, 3> history_;  // newest first
    std::vector<Place> next_, predicted_, missed_;
};

}  // namespace sunder::scene
