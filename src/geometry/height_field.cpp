// Ground as triangles.
#include "math/vec3.h"
#include "sunder/shapes.h"

namespace sunder {

Mesh meshOf(const HeightField& field) {
    Mesh mesh;
    const std::uint32_t columns = field.columns;
    if (columns < 2 || field.heights.size() < std::size_t(2) * columns)
        return mesh;
    const auto rows = static_cast<std::uint32_t>(field.heights.size() / columns);
    const Real left = -field.spacing * Real(columns - 1) / 2, back = -field.spacing * Real(rows - 1) / 2;
    mesh.vertices.reserve(std::size_t(columns) * rows);
    for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t column = 0; column < columns; ++column)
            mesh.vertices.push_back({left + field.spacing * Real(column), field.heights[std::size_t(row) * columns + column],
                                     back + field.spacing * Real(row)});
    const std::size_t cells = std::size_t(columns - 1) * (rows - 1);
    std::vector<bool> isHole(cells, false);
    for (const std::uint32_t cell : field.holes)
        if (cell < cells)
            isHole[cell] = true;
    mesh.triangles.reserve(2 * cells);
    for (std::uint32_t row = 0; row + 1 < rows; ++row)
        for (std::uint32_t column = 0; column + 1 < columns; ++column) {
            if (isHole[std::size_t(row) * (columns - 1) + column])
                continue;
            const std::uint32_t corner = row * columns + column, across = corner + columns + 1;
            mesh.triangles.push_back({corner, corner + columns, across});
            mesh.triangles.push_back({corner, across, corner + 1});
        }
    return mesh;
}

}  // namespace sunder
