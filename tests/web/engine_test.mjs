// node engine_test.mjs WEB ROOT: what the page asks of the engine, without a page.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { BODY_NUMBERS, NONE } from "../../apps/web/src/sunder.js";
import { bundled, startEngine } from "./engine.mjs";

const [web, root] = process.argv.slice(2);
const engine = await startEngine(web);
const stat = (name) => engine.stats()[engine.statNames.indexOf(name)];
const steps = (count) => { for (let i = 0; i < count; ++i) engine.step(); };
const ground = { name: "ground", motion: "static", shape: { type: "box", half_extents: [20, 0.5, 20] }, position: [0, -0.5, 0] };
const scene = (...bodies) => JSON.stringify({ sunder: 1, name: "test", bodies: [ground, ...bodies] });
const box = { name: "box", shape: { type: "box", half_extents: [0.5, 0.5, 0.5] }, position: [0, 0.5, 0] };

const tests = {
  async "rewinding returns to the same hash, and the future is the same"() {
    assert.ok(engine.load(await bundled(engine, root, "wall")).ok);
    const hashes = [engine.hash];
    for (let i = 0; i < 30; ++i) { engine.step(); hashes.push(engine.hash); }
    assert.equal(engine.goTo(12), 12);
    assert.equal(engine.hash, hashes[12]);
    assert.equal(stat("frame"), 12);
    assert.deepEqual(engine.kept, [0, 30]);  // kept until something else happens
    steps(18);
    assert.equal(engine.hash, hashes[30]);
    assert.equal(engine.goTo(0), 0);
    assert.equal(engine.hash, hashes[0]);
  },

  async "warming up breaks a wall of its own, and leaves the scene alone"() {
    assert.ok(engine.load(scene(box)).ok);
    steps(3);
    const [before, bodies, frame] = [engine.hash, engine.bodyCount, engine.frame];
    assert.ok(engine.warmUp() > 30 + 10, "its wall broke");
    assert.deepEqual([engine.hash, engine.bodyCount, engine.frame], [before, bodies, frame]);
  },

  async "rewinding across a break and an event of the scene gives the same future"() {
    const text = JSON.parse(await bundled(engine, root, "su09_fig4_ball_breaks"));
    text.events = [{ time: 0.5, explode: { at: [0, 0.2, 0.5], impulse: 50, radius: 3 } }];
    assert.ok(engine.load(JSON.stringify(text)).ok);
    const hashes = [engine.hash], bodies = [engine.bodyCount];
    for (let i = 0; i < 25; ++i) { engine.step(); hashes.push(engine.hash); bodies.push(engine.bodyCount); }
    assert.ok(bodies[25] > bodies[0] + 3, `the ball broke: ${bodies}`);
    for (const frame of [20, 15, 14, 3, 0]) {
      engine.goTo(frame);
      assert.equal(engine.bodyCount, bodies[frame]);
      for (let i = frame; i < 25; ++i) {
        assert.equal(engine.hash, hashes[i], `frame ${i} after going back to ${frame}`);
        engine.step();
      }
      assert.equal(engine.hash, hashes[25]);
    }
  },

  async "a ball that joins changes the hash, and a rewind takes it away"() {
    assert.ok(engine.load(scene(box)).ok);
    steps(5);
    const [before, revision] = [engine.hash, engine.revision];
    const ball = { name: "ball", shape: { type: "sphere", radius: 0.3 }, position: [0, 1, 5], velocity: [0, 0, -20] };
    assert.ok(engine.add({ sunder: 1, bodies: [ball] }).ok);
    assert.notEqual(engine.hash, before);
    assert.notEqual(engine.revision, revision);
    assert.equal(engine.bodyCount, 3);
    steps(25);
    assert.ok(Math.hypot(...engine.poses().subarray(7, 10).map((x, k) => x - [0, 0.5, 0][k])) > 0.2, "the box was hit");
    engine.goTo(5);
    assert.equal(engine.hash, before);
    assert.equal(engine.bodyCount, 2);
  },

  async "a grabbed body comes to where it is pulled, without swinging"() {
    for (const rate of [15, 30, 120]) {
      const text = JSON.stringify({ sunder: 1, frame_rate: rate, bodies: [ground, box] });
      assert.ok(engine.load(text).ok);
      assert.equal(engine.grab(0, [0, 0, 0]), false, "static bodies stay");
      assert.equal(engine.grab(1, [0.3, 1, 0.2]), true);
      engine.pullTo([2, 3, -1]);
      let farthest = 0;
      const place = () => [...engine.poses().subarray(7, 10)], apart = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));
      for (let i = 0; i < 8 * rate; ++i) {
        engine.step();
        farthest = Math.max(farthest, ...place().map(Math.abs));
      }
      const at = place();
      // The grabbed point is 0.62 m from the middle.
      assert.ok(apart(at, [2, 3, -1]) < 0.7, `at ${rate} Hz it is at ${at}`);
      assert.ok(farthest < 4.5, `at ${rate} Hz it swung out to ${farthest}`);
      for (let i = 0; i < rate; ++i) engine.step();
      assert.ok(apart(place(), at) < 0.01, `at ${rate} Hz it still moves: ${apart(place(), at)} m in a second`);
      engine.release();
    }
  },

  async "an explosion drives bodies apart, and spares those beyond its radius"() {
    const put = (name, x) => ({ ...box, name, position: [x, 0.5, 0] });
    assert.ok(engine.load(scene(put("left", -1), put("right", 1), put("far", 9))).ok);
    engine.explode([0, 0.3, 0], 10, 4);
    steps(10);
    const x = (body) => engine.poses()[7 * body];
    assert.ok(x(1) < -1.5 && x(2) > 1.5, `${x(1)} ${x(2)}`);
    assert.ok(Math.abs(x(3) - 9) < 1e-3);
  },

  async "a cut makes two bodies of one, with faces of their own"() {
    assert.ok(engine.load(scene(box)).ok);
    assert.throws(() => engine.cut(1, [0, 0.5, 0], [1, 0, 0]), /has no fracture/);
    const breakable = { ...box, fracture: { pattern: "cells", threshold: 1e6 } };
    assert.ok(engine.load(JSON.stringify({ sunder: 1, patterns: { cells: { type: "voronoi" } }, bodies: [ground, breakable] })).ok);
    engine.cut(1, [0, 0.5, 0], [1, 0, 0]);
    engine.step();
    assert.equal(engine.bodyCount, 3);
    const bodies = engine.bodies();
    for (const body of [1, 2]) {
      const { indices, outside } = engine.surface(bodies[BODY_NUMBERS * body + 2]);
      assert.ok(outside > 0 && outside < indices.length, `${outside} of ${indices.length} indices are of the old surface`);
    }
  },

  async "what is wrong with a scene is said with its path, and the old scene stays"() {
    assert.ok(engine.load(scene(box)).ok);
    const before = engine.hash;
    const bad = engine.load(scene({ ...box, mass: -1 }));
    assert.equal(bad.ok, false);
    assert.match(bad.problems[0], /bodies\[1\]\.mass: -1 is not allowed/);
    assert.match(engine.load("{").problems[0], /line 1/);
    assert.match(engine.load(scene(box), ["gravty=[0,0,0]"]).problems[0], /gravity/);
    assert.match(engine.load(scene({ ...box, shape: { type: "hull", mesh: "none.obj" } })).problems[0], /no such file/);
    assert.equal(engine.add({ sunder: 1, bodies: [{ shape: { type: "sphere", radius: -1 } }] }).ok, false);
    assert.throws(() => engine.stopRecording(), /nothing is being recorded/);
    assert.equal(engine.openRecording(new Uint8Array([1, 2, 3])).ok, false);
    assert.equal(engine.hash, before);
  },

  async "settings are described as the engine knows them, and take effect"() {
    const text = JSON.stringify({ sunder: 1, materials: { ice: { friction: 0.02 } }, bodies: [ground, { ...box, material: "ice" }] });
    assert.ok(engine.load(text, ["gravity=[0,-2,0]"]).ok);
    const { world, materials } = engine.settings;
    const field = Object.fromEntries(world.map((entry) => [entry.name, entry]));
    assert.deepEqual(field.gravity.value, [0, -2, 0]);
    assert.equal(field.stepper.value, "frame_rate");
    assert.ok(field.stepper.options.frame_rate.some((option) => option.name === "substep_rate" && option.unit === "Hz"));
    assert.ok(field.stepper.options.impulse.length > 0);
    assert.equal(materials.ice.find((entry) => entry.name === "friction").value, 0.02);
    for (const entry of world) assert.ok(entry.doc.length > 3, entry.name);
    const before = engine.hash;
    assert.ok(engine.change(text, ["gravity=[1,-9.81,0]"]).ok);
    assert.notEqual(engine.hash, before);
    assert.deepEqual(engine.settings.world.find((entry) => entry.name === "gravity").value, [1, -9.81, 0]);
  },

  async "a scene brings its stepper with options, which act and are named where they are wrong"() {
    const high = { ...box, name: "high", position: [0.1, 1.6, 0], velocity: [2, 0, 0], angular_velocity: [0, 2, 0] };
    const text = (stepper) => JSON.stringify({ sunder: 1, frame_rate: 30, stepper, bodies: [ground, { ...box, position: [0, 0.47, 0] }, high] });
    const run = (stepper, settings = []) => {
      const info = engine.load(text(stepper), settings);
      assert.ok(info.ok, `${info.problems}`);
      const field = engine.settings.world.find((entry) => entry.name === "stepper");
      steps(30);
      return { field, hash: engine.hash };
    };
    for (const [type, option, value] of [["frame_rate", "substep_rate", 1440], ["impulse", "contact_passes", 3],
      ["damped", "contact_damping", 5], ["timewarp", "lift_rate", 40], ["timewarp_safer", "contact_passes", 2]]) {
      const plain = run(type), given = run({ type, [option]: value });
      assert.equal(given.field.value, type);
      assert.equal(given.field.options[type].find((entry) => entry.name === option).value, value);
      assert.notEqual(given.hash, plain.hash, `${type}: ${option} does something`);
      assert.equal(run(type, [`stepper.${option}=${value}`]).hash, given.hash, "the same by a setting");
    }
    const { problems } = engine.load(text({ type: "damped", substep_rate: 3 }));
    assert.match(problems[0], /stepper\.substep_rate: unknown key/);
    assert.match(problems[0], /contact_damping/);
    assert.match(engine.load(text("damp")).problems[0], /unknown stepper "damp"; did you mean "damped"\? \(known: .*timewarp_safer/);
  },

  async "how energy is released is described, and what breaks by itself with it"() {
    const text = await bundled(engine, root, "li18_beam");
    assert.ok(engine.load(text, ["joints.*.alpha=1.5", "release.outward=0.25"]).ok);
    const { world, joints, bonds } = engine.settings, release = world.find((entry) => entry.name === "release");
    assert.deepEqual(release.fields.map(({ path, kind, value }) => [path, kind, value]),
      [["release.form", "name", "pair"], ["release.outward", "number", 0.25], ["release.free", "number", 0], ["release.time", "number", 0], ["release.seed", "integer", 1]]);
    assert.deepEqual(release.fields[0].names, ["pair", "paper"]);
    assert.deepEqual(joints.map(({ path, value }) => [path, value]), [["joints.*.break_interval", 0], ["joints.*.alpha", 1.5]]);
    assert.deepEqual(bonds, {});
    steps(30);
    const before = engine.hash;
    engine.goTo(0);
    assert.ok(engine.change(text, ["release.form=paper", "release.outward=1"]).ok);
    assert.equal(engine.settings.world.find((entry) => entry.name === "release").fields[0].value, "paper");
    steps(30);
    assert.notEqual(engine.hash, before, "the beam's halves fly in another way");
    assert.match(engine.change(text, ["release.outward=2"]).problems[0], /release\.outward: 2 is not allowed/);
    assert.ok(engine.load(await bundled(engine, root, "bonded_bridge"), ["bodies.bridge.bonds.alpha=0.7"]).ok);
    const fields = engine.settings.bonds.bridge, strength = fields.find((field) => field.name === "strength").fields;
    assert.equal(fields.find((field) => field.path === "bodies.bridge.bonds.alpha").value, 0.7);
    assert.equal(strength.find((field) => field.path === "bodies.bridge.bonds.strength.tension").unit, "Pa");
    // Whatever else a scene file may set is a setting of the world, and shown.
    const others = ["$schema", "sunder", "name", "description", "figure", "frame_rate", "steps_per_frame", "frames", "camera", "materials", "patterns", "bodies", "joints", "events", "threads"];
    assert.deepEqual(world.map((entry) => entry.name).sort(), Object.keys(engine.schema.properties).filter((key) => !others.includes(key)).sort());
  },

  async "a setting that changes in a run acts from there on, and after a rewind too"() {
    const slope = { name: "slope", motion: "static", material: "ice", shape: { type: "box", half_extents: [20, 0.5, 20] }, position: [0, -0.5, 0] };
    const text = JSON.stringify({ sunder: 1, gravity: [3, -9.81, 0], materials: { ice: { friction: 0.8 } }, bodies: [slope, { ...box, material: "ice" }] });
    assert.ok(engine.load(text).ok);
    steps(30);
    const x = () => engine.poses()[7], held = x(), at30 = engine.hash;
    assert.ok(Math.abs(held) < 0.02, `friction 0.8 holds it: ${held}`);
    const ice = ["materials.ice.friction=0.01"];
    assert.ok(engine.change(text, ice).ok);
    assert.equal(engine.frame, 30, "no restart");
    steps(30);
    // 1 s at 3 - 0.01 * 9.81 m/s^2; asleep or not, the change woke it.
    const slid = x();
    assert.ok(Math.abs(slid - held - 1.45) < 0.1, `it slid ${slid - held} m`);
    const end = engine.hash;
    engine.goTo(30);
    assert.equal(engine.hash, at30, "the frame is as it was");
    steps(30);
    assert.equal(engine.hash, end, "what comes next obeys the settings of now");
    assert.match(engine.change(text, ["materials.ice.friction=-1"]).problems[0], /-1 is not allowed/);
    assert.equal(engine.hash, end);
  },

  async "joints tell their load, and a stepper that cannot solve them is refused"() {
    const joint = { type: "ball", b: "box", anchor: [0, 3, 0], break_force: 1e6 };
    const text = JSON.stringify({ sunder: 1, bodies: [{ ...box, position: [0, 2, 0] }], joints: [joint] });
    assert.ok(engine.load(text).ok);
    steps(10);
    const links = engine.links();
    assert.equal(links.length, 11);
    // 1000 kg hang from it, pulled through the point above.
    assert.ok(Math.abs(links[9] - 9810) < 100 && Math.abs(links[10] - 9810e-6) < 1e-4, `${links}`);
    assert.ok(Math.abs(links[4] - 3) < 1e-3 && Math.abs(links[7] - 2) < 0.01, `${links}`);
    assert.match(engine.change(text, ["stepper=damped"]).problems[0], /joints need frame_rate or impulse/);
  },

  async "bonds tell their load"() {
    assert.ok(engine.load(await bundled(engine, root, "bonded_bridge")).ok);
    steps(20);
    const links = engine.links(), shares = links.filter((_, i) => i % 11 === 10);
    assert.ok(links.length > 11 * 5 && links.length % 11 === 0, `${links.length} numbers`);
    // The bridge's joints cannot break, which is told by -1; its bonds bear something, and none as much as it can.
    const bonds = shares.filter((share) => share !== -1);
    assert.ok(links.every(Number.isFinite) && bonds.length > 5 && bonds.every((share) => share >= 0 && share < 1), `${shares}`);
    assert.ok(Math.max(...bonds) > 0.1, `${shares}`);
  },

  async "the stress of a blow comes as a coloured surface"() {
    assert.ok(engine.load(await bundled(engine, root, "bao07_fig2_slab")).ok);
    assert.deepEqual(engine.stress(), []);
    let maps = [];
    for (let i = 0; i < 60 && !maps.length; ++i) steps(1), maps = engine.stress().filter(({ worst, strength }) => worst > strength);
    assert.equal(maps.length, 1);
    const [{ strength, worst, vertices, triangles }] = maps, shares = vertices.filter((_, i) => i % 4 === 3);
    assert.equal(strength, 3e6);
    assert.ok(triangles.length > 100 && triangles.every((corner) => corner < shares.length));
    assert.ok(Math.abs(Math.max(...shares) - worst / strength) < 0.5 * worst / strength, `${Math.max(...shares)}, ${worst / strength}`);
    steps(40);
    assert.deepEqual(engine.stress().filter(({ body }) => body < 0), [], "what broke is shown for half a second");
    engine.goTo(0);
    assert.deepEqual(engine.stress(), []);
  },

  async "a slice holds the distances to the nearest body"() {
    const ball = { name: "ball", shape: { type: "sphere", radius: 1 }, position: [0, 2, 0] };
    assert.ok(engine.load(JSON.stringify({ sunder: 1, bodies: [ground, ball] })).ok);
    const found = engine.slice({ corner: [-2, 2, 0], right: [1, 0, 0], up: [0, 1, 0], columns: 5, rows: 3, farthest: 1.5 });
    const expected = [];
    for (let k = 0; k < 3; ++k)
      for (let i = 0; i < 5; ++i) expected.push(Math.min(Math.hypot(i - 2, k) - 1, 1.5));
    found.forEach((distance, i) => assert.ok(Math.abs(distance - expected[i]) < 1e-5, `${i}: ${distance} ${expected[i]}`));
  },

  async "a recording made here opens here, with the same poses and hashes, and becomes a GLB"() {
    assert.ok(engine.load(await bundled(engine, root, "wall")).ok);
    engine.startRecording();
    steps(15);
    const [poses, hash] = [engine.poses(), engine.hash];
    engine.stopRecording();
    const bytes = engine.recordingBytes(), glb = engine.recordingBytes(true);
    assert.equal(Buffer.from(bytes.subarray(0, 8)).toString(), "SUNDERRC");
    assert.equal(Buffer.from(glb.subarray(0, 4)).toString(), "glTF");
    const info = engine.openRecording(bytes);
    assert.ok(info.ok && info.recording, JSON.stringify(info));
    assert.equal(info.frames, 15);
    engine.goTo(15);
    assert.equal(engine.hash, hash);
    const played = engine.poses();
    assert.equal(played.length, poses.length);
    // Positions are rounded to at most 2^-14 m, orientations to 6e-5 rad.
    played.forEach((value, i) => assert.ok(Math.abs(value - poses[i]) < 1e-4 || i % 7 > 2, `${i}: ${value} ${poses[i]}`));
    assert.equal(engine.add({ sunder: 1, bodies: [] }).ok, false);
  },

  async "a recording of a body whose vertices move gives them frame by frame"() {
    const bytes = await readFile(join(root, "tests/scene/recording/data/v2_waving_cube.sunder"));
    assert.ok(engine.openRecording(new Uint8Array(bytes)).recording);
    const rest = new Map();
    for (const frame of [0, 5, 16, 17, 30, 3]) {  // it tears in frame 17
      engine.goTo(frame);
      const movers = engine.movers();
      assert.equal(movers.length, 1);
      const [{ surface, positions, normals }] = movers, t = frame / 30;
      assert.equal(surface, engine.bodies()[BODY_NUMBERS + 2], "the second body is drawn with it");
      assert.equal(normals.length, positions.length);
      assert.equal(positions.length, engine.surface(surface).positions.length);
      assert.equal(positions.length, 3 * 96 * (frame < 17 ? 1 : 2));
      rest.set(surface, true);
      if (frame >= 17) continue;
      // The first vertex is the corner (-0.5, -0.5, -0.5), by the formula of tests/scene/moving_for_tests.h.
      const expected = [Math.sin(-2.5 + 6 * t), Math.cos(-2 + 5 * t), Math.sin(-3 - 4 * t)].map((wave) => 0.08 * wave - 0.5);
      expected.forEach((x, k) => assert.ok(Math.abs(x - positions[k]) < 2e-5, `frame ${frame}: ${positions.subarray(0, 3)} for ${expected}`));
    }
    assert.equal(rest.size, 2);
    assert.ok(engine.load(scene(box)).ok);
    assert.deepEqual(engine.movers(), []);
  },

  async "meshes are read from OBJ, STL and GLB"() {
    const corners = [[0, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 1]], faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    const put = (name, text) => engine.putFile(name, new TextEncoder().encode(text));
    put("t.obj", [...corners.map((c) => `v ${c.join(" ")}`), ...faces.map((f) => `f ${f.map((i) => i + 1).join(" ")}`)].join("\n"));
    put("t.stl", `solid t\n${faces.map((f) => `facet normal 0 0 0\nouter loop\n${f.map((i) => `vertex ${corners[i].join(" ")}`).join("\n")}\nendloop\nendfacet`).join("\n")}\nendsolid t\n`);
    // One buffer: 12 floats, then 12 short indices.
    const buffer = Buffer.concat([Buffer.from(new Float32Array(corners.flat()).buffer), Buffer.from(new Uint16Array(faces.flat()).buffer)]);
    const words = JSON.stringify({
      asset: { version: "2.0" }, buffers: [{ byteLength: 72 }], bufferViews: [{ buffer: 0, byteLength: 48 }, { buffer: 0, byteOffset: 48, byteLength: 24 }],
      accessors: [{ bufferView: 0, componentType: 5126, count: 4, type: "VEC3", min: [0, 0, 0], max: [2, 1, 1] }, { bufferView: 1, componentType: 5123, count: 12, type: "SCALAR" }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }], nodes: [{ mesh: 0 }], scenes: [{ nodes: [0] }], scene: 0,
    }), padded = Buffer.from(words.padEnd(4 * Math.ceil(words.length / 4)));
    const head = (...numbers) => Buffer.from(new Uint32Array(numbers).buffer);
    engine.putFile("t.glb", Buffer.concat([head(0x46546c67, 2, 28 + padded.length + buffer.length, padded.length, 0x4e4f534a), padded,
      head(buffer.length, 0x004e4942), buffer]));
    for (const name of ["t.obj", "t.stl", "t.glb"]) {
      const info = engine.meshInfo(name);
      assert.deepEqual([info.ok, info.closed, info.low, info.high], [true, true, [0, 0, 0], [2, 1, 1]], `${name}: ${JSON.stringify(info)}`);
    }
  },

  async "materials and meshes tell what they look like"() {
    const pane = { ...box, name: "pane", material: "glass", position: [2, 0.5, 0] };
    assert.ok(engine.load(scene(box, pane)).ok);
    const look = (body) => engine.bodies()[BODY_NUMBERS * body + 5];
    assert.equal(look(1), NONE);
    assert.equal(engine.looks[look(2)].opacity, 0.25);
    engine.putFile("glazed_vase.glb", await readFile(join(root, "assets/glazed_vase.glb")));
    assert.ok(engine.load(scene({ name: "vase", shape: { type: "level_set", file: "glazed_vase.glb", cell: 0.03 } })).ok);
    const { positions, coordinates, colors, groups, materials } = engine.surface(engine.bodies()[BODY_NUMBERS + 2]);
    assert.deepEqual([coordinates.length / 2, colors.length / 4], [positions.length / 3, positions.length / 3]);
    assert.deepEqual([groups.length, groups[2], groups[5]], [6, 0, 2]);
    const list = engine.materialList(materials), { base_color: picture } = list.find((material) => material.textures.base_color).textures;
    const { type, bytes } = engine.image(picture.image);
    assert.equal(type, "image/png");
    assert.equal(Buffer.from(bytes.subarray(1, 4)).toString(), "PNG");
  },

  async "a filter changes what is shown and nothing else"() {
    assert.ok(engine.load(scene({ ...box, position: [0, 5, 0] })).ok);
    steps(6);
    const [plain, hash] = [engine.poses()[8], engine.hash];
    engine.useFilter({ kind: "box", frames: 2 });
    engine.goTo(0);
    steps(6);
    assert.equal(engine.hash, hash);
    assert.ok(engine.poses()[8] > plain + 0.01, "the mean of the last frames of a fall is higher");
    engine.useFilter({ kind: "none" });
    assert.equal(engine.poses()[8], plain);
    assert.throws(() => engine.useFilter({ kind: "box", frames: 1000 }), /frames: 1000 is not allowed/);
  },

  async "surfaces are shared, closed and face outwards"() {
    assert.ok(engine.load(await bundled(engine, root, "wall")).ok);
    assert.ok(engine.surfaceCount < 8, `${engine.surfaceCount} surfaces for 299 bodies`);
    const { positions, normals, indices } = engine.surface(0);  // the ground: a box of 80 x 1 x 80 m
    let volume = 0;
    for (let i = 0; i < indices.length; i += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => positions.subarray(3 * indices[i + k], 3 * indices[i + k] + 3));
      volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6;
    }
    assert.ok(Math.abs(volume - 6400) < 1e-2 * 6400, `volume ${volume}`);
    assert.equal(normals.length, positions.length);
  },

  async "a closed mesh joins as a level set"() {
    assert.ok(engine.load(scene()).ok);
    engine.putFile("bunny.obj", await readFile(join(root, "assets/bunny.obj")));
    const info = engine.meshInfo("bunny.obj");
    assert.ok(info.ok && info.closed, JSON.stringify(info));
    const size = Math.max(...info.high.map((high, k) => high - info.low[k]));
    const shape = { type: "level_set", file: "bunny.obj", scale: 1 / size, resolution: [24, 24, 24] };
    const added = engine.add({ sunder: 1, bodies: [{ name: "bunny", shape, position: [0, 1.2, 0] }] });
    assert.ok(added.ok, JSON.stringify(added));
    steps(60);
    const y = engine.poses()[8];
    assert.ok(y > -0.2 && y < 1.2, `it lies on the ground: ${y}`);
    assert.ok(stat("contacts") > 0);
    engine.putFile("bad.obj", new TextEncoder().encode("f 1 2 3\n"));
    assert.equal(engine.meshInfo("bad.obj").ok, false);
  },
};

for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log(`ok: ${name}`);
  } catch (error) {
    console.log(`failed: ${name}\n${error.stack}`);
    process.exitCode = 1;
  }
}
