// node page_test.mjs URL CHROMIUM ROOT FOLDER [WORDS]: the page in a real browser; only tests whose names hold the words. Pictures
// are left in the folder.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const [url, executablePath, root, folder, words = ""] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(root), "build/npm/package.json"))("playwright-core");
const browser = await chromium.launch({
  executablePath, args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});

// A page that fails the test where it complains or asks for anything elsewhere.
async function open(address = url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 640 }, acceptDownloads: true, ...options });
  context.setDefaultTimeout(120000);  // the machine may be busy
  const page = await context.newPage(), { origin } = new URL(address);
  page.faults = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !/GPU stall|WebGL/.test(message.text()) && page.faults.push(message.text()));
  page.on("pageerror", (error) => page.faults.push(error.message));
  page.on("request", (request) => !/^(blob|data):/.test(request.url()) && !request.url().startsWith(origin) && page.faults.push(`asks for ${request.url()}`));
  await page.goto(address);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "true", null, { timeout: 60000 });
  return page;
}
const hashOf = (page) => page.evaluate(() => sunder.engine.call("hash"));
const pause = (page) => page.evaluate(async () => { sunder.run(false); await sunder.settled(); });
const steps = (page, count) => page.evaluate(async (n) => { for (let i = 0; i < n; ++i) await sunder.step(); }, count);
const problemOf = (page) => page.evaluate(() => document.getElementById("problem").hidden ? "" : document.querySelector("#problem pre").textContent);

const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
// The page as PNG bytes, also left in the folder.
async function picture(page, name) {
  await drawn(page);
  return page.screenshot({ path: join(folder, `${name}.png`) });
}
// Of the picture alone, without what lies over it; a plain background takes less than 1000 different colours by far.
async function colorsOf(page) {
  return page.evaluate(() => {
    const { renderer, scene, camera } = sunder.view;
    renderer.render(scene, camera);
    const gl = renderer.getContext(), seen = new Set();
    const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
    gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    for (let i = 0; i < pixels.length; i += 4) seen.add(pixels[i] << 16 | pixels[i + 1] << 8 | pixels[i + 2]);
    return seen.size;
  });
}

// A wall that a ball strikes from the right, seen from its front.
const WALL = { sunder: 1, camera: { position: [0, 1, 6], target: [0, 1, 0] }, gravity: [0, 0, 0], bodies: [
  { name: "ball", shape: { type: "sphere", radius: 0.2 }, position: [1.6, 1, 0], velocity: [-8, 0, 0] },
  { name: "wall", shape: { type: "box", half_extents: [1, 1, 0.1] }, position: [0, 1, 0] }] };

const MOST_FIRST_LOAD = 3e6;  // bytes, compressed

