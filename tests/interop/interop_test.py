#!/usr/bin/env python3
"""Opens an exported GLB or USD in another program and compares what it shows with what was recorded.

    interop_test.py validator|three|blender|usd --recorder PROGRAM --folder FOLDER [--command-line SUNDER]

Exit status 77, with a line "not run: ...", where the program is not installed.
"""

import argparse
import json
import math
import os
import pathlib
import shutil
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TOLERANCE = 1e-4  # m, and of each component of a unit quaternion
COLOR_TOLERANCE = 5e-3  # Blender keeps colours in 8 bits as screens have them
SKIPPED = 77
FRAMES = "27"  # of bundled scenes; the wall breaks in the tenth


def not_run(why):
    print(f"not run: {why}")
    sys.exit(SKIPPED)


def run(command, folder, **more):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=280, check=False,
                          **more)
    if done.returncode != 0:
        print(done.stdout[-4000:], done.stderr[-4000:], sep="\n")
        sys.exit(f"failed: {command[0]} ended with status {done.returncode}")
    return done.stdout


def need_node(folder):
    """node, with the packages of package.json under the folder."""
    for program in ("node", "npm"):
        if not shutil.which(program):
            not_run(f"{program} is not installed")
    wanted = json.loads((HERE / "package.json").read_text(encoding="utf-8"))["dependencies"]
    for name, version in wanted.items():
        package = folder / "node_modules" / name / "package.json"
        if package.exists() and json.loads(package.read_text(encoding="utf-8"))["version"] == version:
            continue
        shutil.copy(HERE / "package.json", folder)
        done = subprocess.run(["npm", "install", "--no-package-lock", "--no-audit", "--no-fund"], cwd=folder,
                              capture_output=True, text=True, timeout=250, check=False)
        if done.returncode != 0:
            not_run(f"npm could not install {name} {version} ({done.stderr.strip().splitlines()[-1:]})")
        return


def compare(expected, found):
    """Messages about bodies that are not where they should be, or seen when they should not be."""
    faults = []
    for want, have in zip(expected["frames"], found["frames"], strict=True):
        bodies = {body["track"]: body for body in have["bodies"]}
        for body in want["bodies"]:
            where = f"track {body['track']} in frame {want['frame']}"
            got = bodies.get(body["track"])
            if got is None:
                faults.append(f"{where}: missing")
                continue
            if got["visible"] != body["visible"]:
                faults.append(f"{where}: visible is {got['visible']}")
            if not body["visible"]:
                continue
            distance = math.dist(got["position"], body["position"])
            sign = 1 if sum(a * b for a, b in zip(got["orientation"], body["orientation"])) > 0 else -1
            turn = max(abs(sign * a - b) for a, b in zip(got["orientation"], body["orientation"]))
            if not distance <= TOLERANCE or not turn <= TOLERANCE:
                faults.append(f"{where}: off by {distance:.2e} m, {turn:.2e} of its quaternion")
            if "vertices" in body:
                faults += compare_vertices(where, body["vertices"], got.get("vertices", []))
    return faults


def compare_vertices(where, expected, found):
    """Programs may order vertices, and repeat those that two materials share: all must be found, and no others."""
    if not found:
        return [f"{where}: its moving vertices are missing"]
    farthest = max(min(math.dist(a, b) for b in found) for a in expected)
    strangest = max(min(math.dist(a, b) for b in expected) for a in found)
    if farthest <= TOLERANCE and strangest <= TOLERANCE:
        return []
    return [f"{where}: a vertex is off by {farthest:.2e} m, one that should not be there by {strangest:.2e} m"]


def open_in(program, folder, modules):
    """What a program finds in the folder's run, compared with what is expected."""
    found = folder / "found.json"
    found.unlink(missing_ok=True)
    if program == "three":
        run(["node", HERE / "three.mjs", folder / "run.glb", folder / "expected.json", found], modules)
    elif program == "usd":
        run(["node", HERE / "usd.mjs", folder / "run.usda", folder / "expected.json", found], modules)
    else:
        # Blender takes its Python from the first python3 on the path, which must be the system's own.
        run([shutil.which("blender"), "--background", "--factory-startup", "--python-exit-code", "3", "--python", HERE / "blender.py", "--",
             folder / "run.glb", folder / "expected.json", found], folder, env={**os.environ, "PATH": "/usr/bin:/bin"})
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    hidden = sum(not body["visible"] for frame in expected["frames"] for body in frame["bodies"])
    print(f"{folder.name}: {len(expected['frames'])} frames, {len(expected['frames'][0]['bodies'])} bodies, {hidden} times hidden")
    return compare(expected, json.loads(found.read_text(encoding="utf-8")))


