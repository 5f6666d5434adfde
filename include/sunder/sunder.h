// Everything a program needs to simulate rigid bodies.
#pragma once

#include "sunder/bonds.h"
#include "sunder/contacts.h"
#include "sunder/debug_draw.h"
#include "sunder/definitions.h"
#include "sunder/drawn_patterns.h"
#include "sunder/events.h"
#include "sunder/joints.h"
#include "sunder/patterns.h"
#include "sunder/queries.h"
#include "sunder/scored_solid.h"
#include "sunder/shapes.h"
#include "sunder/steppers.h"
#include "sunder/stress_map.h"
#include "sunder/tasks.h"
#include "sunder/types.h"
#include "sunder/world.h"
