// Gives corners of triangles texture coordinates and colours, and splits a vertex for each further pair of them.
#pragma once

#include <cmath>
#include <vector>

#include "geometry/surface/surface_mesh.h"

namespace sunder::geometry {

struct CornerLook {
    TextureCoordinate at;
    VertexColor color{255, 255, 255, 255};
};

class VertexSplitter {
public:
    VertexSplitter(SurfaceMesh& mesh, bool hasColors)
        : mesh_(mesh), hasColors_(hasColors), isSet_(mesh.positions.size()), next_(mesh.positions.size(), kNone) {
        mesh_.textureCoordinates.resize(mesh_.positions.size());
        if (hasColors)
            mesh_.colors.assign(mesh_.positions.size(), CornerLook{}.color);
    }

    void set(std::uint32_t& vertex, const CornerLook& wanted) {
        if (!isSet_[vertex]) {
            isSet_[vertex] = 1;
            assign(vertex, wanted);
            return;
        }
        for (;; vertex = next_[vertex]) {
            if (isSame(vertex, wanted))
                return;
            if (next_[vertex] == kNone)
                break;
        }
        const std::uint32_t split = std::uint32_t(mesh_.positions.size());
        const Vec3 position = mesh_.positions[vertex], normal = mesh_.normals[vertex];
        const std::uint32_t point = mesh_.points[vertex];
        mesh_.positions.push_back(position);
        mesh_.normals.push_back(normal);
        mesh_.points.push_back(point);
        mesh_.textureCoordinates.emplace_back();
        if (hasColors_)
            mesh_.colors.emplace_back();
        assign(split, wanted);
        isSet_.push_back(1);
        next_.push_back(kNone);
        next_[vertex] = split;
        vertex = split;
    }

private:
    static constexpr std::uint32_t kNone = 0xffffffffu;
    // Texture coordinates closer than this are the same: a hundredth of a texel of a 16k texture.
    static constexpr float kSameTexel = 1e-6f;

    void assign(std::uint32_t vertex, const CornerLook& look) {
        mesh_.textureCoordinates[vertex] = look.at;
        if (hasColors_)
            mesh_.colors[vertex] = look.color;
    }
    bool isSame(std::uint32_t vertex, const CornerLook& look) const {
        const TextureCoordinate& own = mesh_.textureCoordinates[vertex];
        return std::fabs(own.u - look.at.u) <= kSameTexel && std::fabs(own.v - look.at.v) <= kSameTexel &&
               (!hasColors_ || mesh_.colors[vertex] == look.color);
    }

    SurfaceMesh& mesh_;
    bool hasColors_;
    std::vector<std::uint8_t> isSet_;
    std::vector<std::uint32_t> next_;  // further copies of a vertex
};

}  // namespace sunder::geometry