const tests = {
  async "a first visit loads little, and shows its picture soon"() {
    const context = await browser.newContext({ viewport: { width: 1000, height: 640 } }), page = await context.newPage();
    const loaded = [];
    page.faults = [];
    // A browser that has just been started takes half a second to start its graphics, which is no page's doing.
    await page.evaluate(() => document.createElement("canvas").getContext("webgl2") !== null);
    page.on("response", (response) => loaded.push(response.body().then((body) => [response.url(), gzipSync(body).length], () => ["", 0])));
    await page.goto(url);
    await page.waitForFunction(() => window.sunder?.state.firstPicture, null, { timeout: 60000 });
    const ms = await page.evaluate(() => sunder.state.firstPicture), sizes = await Promise.all(loaded);
    const total = sizes.reduce((sum, [, size]) => sum + size, 0);
    // The time is for reading: it depends on the machine and on what else it does. The bar is 2 s where it does nothing else.
    console.log(`first picture after ${ms.toFixed(0)} ms; ${(total / 1e6).toFixed(2)} MB compressed in ${sizes.length} files`);
    assert.ok(sizes.some(([name, size]) => /sunder(_threads)?\.wasm$/.test(name) && size > 1e5), "the engine was among them");
    assert.ok(total < MOST_FIRST_LOAD, `${total} bytes`);
    return page;
  },

  async "threads change nothing but the time"() {
    const hashes = [];
    for (const threads of [1, 3]) {
      const page = await open(`${url}?threads=${threads}`);
      await pause(page);
      assert.equal(await page.evaluate(() => sunder.state.threads), threads);
      hashes.push([]);
      for (const [scene, frames] of [["wall", 30], ["su09_fig4_ball_breaks", 30]]) {
        await page.evaluate((name) => sunder.openBundled(name), scene);
        for (let i = 0; i < frames; i += 10) {
          await page.evaluate(() => sunder.engine.call("step", { frames: 10 }));
          hashes.at(-1).push(await hashOf(page));
        }
      }
      assert.deepEqual(page.faults, []);
      await page.context().close();
    }
    assert.deepEqual(hashes[1], hashes[0]);
    const page = await open(`${url}?threads=3`);
    return page;
  },

  async "the page loads, runs by itself and shows a picture"() {
    const page = await open();
    const isolated = await page.evaluate(() => crossOriginIsolated);
    assert.ok(isolated, "the page is isolated, so that it may use threads");
    await page.waitForFunction(() => sunder.state.look.frame > 3, null, { timeout: 60000 });
    await pause(page);
    await picture(page, "wall");
    assert.ok(await colorsOf(page) > 200, `${await colorsOf(page)} colours`);
    assert.equal(await page.title().then((title) => title.startsWith("Sunder playground")), true);
    return page;
  },

  async "every bundled scene runs"() {
    const page = await open();
    await pause(page);
    const names = (await readdir(join(root, "scenes"))).filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -5));
    const listed = await page.evaluate(() => [...document.getElementById("scenes").options].map((option) => option.value).filter(Boolean));
    assert.deepEqual(listed.sort(), names.sort());
    for (const name of names) {
      await page.evaluate((scene) => sunder.openBundled(scene), name);
      assert.equal(await problemOf(page), "", name);
      const before = await hashOf(page);
      // One frame: some scenes have thousands of bodies, and the browser draws on the processor here.
      await steps(page, 1);
      assert.equal(await page.evaluate(() => sunder.state.look.frame), 1, name);
      assert.notEqual(await hashOf(page), before, name);
    }
    return page;
  },

  async "a thrown ball changes the hash, rewinding undoes it, and the picture follows"() {
    const page = await open();
    await pause(page);
    await page.evaluate(() => sunder.openBundled("leaning_tower"));
    await steps(page, 3);
    const before = await hashOf(page), empty = await picture(page, "before_throw");
    await page.mouse.click(350, 300);
    await page.evaluate(() => sunder.settled());
    assert.notEqual(await hashOf(page), before, "a ball joined");
    await steps(page, 8);
    const hit = await picture(page, "after_throw");
    assert.notDeepEqual(hit, empty);
    const later = await hashOf(page);
    await page.evaluate(() => sunder.goTo(3));
    assert.equal(await hashOf(page), before, "rewound to the same state");
    await steps(page, 8);
    assert.notEqual(await hashOf(page), later, "without the ball the future is another");
    return page;
  },

  async "tools, keys and ways of drawing work"() {
    const page = await open();
    await pause(page);
    await page.evaluate(() => sunder.openScene(JSON.stringify({ sunder: 1, camera: { position: [0, 2, 8], target: [0, 0.5, 0] }, bodies: [
      { name: "ground", motion: "static", shape: { type: "box", half_extents: [20, 0.5, 20] }, position: [0, -0.5, 0] },
      { name: "box", shape: { type: "box", half_extents: [0.6, 0.6, 0.6] }, position: [0, 0.6, 0], fracture: { pattern: "cells", threshold: 1e9 } }],
      patterns: { cells: { type: "voronoi" } } })));
    const place = () => page.evaluate(() => [...sunder.state.look.poses.slice(7, 10)]);
    const [x, y] = await page.evaluate(() => [document.getElementById("picture").clientWidth / 2, innerHeight / 2]);
    await drawn(page);
    await page.keyboard.press("g");
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 150, y - 120, { steps: 4 });
    await steps(page, 25);
    const pulled = await place();
    assert.ok(pulled[0] > 0.4 && pulled[1] > 0.8, `grabbed and lifted: ${pulled}`);
    await page.mouse.up();
    await steps(page, 40);
    assert.ok((await place())[1] < pulled[1] - 0.1, "let go, it falls");
    await page.keyboard.press("d");
    await page.keyboard.press("Enter");
    await page.evaluate(() => sunder.settled());
    assert.equal(await page.evaluate(() => sunder.state.look.states.length), 3, "one was dropped");
    // Where the first body that moves is seen: clicks go by what is drawn.
    const seen = async () => {
      await drawn(page);
      return page.evaluate(() => {
        const { view, state } = sunder, point = view.camera.position.clone().fromArray(state.look.poses, 7).project(view.camera);
        const canvas = document.getElementById("picture");
        return [(point.x + 1) / 2 * canvas.clientWidth, (1 - point.y) / 2 * canvas.clientHeight];
      });
    };
    await page.keyboard.press("c");
    await page.mouse.click(...await seen());
    await steps(page, 1);
    assert.equal(await page.evaluate(() => sunder.state.look.states.length), 4, "the box was cut in two");
    await page.keyboard.press("f");
    await page.mouse.click(...await seen());
    assert.notEqual(await page.evaluate(() => sunder.view.followed), null, "a body is followed");
    await page.keyboard.press("e");
    assert.equal(await page.evaluate(() => sunder.view.followed), null);
    await page.evaluate(() => sunder.settled());
    const before = await hashOf(page);
    await page.mouse.click(...await seen());
    await page.evaluate(() => sunder.settled());
    assert.notEqual(await hashOf(page), before, "an explosion");
    await steps(page, 3);
    const pictures = [];
    for (const mode of ["solid", "bodies", "contacts", "joints", "slice", "sleeping", "wire"]) {
      await page.selectOption("#mode", mode);
      await page.evaluate(() => sunder.settled());
      pictures.push(await picture(page, `mode_${mode}`));
    }
    for (let i = 0; i < pictures.length; ++i)
      for (let k = 0; k < i; ++k) assert.notDeepEqual(pictures[i], pictures[k], `modes ${i} and ${k} look the same`);
    await page.locator("#picture").focus();
    const frame = await page.evaluate(() => sunder.state.look.frame);
    await page.keyboard.press(".");
    await page.evaluate(() => sunder.settled());
    assert.equal(await page.evaluate(() => sunder.state.look.frame), frame + 1);
    await page.keyboard.press(",");
    await page.evaluate(() => sunder.settled());
    assert.equal(await page.evaluate(() => sunder.state.look.frame), frame);
    return page;
  },

  async "materials and what meshes brought are drawn, and give way to other ways of drawing"() {
    const page = await open();
    await pause(page);
    const painted = () => page.evaluate(() => {
      const found = { seenThrough: 0, textured: 0 };
      sunder.view.scene.traverse((object) => {
        if (!object.isInstancedMesh) return;
        found.seenThrough += [object.material].flat().some((material) => material.transparent && material.opacity < 0.6);
        found.textured += [object.material].flat().some((material) => material.map?.image?.width > 0);
      });
      return found;
    });
    await page.evaluate(() => sunder.openBundled("materials"));
    await steps(page, 20);
    const { seenThrough, textured } = await painted();
    assert.ok(seenThrough > 10, `pieces of ice and glass: ${seenThrough}`);
    assert.equal(textured, 0);
    const first = await picture(page, "materials");
    await page.selectOption("#mode", "bodies");
    await page.evaluate(() => sunder.settled());
    assert.equal((await painted()).seenThrough, 0, "every body its colour");
    assert.notDeepEqual(await picture(page, "materials_bodies"), first);
    await page.selectOption("#mode", "solid");
    await page.evaluate(() => sunder.settled());
    assert.equal((await painted()).seenThrough, seenThrough);
    await page.evaluate(() => sunder.openBundled("glazed_vases"));
    await steps(page, 25);
    await page.waitForFunction(() => {
      let count = 0;
      sunder.view.scene.traverse((object) => { count += Boolean(object.isInstancedMesh && [object.material].flat().some((material) => material.map)); });
      return count > 4;
    });
    await picture(page, "textures");
    await page.selectOption("#filter", "follow");
    await page.evaluate(() => sunder.settled());
    assert.ok(await page.isVisible("#filter-distance"));
    assert.equal(await problemOf(page), "");
    await steps(page, 3);
    return page;
  },

  async "joints are drawn by the load they bear, and a slice shows the field"() {
    const page = await open();
    await pause(page);
    await page.evaluate(() => sunder.openBundled("joint_bridge"));
    const joints = JSON.parse(await readFile(join(root, "scenes/joint_bridge.json"), "utf8"));
    await steps(page, 30);
    await page.selectOption("#mode", "joints");
    await page.evaluate(() => sunder.settled());
    const links = await page.evaluate(() => [...sunder.state.look.links]);
    assert.ok(links.length > 0 && links.length % 11 === 0, `${joints.name}: ${links.length} numbers`);
    const forces = links.filter((_, i) => i % 11 === 9);
    assert.ok(Math.max(...forces) > 1, `the largest force is ${Math.max(...forces)} N`);
    await picture(page, "joints");
    await page.evaluate(() => sunder.openBundled("ring_on_post"));
    await steps(page, 12);
    await page.selectOption("#mode", "slice");
    await page.evaluate(() => sunder.settled());
    const [low, high] = await page.evaluate(() => sunder.state.look.slice.distances.reduce(([a, b], x) => [Math.min(a, x), Math.max(b, x)], [1, -1]));
    assert.ok(low < -0.01 && high > 0.01, `distances from ${low} to ${high}`);
    await picture(page, "slice");
    return page;
  },

  async "the stress of a blow is drawn in colours, with a legend"() {
    const page = await open();
    await pause(page);
    await page.evaluate(() => sunder.openBundled("bao07_fig2_slab"));
    await page.selectOption("#mode", "stress");
    await page.evaluate(() => sunder.settled());
    const legend = () => page.locator("#stress-legend").innerText();
    assert.match(await legend(), /no blow has been tried yet/);
    for (let i = 0; i < 60 && !(await page.evaluate(() => sunder.state.look.stress?.some(({ worst, strength }) => worst > strength))); ++i) await steps(page, 1);
    assert.match(await legend(), /3(\.\d+)? MPa[^]*most: [\d.]+ MPa/);
    const [shown, colors] = await page.evaluate(() => {
      const [mesh] = sunder.view.stress.object.children, color = mesh.geometry.attributes.color.array;
      return [sunder.view.stress.object.visible, new Set(Array.from({ length: color.length / 3 }, (_, i) => color.slice(3 * i, 3 * i + 3).join())).size];
    });
    assert.ok(shown && colors > 20, `${shown}, ${colors} colours`);
    await picture(page, "stress");
    return page;
  },

  async "a bad scene shows its error, and a good one takes it away"() {
    const page = await open();
    await pause(page);
    const file = (name, text) => ({ name, mimeType: "application/json", buffer: Buffer.from(text) });
    await page.setInputFiles("#file", file("bad.json", '{"sunder": 1, "bodies": [{"shape": {"type": "sphere", "radius": -3}}]}'));
    await page.waitForFunction(() => !document.getElementById("problem").hidden);
    assert.match(await problemOf(page), /bodies\[0\]\.shape\.radius: -3 is not allowed/);
    await picture(page, "bad_scene");
    assert.ok(await colorsOf(page) > 50);
    await page.setInputFiles("#file", file("good.json", '{"sunder": 1, "name": "ball", "bodies": [{"shape": {"type": "sphere", "radius": 0.3}}]}'));
    await page.waitForFunction(() => document.getElementById("problem").hidden);
    assert.equal(await page.evaluate(() => sunder.state.look.states.length), 1);
    await page.setInputFiles("#file", file("broken.sunder", "no recording"));
    await page.waitForFunction(() => !document.getElementById("problem").hidden);
    return page;
  },

  async "settings come from the engine and act at once; a link and a file carry them"() {
    const page = await open();
    await pause(page);
    assert.ok(await page.locator("#settings .row").count() > 15);
    await page.evaluate(() => sunder.goTo(0));
    await steps(page, 2);
    const plain = await hashOf(page);
    const box = page.locator('#settings [aria-label^="substep_rate"]');
    await box.fill("300");
    await box.press("Tab");
    await page.waitForFunction(() => sunder.state.settings.stepper);
    await page.evaluate(() => sunder.settled());
    assert.equal(await page.evaluate(() => sunder.state.settings.stepper.substep_rate), 300);
    assert.equal(await page.evaluate(() => sunder.state.look.frame), 2, "no restart");
    await page.click("#restart");
    await page.evaluate(() => sunder.settled());
    assert.equal(await page.evaluate(() => sunder.state.look.frame), 0);
    await steps(page, 2);
    const changed = await hashOf(page);
    assert.notEqual(changed, plain);
    await page.click("#share");
    await page.waitForFunction(() => location.hash.startsWith("#s="));
    const other = await open(page.url());
    await pause(other);
    await other.evaluate(() => sunder.goTo(0));
    await steps(other, 2);
    assert.equal(await hashOf(other), changed, "the link opens the same scene with the same settings");
    const [saved] = await Promise.all([other.waitForEvent("download"), other.click("#save")]);
    const scene = JSON.parse(await readFile(await saved.path(), "utf8"));
    assert.equal(scene.stepper.substep_rate, 300);
    assert.deepEqual(other.faults, []);
    await other.context().close();
    return page;
  },

  async "how energy is released has its controls; those of joints start the scene again, and are saved"() {
    const page = await open();
    await pause(page);
    await page.evaluate(() => sunder.openBundled("li18_beam"));
    await page.evaluate(() => sunder.settled());
    await steps(page, 2);
    await page.evaluate(() => { for (const group of document.querySelectorAll("#settings details")) group.open = true; });
    await page.selectOption('#settings select[aria-label="form"]', "paper");
    await page.waitForFunction(() => sunder.state.settings["release.form"] === "paper");
    await page.evaluate(() => sunder.settled());
    assert.equal(await page.evaluate(() => sunder.state.look.frame), 2, "no restart");
    await page.locator('#settings [aria-label^="alpha"]').fill("2");
    await page.keyboard.press("Tab");
    await page.waitForFunction(() => sunder.state.settings["joints.*.alpha"] === 2);
    await page.evaluate(() => sunder.settled());
    assert.equal(await problemOf(page), "");
    assert.equal(await page.evaluate(() => sunder.state.look.frame), 0, "from the start");
    await picture(page, "settings_of_release");
    const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
    const scene = JSON.parse(await readFile(await saved.path(), "utf8"));
    assert.equal(scene.release.form, "paper");
    assert.ok(scene.joints.length > 1 && scene.joints.every((joint) => joint.alpha === 2));
    return page;
  },

  async "a run is recorded, saved and opened again"() {
    const page = await open();
    await pause(page);
    await page.click("#record");
    await page.evaluate(() => sunder.settled());
    await steps(page, 6);
    const hash = await hashOf(page);
    await page.click("#record");
    await page.evaluate(() => sunder.settled());
    const [recording] = await Promise.all([page.waitForEvent("download"), page.click("#get-recording")]);
    const [glb] = await Promise.all([page.waitForEvent("download"), page.click("#get-glb")]);
    assert.ok((await stat(await glb.path())).size > 10000);
    await page.setInputFiles("#file", { name: "run.sunder", mimeType: "application/octet-stream", buffer: await readFile(await recording.path()) });
    await page.waitForFunction(() => sunder.state.info.recording);
    await page.evaluate(() => sunder.goTo(6));
    assert.equal(await hashOf(page), hash);
    return page;
  },

  async "sunder view opens the recording that it is given"() {
    const program = join(root, "build/bin/sunder");
    execFileSync(program, ["run", "su09_fig4_ball_breaks", "--frames", "20", "--export", "recording", "--out", folder, "--quiet"]);
    const server = spawn(program, ["view", "--no-open", join(folder, "su09_fig4_ball_breaks.sunder")]);
    try {
      const [said] = await once(server.stdout, "data");
      const page = await open(String(said).match(/http:\S+/)[0]);
      await pause(page);
      assert.equal(await page.evaluate(() => sunder.state.info.recording && sunder.state.info.frames), 20);
      const bodiesAt = async (frame) => {
        await page.evaluate((number) => sunder.goTo(number), frame);
        return page.evaluate(() => sunder.state.look.states.length);
      };
      assert.ok(await bodiesAt(20) > await bodiesAt(0) + 3, "the ball is whole in the first frame and broken in the last");
      await bodiesAt(20);
      await picture(page, "recording");
      return page;
    } finally {
      server.kill("SIGINT");
    }
  },

  async "a recording of a body whose vertices move shows them move"() {
    const page = await open();
    await pause(page);
    const buffer = await readFile(join(root, "tests/scene/recording/data/v2_waving_cube.sunder"));
    await page.setInputFiles("#file", { name: "waving.sunder", mimeType: "application/octet-stream", buffer });
    await page.waitForFunction(() => sunder.state.info.recording);
    // The first vertex of the surface that has so many, as three.js has it.
    const cornerAt = async (frame, vertices) => {
      await page.evaluate((number) => sunder.goTo(number), frame);
      await drawn(page);
      return page.evaluate((count) => {
        let found = null;
        sunder.view.scene.traverse((object) => {
          const position = object.isInstancedMesh && object.geometry.attributes.position;
          if (position && position.count === count) found = [...position.array.slice(0, 3)];
        });
        return found;
      }, vertices);
    };
    for (const frame of [0, 7, 16]) {
      const t = frame / 30, corner = await cornerAt(frame, 96);
      const expected = [Math.sin(-2.5 + 6 * t), Math.cos(-2 + 5 * t), Math.sin(-3 - 4 * t)].map((wave) => 0.08 * wave - 0.5);
      expected.forEach((x, k) => assert.ok(Math.abs(x - corner[k]) < 2e-5, `frame ${frame}: ${corner} for ${expected}`));
    }
    await picture(page, "waving");
    assert.ok(await cornerAt(25, 192), "torn, it has another surface");
    assert.equal(await cornerAt(25, 96), null);
    await picture(page, "waving_torn");
    return page;
  },

  async "a dropped mesh becomes a body, and breaks where it falls"() {
    const page = await open();
    await pause(page);
    await page.evaluate(() => sunder.openScene(JSON.stringify({ sunder: 1, bodies: [
      { name: "ground", motion: "static", shape: { type: "box", half_extents: [6, 0.5, 6] }, position: [0, -0.5, 0] },
      { name: "box", shape: { type: "box", half_extents: [0.5, 0.5, 0.5] }, position: [3, 0.5, 0] }] })));
    const count = await page.evaluate(() => sunder.state.look.states.length);
    await page.setInputFiles("#file", { name: "bunny.obj", mimeType: "text/plain", buffer: await readFile(join(root, "assets/bunny.obj")) });
    await page.waitForFunction((before) => sunder.state.look.states.length === before + 1 || !document.getElementById("problem").hidden, count, { timeout: 60000 });
    assert.equal(await problemOf(page), "");
    await page.evaluate(() => sunder.change({ gravity: [0, -60, 0] }));
    await steps(page, 30);
    const pieces = await page.evaluate(() => sunder.state.look.states.length) - count;
    assert.ok(pieces > 3, `${pieces} pieces`);
    await picture(page, "mesh");
    assert.ok(await colorsOf(page) > 50);
    return page;
  },

  async "the fracture panel makes any body break, shows its pieces, and is saved"() {
    const page = await open();
    await pause(page);
    await page.evaluate(() => sunder.openScene(JSON.stringify({ sunder: 1, bodies: [
      { name: "ground", motion: "static", shape: { type: "box", half_extents: [6, 0.5, 6] }, position: [0, -0.5, 0] },
      { name: "ball", shape: { type: "sphere", radius: 0.5 }, position: [0, 3, 0] }] })));
    await page.selectOption("#fracture-body", "ball");
    assert.equal(await page.inputValue("#fracture-kind"), "", "it does not break yet");
    await page.click("#fracture-preview");
    await page.evaluate(() => sunder.settled());
    assert.match(await page.textContent("#says"), /ball does not break/);
    await page.selectOption("#fracture-kind", "voronoi");
    await page.fill("#fracture-pieces", "12");
    assert.equal(await page.textContent('#fracture output[for="fracture-pieces"]'), "12", "the slider says its value");
    await page.fill("#fracture-threshold", "50");
    await page.click("#fracture-preview");
    await page.evaluate(() => sunder.settled());
    assert.equal(await problemOf(page), "");
    const shown = await page.evaluate(() => sunder.state.look.states.length);
    assert.ok(shown > 3, `${shown} pieces, and no ground`);
    await picture(page, "fracture_preview");
    await page.click("#fracture-preview");
    await page.evaluate(() => sunder.settled());
    assert.equal(await page.evaluate(() => sunder.state.look.states.length), 2, "back to the scene");
    await page.selectOption("#fracture-kind", "voronoi");
    await page.fill("#fracture-pieces", "12");
    await page.fill("#fracture-threshold", "50");
    await page.click("#fracture-apply");
    await page.evaluate(() => sunder.settled());
    assert.equal(await problemOf(page), "");
    await steps(page, 40);
    assert.ok(await page.evaluate(() => sunder.state.look.states.length) > 4, "it breaks where it falls");
    await picture(page, "fracture_applied");
    const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
    const scene = JSON.parse(await readFile(await saved.path(), "utf8"));
    assert.equal(scene.bodies[1].fracture.threshold, 50);
    assert.equal(scene.patterns[scene.bodies[1].fracture.pattern].pieces, 12);
    return page;
  },

  async "cracks drawn on a body with the mouse are where it breaks, and are saved"() {
    const page = await open();
    await pause(page);
    await page.evaluate((scene) => sunder.openScene(JSON.stringify(scene)), WALL);
    await drawn(page);
    await page.keyboard.press("x");
    assert.match(await page.textContent("#hint"), /Draw cracks/);
    // Where a point of the wall's front is seen.
    const seen = (x, y) => page.evaluate(([px, py]) => {
      const { view } = sunder, point = view.camera.position.clone().set(px, py, 0.1).project(view.camera), canvas = document.getElementById("picture");
      return [(point.x + 1) / 2 * canvas.clientWidth, (1 - point.y) / 2 * canvas.clientHeight];
    }, [x, y]);
    const stroke = async (...points) => {
      for (const [i, point] of points.entries()) {
        await page.mouse.move(...await seen(...point), { steps: 5 });
        if (i === 0) await page.mouse.down();
      }
      await page.mouse.up();
      await page.evaluate(() => sunder.settled());
    };
    const camera = () => page.evaluate(() => sunder.view.camera.position.toArray());
    const before = await camera();
    await stroke([0.5, 1.8], [0.5, 0.3]);    // ends within the wall: runs on to its edges
    await stroke([0.48, 1.2], [-0.9, 1.2]);  // from the first one to the left
    assert.deepEqual(await camera(), before, "drawing does not move the camera");
    assert.equal(await page.inputValue("#fracture-body"), "wall");
    assert.equal(await page.inputValue("#fracture-kind"), "drawn");
    await stroke([0.2, 0.5], [0.21, 0.5]);
    assert.match(await page.textContent("#says"), /too short/);
    await stroke([-0.5, 1.9], [-0.5, 1.3]);
    await page.keyboard.press("Backspace");
    assert.equal(await page.evaluate(() => sunder.state.drawing.drawing.strokes.length), 2);
    await picture(page, "strokes");
    await page.fill("#fracture-threshold", "1");
    await page.click("#fracture-apply");
    await page.evaluate(() => sunder.settled());
    assert.equal(await problemOf(page), "");
    await steps(page, 12);
    // The ball comes from the right side; the three pieces are those of the strokes: 1.5 x 1.2, 1.5 x 0.8 and 0.5 x 2 m.
    const places = await page.evaluate(() => {
      const { states, poses } = sunder.state.look;
      return [...states.keys()].slice(1).map((i) => [...poses.slice(7 * i, 7 * i + 2)]);
    });
    assert.equal(places.length, 3, JSON.stringify(places));
    const sorted = places.sort(([a, b], [c, d]) => a - c || b - d).map(([x, y]) => [x < 0.2 ? "left" : "right", y > 1.2 ? "up" : y < 0.8 ? "down" : "middle"].join(" "));
    assert.deepEqual(new Set(sorted), new Set(["left up", "left down", "right middle"]), JSON.stringify(places));
    await picture(page, "strokes_broken");
    const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
    const scene = JSON.parse(await readFile(await saved.path(), "utf8")), pattern = scene.patterns[scene.bodies[1].fracture.pattern];
    assert.match(pattern.svg, /<polyline/);
    await writeFile(join(folder, "strokes.json"), JSON.stringify(scene));
    // On the command line it breaks into the same pieces.
    const report = join(folder, "strokes.jsonl");
    execFileSync(join(root, "build/bin/sunder"), ["run", join(folder, "strokes.json"), "--frames", "12", "--stats", report, "--no-export", "--quiet"]);
    const last = JSON.parse((await readFile(report, "utf8")).trim().split("\n").at(-1));
    assert.equal(last.bodies, 4);
    return page;
  },

  async "pattern files that are dropped break the body that they are dropped on"() {
    const page = await open();
    await pause(page);
    await page.evaluate((scene) => sunder.openScene(JSON.stringify(scene)), WALL);
    await drawn(page);
    const drop = async (file, target) => {
      const bytes = [...await readFile(join(root, "assets", file))];
      await page.evaluate(([name, data, selector]) => {
        const transfer = new DataTransfer(), at = document.querySelector(selector), { clientWidth, clientHeight } = at;
        transfer.items.add(new File([new Uint8Array(data)], name));
        at.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, clientX: clientWidth / 2, clientY: clientHeight / 2 }));
      }, [file, bytes, target]);
      await page.evaluate(() => sunder.settled());
      await page.evaluate(() => sunder.settled());
    };
    await page.fill("#fracture-threshold", "1");
    const piecesAfter = async () => {
      await steps(page, 8);
      return await page.evaluate(() => sunder.state.look.states.length) - 1;
    };
    for (const [file, target] of [["drawn_cracks.svg", "#picture"], ["drawn_cracks.png", "#picture"], ["drawn_labels.npy", "#picture"], ["drawn_pieces.glb", "#fracture"]]) {
      await drop(file, target);
      assert.equal(await problemOf(page), "", file);
      assert.match(await page.textContent("#says"), new RegExp(`wall breaks by ${file}`));
      const pieces = await piecesAfter();
      assert.ok(pieces > 2, `${file}: ${pieces} pieces`);
      await picture(page, `dropped_${file.replace(/.*\./, "")}`);
      await page.evaluate(() => sunder.goTo(0));
    }
    const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
    assert.match(await page.textContent("#says"), /names drawn_pieces.glb: keep it beside it/);
    assert.equal(JSON.parse(await readFile(await saved.path(), "utf8")).patterns.wall_pieces.file, "drawn_pieces.glb");
    // What is no pattern is named.
    await page.setInputFiles("#pattern-file", { name: "empty.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg viewBox='0 0 1 1'></svg>") });
    await page.waitForFunction(() => !document.getElementById("problem").hidden);
    assert.match(await problemOf(page), /svg: has no curves/);
    return page;
  },

  async "a line says what a click does, and a click that meets nothing says so"() {
    const page = await open();
    await pause(page);
    const names = await page.evaluate(() => [...document.querySelectorAll("#scenes option")].map((option) => option.textContent));
    assert.deepEqual(names.filter((name) => /_/.test(name)), [], "plain names");
    assert.ok(await page.locator("#scenes optgroup").count() > 5);
    for (const id of ["ball-speed", "ball-mass", "blast"])
      assert.equal(await page.textContent(`output[for="${id}"]`), await page.inputValue(`#${id}`));
    await page.evaluate(() => sunder.openScene(JSON.stringify({ sunder: 1, camera: { position: [0, 2, 8], target: [0, 0.5, 0] }, bodies: [
      { name: "box", shape: { type: "box", half_extents: [0.3, 0.3, 0.3] }, position: [0, 0.6, 0] }] })));
    await drawn(page);
    for (const [key, hint, missed] of [["c", /cut in two/, /nothing there that can be cut/], ["e", /blast/, /nothing there to blast/],
      ["f", /follows/, /nothing there to follow/], ["g", /drag/, /nothing there that can be grabbed/]]) {
      await page.keyboard.press(key);
      assert.match(await page.textContent("#hint"), hint);
      const before = await hashOf(page);
      await page.mouse.click(40, 200);
      await page.evaluate(() => sunder.settled());
      assert.match(await page.textContent("#says"), missed);
      assert.equal(await hashOf(page), before);
    }
    await page.keyboard.press("t");
    assert.match(await page.textContent("#hint"), /throws a ball/);
    return page;
  },

  async "a file and a link keep what was thrown, and when"() {
    const page = await open();
    await pause(page);
    await page.evaluate(() => sunder.openBundled("leaning_tower"));
    await page.mouse.click(350, 300);
    await page.evaluate(() => sunder.settled());
    await steps(page, 3);
    await page.mouse.click(350, 320);
    await page.evaluate(() => sunder.settled());
    await steps(page, 5);
    const hash = await hashOf(page);
    const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
    const thrown = JSON.parse(await readFile(await saved.path(), "utf8")).bodies.filter(({ name }) => /^thrown/.test(name ?? ""));
    assert.equal(thrown.length, 2);
    assert.equal(thrown[0].joins_at, undefined, "the first was there from the start");
    assert.ok(Math.abs(thrown[1].joins_at - 3 / (await page.evaluate(() => sunder.state.info.frame_rate))) < 1e-5);
    await page.click("#share");
    await page.waitForFunction(() => location.hash.startsWith("#s="));
    const other = await open(page.url());
    await pause(other);
    assert.equal(await problemOf(other), "");
    await other.evaluate(() => sunder.goTo(0));
    await steps(other, 8);
    assert.equal(await hashOf(other), hash, "the link leads to the same state");
    await other.context().close();
    // Gone back to before the second, and on from there: only the first is left.
    await page.evaluate(() => sunder.goTo(2));
    await steps(page, 1);
    assert.equal(await page.evaluate(() => sunder.state.added.length), 1);
    return page;
  },

  async "sunder view opens a mesh, and an open mesh breaks as on the command line"() {
    // A box without its lid, 1 m wide.
    const corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
    const sides = [[1, 4, 3, 2], [5, 6, 7, 8], [1, 2, 6, 5], [4, 8, 7, 3], [1, 5, 8, 4]];
    const text = [...corners.map((c) => `v ${c.join(" ")}`), ...sides.flatMap(([a, b, c, d]) => [`f ${a} ${b} ${c}`, `f ${a} ${c} ${d}`])].join("\n");
    const file = join(folder, "crate.obj");
    await writeFile(file, `${text}\n`);
    const server = spawn(join(root, "build/bin/sunder"), ["view", "--no-open", file]);
    try {
      const [said] = await once(server.stdout, "data");
      const page = await open(String(said).match(/http:\S+/)[0]);
      await pause(page);
      assert.equal(await problemOf(page), "");
      await page.evaluate(() => sunder.goTo(0));
      assert.equal(await page.evaluate(() => sunder.state.look.states.length), 2, "the mesh and a floor");
      await page.evaluate(() => sunder.change({ gravity: [0, -60, 0] }));
      await steps(page, 40);
      assert.ok(await page.evaluate(() => sunder.state.look.states.length) > 5, "it breaks");
      await picture(page, "open_mesh");
      return page;
    } finally {
      server.kill("SIGINT");
    }
  },

  async "at 360 pixels nothing is cut off, and it can be used by touch"() {
    const page = await open(url, { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
    await pause(page);
    const outside = await page.evaluate(() => [...document.querySelectorAll("header *, footer *")]
      .filter((item) => !item.hidden && item.getClientRects().length && !item.closest("option, select *"))
      .filter((item) => { const box = item.getBoundingClientRect(); return box.left < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1; })
      .map((item) => item.outerHTML.slice(0, 60)));
    assert.deepEqual(outside, []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    const before = await hashOf(page);
    await page.touchscreen.tap(180, 300);
    await page.evaluate(() => sunder.settled());
    assert.notEqual(await hashOf(page), before, "a tap throws a ball");
    await picture(page, "narrow");
    assert.ok(await colorsOf(page) > 50);
    await page.click("#panel-toggle");
    await picture(page, "narrow_panel");
    return page;
  },

  async "who asked for less motion starts it"() {
    const page = await open(url, { reducedMotion: "reduce" });
    await page.waitForTimeout(500);
    assert.equal(await page.evaluate(() => sunder.state.running), false);
    assert.equal(await page.evaluate(() => sunder.state.look.frame), 0);
    return page;
  },
};

for (const [name, test] of Object.entries(tests)) {
  if (!name.includes(words)) continue;
  try {
    const page = await test();
    assert.deepEqual(page.faults.filter((fault) => !/radius/.test(fault)), []);
    await page.context().close();
    console.log(`ok: ${name}`);
  } catch (error) {
    console.log(`failed: ${name}\n${error.stack}`);
    process.exitCode = 1;
  }
}
await browser.close();
