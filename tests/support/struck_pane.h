// A pane that tears and the ball that strikes it.
#pragma once

#include "sunder/definitions.h"

namespace sunder::support {

// A pane, pinned along two edges, of a weak and not very stiff glass: the blow breaks it by bending, not by its mass alone.
inline BodyDef pane() {
    BodyDef def;
    def.name = "pane";
    def.shape = Box{{Real(0.6), Real(0.6), Real(0.02)}};
    def.position = {0, 1, 0};
    def.material.density = 2000;
    def.material.young = Real(1e9);
    def.material.poisson = Real(0.22);
    def.material.strength = Real(5e5);
    def.deformable = DeformableDef{.cell = Real(0.12)};
    def.deformable->tears = true;
    def.deformable->stiffnessDamping = Real(1e-4);
    def.deformable->pinned = {{{-1, Real(-0.61), -1}, {1, Real(-0.59), 1}}, {{-1, Real(0.59), -1}, {1, Real(0.61), 1}}};
    return def;
}

inline BodyDef ball(Real speed) {
    BodyDef def;
    def.name = "ball";
    def.shape = Sphere{Real(0.15)};
    def.position = {Real(0.02), Real(1.03), Real(0.25)};
    def.velocity = {0, 0, -speed};
    def.mass = 20;
    return def;
}

}  // namespace sunder::support
