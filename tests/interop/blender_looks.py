"""blender --python blender_looks.py -- FILE.glb FRAME FOUND.json: the triangles that Blender shows at a frame, with what they look
like, in glTF's axes and with v from the upper edge of pictures."""

import json
import sys

import bpy
import numpy

numpy.bool = bool  # the importer of Debian's Blender asks for a name that numpy 1.24 no longer has

file, frame, found_file = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = 30
bpy.ops.import_scene.gltf(filepath=file)
bpy.context.scene.frame_set(int(frame))

triangles, materials = [], {}
for thing in bpy.data.objects:
    if thing.type != "MESH" or thing.matrix_world.to_scale().length < 0.5:
        continue
    mesh = thing.data
    mesh.calc_loop_triangles()
    layer = mesh.uv_layers.active.data if mesh.uv_layers.active else None
    for slot in thing.material_slots:
        pictures = [node.image for node in slot.material.node_tree.nodes if node.type == "TEX_IMAGE" and node.image]
        materials[slot.material.name] = {"picture": list(pictures[0].size) if pictures else None,
                                         "colors": len(mesh.color_attributes) > 0}
    body = thing
    while body.parent and "track" not in body:
        body = body.parent
    for triangle in mesh.loop_triangles:
        if layer is None:
            continue
        corners = [thing.matrix_world @ mesh.vertices[i].co for i in triangle.vertices]
        triangles.append({
            "body": body.name, "material": mesh.materials[triangle.material_index].name,
            "corners": [[p.x, p.z, -p.y] for p in corners],
            "uv": [[layer[i].uv.x, 1 - layer[i].uv.y] for i in triangle.loops],
        })
with open(found_file, "w", encoding="utf-8") as out:
    json.dump({"materials": materials, "triangles": triangles}, out)