def read_glb(path):
    """The JSON of a GLB, and a function that gives an accessor's values as tuples."""
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    root, binary = json.loads(data[20:20 + length]), data[28 + length:]

    def rows(number, form):
        accessor = root["accessors"][number]
        view = root["bufferViews"][accessor["bufferView"]]
        begin = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        return list(struct.iter_unpack(form, binary[begin:begin + accessor["count"] * struct.calcsize(form)]))

    return root, rows


def read_source(path):
    """The triangles of a GLB without transforms: material, corners, texture coordinates."""
    root, rows = read_glb(path)
    triangles = []
    for primitive in root["meshes"][0]["primitives"]:
        positions = rows(primitive["attributes"]["POSITION"], "<3f")
        coordinates = rows(primitive["attributes"]["TEXCOORD_0"], "<2f")
        indices = [i for (i,) in rows(primitive["indices"], "<H")]
        name = root["materials"][primitive["material"]]["name"]
        triangles += [(name, [positions[i] for i in indices[k:k + 3]], [coordinates[i] for i in indices[k:k + 3]])
                      for k in range(0, len(indices), 3)]
    return triangles


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def look_error(source, triangle, shift):
    """How far texture coordinates are from those of the triangle of the source, of the same material, that it lies in."""
    reach, best = 2e-4, math.inf
    corners = [[p[0] - shift, p[1], p[2]] for p in triangle["corners"]]
    middle = [sum(p[i] for p in corners) / 3 for i in range(3)]
    for name, points, coordinates in source:
        if name != triangle["material"] or any(not min(p[i] for p in points) - reach <= middle[i] <= max(p[i] for p in points) + reach
                                               for i in range(3)):
            continue
        u, v = minus(points[1], points[0]), minus(points[2], points[0])
        n = cross(u, v)
        squared = dot(n, n)
        if abs(dot(n, minus(middle, points[0]))) > reach * math.sqrt(squared):
            continue
        worst = 0
        for p, uv in zip(corners, triangle["uv"]):
            d = minus(p, points[0])
            b, c = dot(cross(d, v), n) / squared, dot(cross(u, d), n) / squared
            for axis in range(2):
                wanted = (1 - b - c) * coordinates[0][axis] + b * coordinates[1][axis] + c * coordinates[2][axis]
                worst = max(worst, abs(uv[axis] - wanted))
        best = min(best, worst)
    return best


def compare_looks(program, folder, modules, command_line):
    """The vases of a bundled scene after they broke: what the mesh brought is on their pieces."""
    frame, rate = 6, 30
    looks = folder / "looks"
    run([command_line, "run", "glazed_vases", "--frames", str(frame), "--export", "gltf", "--out", looks, "--quiet"], folder)
    found_file = looks / "found.json"
    if program == "three":
        run(["node", HERE / "three_looks.mjs", looks / "glazed_vases.glb", frame, rate, found_file], modules)
    else:
        run([shutil.which("blender"), "--background", "--factory-startup", "--python-exit-code", "3", "--python", HERE / "blender_looks.py",
             "--", looks / "glazed_vases.glb", frame, found_file], folder, env={**os.environ, "PATH": "/usr/bin:/bin"})
    found = json.loads(found_file.read_text(encoding="utf-8"))
    faults = [f"material {name} is missing" for name in ("glaze", "slip", "clay") if name not in found["materials"]]
    if found["materials"].get("glaze", {}).get("picture") != [64, 64]:
        faults.append("the picture of the glaze is missing")
    faults += [f"vertex colours of {name} are missing" for name, material in found["materials"].items() if not material["colors"]]
    source = read_source(HERE.parent.parent / "assets" / "glazed_vase.glb")
    for body, shift in (("cut", -0.9), ("fixed", 0.3)):
        old = [t for t in found["triangles"] if t["body"].startswith(body + "_") and t["material"] != "clay"]
        errors = [look_error(source, triangle, shift) for triangle in old]
        worst = max(errors, default=math.inf)
        print(f"{body}: {len(old)} old triangles, texture coordinates off by {worst:.1e} at most")
        if not worst < TOLERANCE:
            faults.append(f"{body}: texture coordinates are off by {worst:.2e}")
    return faults


def rotated(q, v):
    """A vector turned by the quaternion (x, y, z, w)."""
    twice = [2 * c for c in cross(q[:3], v)]
    return [v[i] + q[3] * twice[i] + cross(q[:3], twice)[i] for i in range(3)]


