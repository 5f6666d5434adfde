#include "dynamics/joints/row/joint_matrix.h"

#include <algorithm>

namespace sunder::dynamics {

namespace {

void multiplyByInverseMass(const SolverBody& body, const double* jacobian, double* answer) {
    const Sym3& i = body.inverseInertia;
    answer[0] = double(body.inverseMass.x) * jacobian[0];
    answer[1] = double(body.inverseMass.y) * jacobian[1];
    answer[2] = double(body.inverseMass.z) * jacobian[2];
    answer[3] = double(i.xx) * jacobian[3] + double(i.xy) * jacobian[4] + double(i.xz) * jacobian[5];
    answer[4] = double(i.xy) * jacobian[3] + double(i.yy) * jacobian[4] + double(i.yz) * jacobian[5];
    answer[5] = double(i.xz) * jacobian[3] + double(i.yz) * jacobian[4] + double(i.zz) * jacobian[5];
}

}  // namespace

std::vector<std::pair<int, int>> findShared(std::span<const JointEnd> ends, std::vector<SharedBody>& shared) {
    shared.clear();
    std::vector<std::pair<int, int>> neighbours;
    for (std::size_t begin = 0, end = 0; begin < ends.size(); begin = end) {
        while (end < ends.size() && ends[end].body == ends[begin].body)
            ++end;
        for (std::size_t i = begin; i < end; ++i)
            for (std::size_t j = begin; j < i; ++j) {
                shared.push_back({0, ends[i].joint, ends[j].joint, ends[i].side, ends[j].side});
                neighbours.push_back({ends[j].joint, ends[i].joint});
            }
    }
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    for (SharedBody& pair : shared)
        pair.neighbour = static_cast<int>(
            std::lower_bound(neighbours.begin(), neighbours.end(), std::pair(pair.second, pair.first)) - neighbours.begin());
    return neighbours;
}

RowData rowDataOf(const JointRow& row, const SolverBody& a, const SolverBody& b) {
    const Vec3 &n = row.linear, &p = row.angularA, &q = row.angularB;
    RowData data{{{-n.x, -n.y, -n.z, -p.x, -p.y, -p.z}, {n.x, n.y, n.z, q.x, q.y, q.z}}, {}};
    multiplyByInverseMass(a, data.jacobian[0], data.answer[0]);
    multiplyByInverseMass(b, data.jacobian[1], data.answer[1]);
    return data;
}

double dotSix(const double* a, const double* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

void fillRow(const RowData* data, int r, double* diagonal, int stride) {
    for (int c = 0; c <= r; ++c)
        diagonal[r * stride + c] =
            dotSix(data[r].answer[0], data[c].jacobian[0]) + dotSix(data[r].answer[1], data[c].jacobian[1]);
}

void addShared(std::span<const SharedBody> shared, std::span<const int> rowCounts, std::span<const RowData> data,
               linear::BlockCholesky<double>& matrix) {
    for (const SharedBody& body : shared) {
        const auto pair = matrix.pair(body.neighbour);
        const bool firstIsRow = pair.row == body.first;
        const int sideRow = firstIsRow ? body.sideFirst : body.sideSecond;
        const int sideColumn = firstIsRow ? body.sideSecond : body.sideFirst;
        const RowData* rowData = data.data() + matrix.plan().offset(pair.row);
        const RowData* columnData = data.data() + matrix.plan().offset(pair.column);
        for (int r = 0; r < rowCounts[pair.row]; ++r)
            for (int c = 0; c < rowCounts[pair.column]; ++c)
                pair.values[r * pair.stride + c] += dotSix(rowData[r].jacobian[sideRow], columnData[c].answer[sideColumn]);
    }
}

}  // namespace sunder::dynamics
