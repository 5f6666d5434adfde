"""blender --python blender_maps.py -- FILE.glb FOUND.json: the bodies that Blender shows of a map of stress or strain, with colours by
vertex, in glTF's axes."""

import json
import sys

import bpy
import numpy

numpy.bool = bool  # the importer of Debian's Blender asks for a name that numpy 1.24 no longer has

file, found_file = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=file)
bodies = []
for thing in bpy.data.objects:
    if thing.type != "MESH":
        continue
    mesh = thing.data
    colors = [None] * len(mesh.vertices)
    for layer in mesh.color_attributes[:1]:
        if layer.domain == "POINT":
            colors = [list(entry.color)[:3] for entry in layer.data]
        else:
            for loop in mesh.loops:
                colors[loop.vertex_index] = list(layer.data[loop.index].color)[:3]
    vertices = [thing.matrix_world @ vertex.co for vertex in mesh.vertices]
    bodies.append({"name": thing.name, "vertices": [[p.x, p.z, -p.y] for p in vertices], "colors": colors,
                   "extras": {key: thing[key] for key in ("strength", "worst_tension", "most_strain") if key in thing}})
with open(found_file, "w", encoding="utf-8") as out:
    json.dump(bodies, out)
