#include "dynamics/steady/pass_rows.h"

#include <array>

#include "dynamics/impulse/pair_impulse.h"

namespace sunder::dynamics {

namespace {

// Share of a change that counts: pairs that have less left are passed over.
constexpr Real kSkippedShare = Real(0.5);

}  // namespace

PassRow rowOf(const ImpulseSite& site) {
    PassRow row;
    row.N = site.N;
    row.x = anyPerpendicular(site.N);
    row.y = cross(site.N, row.x);
    row.armA = site.armA;
    row.armB = site.armB;
    row.KN = site.K * site.N;
    row.impulse = site.impulse;
    row.response = dot(site.N, row.KN);
    row.goal = site.goal;
    const Vec3 Kx = site.K * row.x, Ky = site.K * row.y;
    const Real xx = dot(row.x, Kx), xy = dot(row.x, Ky), yy = dot(row.y, Ky), determinant = xx * yy - xy * xy;
    if (determinant > 0) {
        row.xx = yy / determinant;
        row.xy = -xy / determinant;
        row.yy = xx / determinant;
    }
    return row;
}

// Friction first, within the cone of the load so far, then the load. [GBF03] finds both at once (point_impulse.h); where
// several points share a sliding body, that goes round instead of settling, and bodies sink into what they lie on.
Real solveRow(PassRow& row, const ContactMaterial& material, SolverBody& a, SolverBody& b) {
    const Vec3 u = velocityAt(a, row.armA) - velocityAt(b, row.armB);
    const Real load = dot(row.impulse, row.N);
    Real un = dot(u, row.N);
    Vec3 change;
    if (load > 0) {
        const Vec3 slip = u + material.surfaceVelocity;
        const Real sx = dot(slip, row.x), sy = dot(slip, row.y);
        const Vec3 before = row.impulse - row.N * load;
        Vec3 tangent = before - row.x * (row.xx * sx + row.xy * sy) - row.y * (row.xy * sx + row.yy * sy);
        const Real limit = material.friction * load, size = lengthSquared(tangent);
        if (size > square(limit))
            tangent *= limit / std::sqrt(size);
        change = tangent - before;
        un += dot(row.KN, change);
    } else if (un >= row.goal) {
        return 0;
    }
    const Real next = max(load + (row.goal - un) / row.response, 0);
    change += row.N * (next - load);
    if (!(next > 0))
        change = -row.impulse;  // what bears no load rubs nothing
    applyImpulse(a, change, row.armA);
    applyImpulse(b, -change, row.armB);
    row.impulse = next > 0 ? row.impulse + change : Vec3{};
    return std::fabs(next - load) * row.response;
}

PassRows::PassRows(ImpulseStep& step, const std::vector<std::uint32_t>& order) : step_(step), stirred_(step.bodies.size()) {
    parts_.reserve(order.size());
    for (const std::uint32_t i : order) {
        ImpulsePair& pair = step.pairs()[i];
        const std::uint32_t begin = std::uint32_t(rows_.size());
        for (const ImpulseSite& site : pair.sites)
            rows_.push_back(rowOf(site));
        const bool rolls = pair.material.rollingFriction > 0 || pair.material.spinningFriction > 0;
        parts_.push_back({&pair, begin, std::uint32_t(rows_.size()), rolls});
    }
}

Real PassRows::visit(const Part& part) {
    ImpulsePair& pair = *part.pair;
    SolverBody &a = step_.bodies[pair.a.body], &b = step_.bodies[pair.b.body];
    Real change = 0;
    for (std::uint32_t i = part.begin; i < part.end; ++i)
        change = max(change, solveRow(rows_[i], pair.material, a, b));
    if (part.rolls)
        solveRollingOf(pair, std::span(rows_).subspan(part.begin, part.end - part.begin), a, b);
    return change;
}

Real PassRows::pass(bool isDownwards) {
    Real change = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i)
        change = max(change, visit(parts_[isDownwards ? parts_.size() - 1 - i : i]));
    return change;
}

void PassRows::visitAndNote(Part& part) {
    const std::array<std::uint32_t, 2> bodies{part.pair->a.body, part.pair->b.body};
    std::array<Momentary, 2> before;
    for (int k = 0; k < 2; ++k)
        before[k] = {step_.bodies[bodies[k]].velocity, step_.bodies[bodies[k]].angularVelocity};
    part.change = visit(part);
    for (int k = 0; k < 2; ++k) {
        const SolverBody& body = step_.bodies[bodies[k]];
        stirred_[bodies[k]] += length(body.velocity - before[k].velocity) +
                               length(body.angularVelocity - before[k].angularVelocity) * step_.constants[bodies[k]].radius;
    }
    part.stirredA = stirred_[bodies[0]];
    part.stirredB = stirred_[bodies[1]];
}

Real PassRows::passUnsettled(bool isDownwards, Real settled) {
    Real change = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        Part& part = parts_[isDownwards ? parts_.size() - 1 - i : i];
        const Real since = stirred_[part.pair->a.body] - part.stirredA + stirred_[part.pair->b.body] - part.stirredB;
        if (!(part.change + since > kSkippedShare * settled))
            continue;
        visitAndNote(part);
        change = max(change, part.change);
    }
    return change;
}

void PassRows::store() {
    for (const Part& part : parts_)
        for (std::uint32_t i = part.begin; i < part.end; ++i)
            part.pair->sites[i - part.begin].impulse = rows_[i].impulse;
}

}  // namespace sunder::dynamics
