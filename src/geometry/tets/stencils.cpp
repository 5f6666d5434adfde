#include "geometry/tets/stencils.h"

#include <utility>

namespace sunder::geometry {
namespace {

// The other end of the long edge at this corner.
constexpr int partner(int corner) { return corner ^ 1; }

class Filler {
public:
    explicit Filler(const LatticeTet& tet) : tet_(tet) {
        for (int i = 0; i < 4; ++i) {
            corners_[i] = node(i);
            (tet.sides[i] > 0 ? inside_[insideCount_++] : tet.sides[i] < 0 ? outside_[outsideCount_++] : on_) = i;
        }
    }

    StencilTets fill() {
        if (insideCount_ == 0)
            return {};
        if (outsideCount_ == 0)
            emit(corners_);
        else if (insideCount_ == 1)
            oneInside();
        else if (insideCount_ == 3)
            threeInside();
        else if (outsideCount_ == 1)
            twoInsideOneOn();
        else
            twoInside();
        return result_;
    }

private:
    StencilVertex node(int corner) const { return {tet_.nodes[corner], tet_.nodes[corner]}; }
    StencilVertex crossing(int in, int out) const { return {tet_.nodes[in], tet_.nodes[out]}; }
    void emit(const StencilTet& tet) { result_.tets[result_.count++] = tet; }

    // Which of a and b, both inside, the diagonal of their face with `out` starts from; it ends in the other's crossing.
    int diagonalFrom(int a, int b, int out) const {
        if (b == partner(out))
            return a;
        if (a == partner(out))
            return b;
        const bool fromLower = tet_.parities[out] == 0;
        return (tet_.nodes[a] < tet_.nodes[b]) == fromLower ? a : b;
    }

    void oneInside() {
        StencilTet tet = corners_;
        for (int i = 0; i < outsideCount_; ++i)
            tet[outside_[i]] = crossing(inside_[0], outside_[i]);
        emit(tet);
    }

    // A pyramid: its base is the face of the two inside and the one outside, its tip the corner on the surface.
    void twoInsideOneOn() {
        int a = inside_[0], b = inside_[1];
        const int out = outside_[0];
        if (diagonalFrom(a, b, out) == b)
            std::swap(a, b);
        StencilTet tet = corners_;
        tet[out] = crossing(b, out);
        emit(tet);
        tet[b] = crossing(b, out);
        tet[out] = crossing(a, out);
        emit(tet);
    }

    // A wedge: triangles at a and at b, the diagonals a to (b, m) and b to (a, n) on faces of the lattice.
    void twoInside() {
        int a = inside_[0], b = inside_[1];
        const int m = outside_[0], n = outside_[1];
        if (diagonalFrom(a, b, m) == b)
            std::swap(a, b);
        StencilTet middle = corners_;
        middle[m] = crossing(b, m);
        middle[n] = crossing(a, n);
        emit(middle);
        StencilTet atA = corners_;
        atA[b] = crossing(b, m);
        atA[m] = crossing(a, m);
        atA[n] = crossing(a, n);
        emit(atA);
        StencilTet atB = corners_;
        atB[a] = crossing(a, n);
        atB[m] = crossing(b, m);
        atB[n] = crossing(b, n);
        emit(atB);
    }

    // The tetrahedron without its corner `out`: two diagonals end on the long edge to it.
    void threeInside() {
        const int out = outside_[0], p = partner(out);
        int q = partner(p) == 0 || p == 0 ? 2 : 0, r = partner(q);
        if (diagonalFrom(q, r, out) == r)
            std::swap(q, r);
        StencilTet tet = corners_;
        tet[out] = crossing(p, out);
        emit(tet);
        tet[p] = crossing(p, out);
        tet[out] = crossing(r, out);
        emit(tet);
        tet[r] = crossing(r, out);
        tet[out] = crossing(q, out);
        emit(tet);
    }

    const LatticeTet& tet_;
    StencilTet corners_;
    int inside_[4] = {}, outside_[4] = {}, on_ = 0;
    int insideCount_ = 0, outsideCount_ = 0;
    StencilTets result_;
};

}  // namespace

StencilTets fillTet(const LatticeTet& tet) { return Filler(tet).fill(); }

}  // namespace sunder::geometry