def compare_maps(program, folder, modules, command_line, what, scene, frames, attribute, extra):
    """The maps of stress or strain of a scene: places, vertex colours, and the numbers themselves where the program reads them."""
    place = folder / what
    run([command_line, "run", scene, "--frames", frames, "--show", what, "--out", place, "--quiet"], folder)
    maps = sorted(place.glob(f"{what}_*.glb"))
    if not maps:
        return [f"no map of {what} was written"]
    found_file = place / "found.json"
    if program == "three":
        run(["node", HERE / "three_maps.mjs", maps[-1], found_file], modules)
    else:
        run([shutil.which("blender"), "--background", "--factory-startup", "--python-exit-code", "3", "--python", HERE / "blender_maps.py",
             "--", maps[-1], found_file], folder, env={**os.environ, "PATH": "/usr/bin:/bin"})
    found, (root, rows) = json.loads(found_file.read_text(encoding="utf-8")), read_glb(maps[-1])
    faults = [] if len(found) == len(root["nodes"]) else [f"{what}: {len(found)} bodies of {len(root['nodes'])}"]
    seen = set()
    for node, body in zip(*(sorted(bodies, key=lambda body: body["name"]) for bodies in (root["nodes"], found))):
        attributes = root["meshes"][node["mesh"]]["primitives"][0]["attributes"]
        places = [[a + b for a, b in zip(rotated(node["rotation"], p), node["translation"])] for p in rows(attributes["POSITION"], "<3f")]
        colors, tensions = rows(attributes["COLOR_0"], "<3f"), [t for (t,) in rows(attributes[attribute], "<f")]
        if len(body["vertices"]) != len(places) or len(body["colors"]) != len(colors) or None in body["colors"]:
            faults.append(f"{what}: {len(body['vertices'])} vertices and {len(body['colors'])} colours of {len(places)}")
            continue
        off = max(math.dist(a, b) for a, b in zip(places, body["vertices"]))
        pale = max(math.dist(a, b) for a, b in zip(colors, body["colors"]))
        print(f"{what} of {node['name']}: {len(places)} vertices off by {off:.1e} m, colours by {pale:.1e}, {len(set(colors))} colours")
        seen |= set(colors)
        if not (off <= TOLERANCE and pale <= COLOR_TOLERANCE):
            faults.append(f"{what} of {node['name']}: vertices off by {off:.2e} m, colours by {pale:.2e}")
        if "tensions" in body and body["tensions"] != tensions:
            faults.append(f"{what} of {node['name']}: the numbers are missing")
        if not math.isclose(body["extras"].get(extra, 0), node["extras"][extra], rel_tol=1e-5):
            faults.append(f"{what} of {node['name']}: {extra} is missing")
    return faults if len(seen) > 10 else [*faults, f"{what}: {len(seen)} colours in all"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", choices=("validator", "three", "blender", "usd"))
    parser.add_argument("--recorder", type=pathlib.Path, required=True)
    parser.add_argument("--command-line", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    options = parser.parse_args()
    modules = options.folder.resolve()
    folder = modules / options.program
    folder.mkdir(parents=True, exist_ok=True)
    if options.program == "blender":
        if not shutil.which("blender"):
            not_run("blender is not installed")
    else:
        need_node(modules)
    run([options.recorder, folder], folder)
    if options.program == "validator":
        files = [folder / "run.glb", folder / "moving" / "run.glb"]
        if options.command_line:
            for scene in ("mixed_pile", "wall", "glazed_vases"):
                run([options.command_line, "run", scene, "--frames", FRAMES, "--export", "gltf", "--out", folder, "--quiet"], folder)
                files.append(folder / f"{scene}.glb")
            files.append("--still")
            for scene, what, frames in (("bao07_fig2_slab", "stress", "12"), ("jelly", "strain", "3")):
                run([options.command_line, "run", scene, "--frames", frames, "--show", what, "--out", folder, "--quiet"], folder)
                files += sorted(folder.glob(f"{what}_*.glb"))[-1:]
        print(run(["node", HERE / "validate.mjs", *files], modules))
        return
    faults = open_in(options.program, folder, modules) + open_in(options.program, folder / "moving", modules)
    if options.command_line:
        wall = folder / "wall"
        run([options.command_line, "run", "wall", "--frames", FRAMES, "--export", "recording", "--out", wall, "--quiet"], folder)
        run([options.recorder, wall, wall / "wall.sunder"], folder)
        faults += open_in(options.program, wall, modules)
        if options.program != "usd":
            faults += compare_looks(options.program, folder, modules, options.command_line)
            faults += compare_maps(options.program, folder, modules, options.command_line, "stress", "bao07_fig2_slab", 12, "_TENSION", "strength")
            faults += compare_maps(options.program, folder, modules, options.command_line, "strain", "jelly", 12, "_STRAIN", "most_strain")
    print("\n".join(faults) or f"{options.program}: all poses within {TOLERANCE:g}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
