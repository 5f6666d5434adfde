"""blender --background --python blender.py -- FILE.glb EXPECTED.json FOUND.json: what Blender shows at the frames of EXPECTED.

Blender has z up: its importer turns (x, y, z) into (x, -z, y), which is undone here.
"""

import json
import sys

import bpy
import numpy

# Debian 12's Blender 3.4 asks numpy 1.24 for a name that went away there.
if not hasattr(numpy, "bool"):
    numpy.bool = bool

glb, expected_file, found_file = sys.argv[sys.argv.index("--") + 1:]
with open(expected_file, encoding="utf-8") as file:
    expected = json.load(file)

bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = expected["frame_rate"]
bpy.ops.import_scene.gltf(filepath=glb)


def vertices_of(track, graph):
    """Of a body that deforms: the vertices of those of its shapes that are seen, in the world."""
    vertices = []
    for thing in scene.objects:
        if thing.get("shape_of_track") != track or thing.type != "MESH":
            continue
        evaluated = thing.evaluated_get(graph)
        if max(evaluated.matrix_world.to_scale()) < 0.5:
            continue
        for vertex in evaluated.to_mesh().vertices:
            place = evaluated.matrix_world @ vertex.co
            vertices.append([place.x, place.z, -place.y])
        evaluated.to_mesh_clear()
    return vertices


frames = []
for entry in expected["frames"]:
    scene.frame_set(entry["frame"])
    bodies = []
    for thing in scene.objects:
        if "track" not in thing:
            continue
        graph = bpy.context.evaluated_depsgraph_get()
        evaluated = thing.evaluated_get(graph)
        position, orientation, scale = evaluated.matrix_world.decompose()
        # A scale of 0 leaves no rotation in the matrix; such bodies are not compared.
        bodies.append({"track": int(thing["track"]), "visible": max(scale) > 0.5,
                       "position": [position.x, position.z, -position.y],
                       "orientation": [orientation.x, orientation.z, -orientation.y, orientation.w],
                       "vertices": vertices_of(thing["track"], graph)})
    frames.append({"frame": entry["frame"], "bodies": bodies})
with open(found_file, "w", encoding="utf-8") as file:
    json.dump({"frames": frames}, file)
