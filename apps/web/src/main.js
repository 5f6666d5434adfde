// The playground: wires the engine, the picture and the controls together.
import { engine } from "./engine.js";
import { PATTERN_NAMES, breakableBodies, fractureOf, previewScene, withFracture } from "./fracture.js";
import { fillSettings } from "./panel.js";
import { Plot, short } from "./plot.js";
import { Drawing, filePattern } from "./strokes.js";
import { bondedBodies, download, filesOf, fromLink, restarts, toLines, toLink, withAdded, withSettings } from "./share.js";
import { Tools } from "./tools.js";
import { View } from "./view.js";

const byId = (id) => document.getElementById(id);
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
const view = new View(byId("picture"), calm);

// What is open, and where it stands. settings: changed ones by path. added: bodies that joined since, with the frame and the time
// of that; backTo: the frame that was gone back to, until something new happens. preview: what is open instead of the scene.
// drawing: {name, handle, drawing} of the body with strokes on it. patternFile: {name, text} of a pattern that the user gave.
const state = {
  text: "", name: "", settings: {}, added: [], backTo: null, preview: null, info: null, look: null, running: false, busy: false, speed: 1, due: 0, shownAt: 0,
  statNames: [], recording: false, drawing: null, patternFile: null,
};
let queue = Promise.resolve();

const ENERGY = [
  { name: "kinetic", color: "#e4572e", of: (s) => s.kinetic_energy },
  { name: "potential", color: "#4f7cac", of: (s) => s.potential_energy },
  { name: "sum", color: "#7a8450", of: (s) => s.kinetic_energy + s.potential_energy + s.elastic_energy },
];
const TIME = [
  { name: "step", color: "#e4572e", of: (s) => s.step_ms },
  { name: "solve", color: "#4f7cac", of: (s) => s.solve_ms },
  { name: "collide", color: "#7a8450", of: (s) => s.collide_ms },
];
const plots = [new Plot(byId("energy"), "J", ENERGY), new Plot(byId("time"), "ms", TIME)];

export function problem(text) {
  byId("problem").hidden = !text;
  byId("problem").querySelector("pre").textContent = text ?? "";
}
function say(text) { byId("says").textContent = text; }

// One thing after another; a failure is shown, not lost.
function inTurn(action) {
  queue = queue.then(action).catch((error) => problem(error.message));
  return queue;
}

// ---- what the engine answers

function take(look) {
  state.look = look;
  state.shownAt = performance.now();
  view.take(look);
  if (look.stress) view.stress.legend(look.stress, byId("stress-legend"));
  const stats = Object.fromEntries(state.statNames.map((name, i) => [name, look.stats[i]]));
  for (const plot of plots) plot.add(stats);
  const [first, last] = look.kept;
  Object.assign(byId("timeline"), { min: first, max: Math.max(last, look.frame), value: look.frame });
  byId("frame").textContent = look.frame;
  if (look.hash) state.hash = look.hash;
  showNumbers(stats);
}

function showNumbers(stats) {
  if (byId("panel").hidden) return;
  const rows = {
    time: `${stats.time.toFixed(2)} s`, bodies: stats.bodies, awake: stats.awake, contacts: stats.contacts,
    "deepest overlap": `${short(stats.max_penetration * 1000)} mm`, threads: state.threads, "state hash": state.hash ?? "",
  };
  byId("numbers").replaceChildren(...Object.entries(rows).flatMap(([name, value]) => {
    const term = document.createElement("dt"), detail = document.createElement("dd");
    term.textContent = name;
    detail.textContent = value;
    return [term, detail];
  }));
  for (const plot of plots) plot.draw();
}

const wanted = (more = {}) => ({ ...view.wanted(state.running), hash: !state.running, ...more });
const look = async (more) => take(await engine.call("look", wanted(more)));
const step = async () => {
  forgetLater();
  take(await engine.call("step", wanted()));
};
const goTo = async (frame) => {
  take(await engine.call("goTo", wanted({ frame })));
  state.backTo = state.look.frame;
};

// A frame that was gone back to shows what was there before anything was done to it.
function forgetLater() {
  if (state.backTo === null) return;
  state.added = state.added.filter(({ frame }) => frame < state.backTo);
  state.backTo = null;
}
function added(body, patterns) {
  if (state.preview) return;
  forgetLater();
  const time = state.look.stats[state.statNames.indexOf("time")];
  state.added.push({ frame: state.look.frame, time: Number(time.toFixed(6)), body, patterns });
}
// The scene as it is now: with its changed settings and what was added.
const presentText = () => withAdded(withSettings(state.text, state.settings), state.added);

// ---- opening

async function fetchBytes(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

const brought = new Set();  // files that the user gave to the page, which no server has

// Files that the scene names, from beside it or from the bundled assets; the engine reports those that are missing.
async function fetchFiles(text, folder) {
  for (const name of filesOf(text)) {
    if (name.includes("/") || name.includes("\\") || brought.has(name)) continue;
    for (const place of [folder, "assets/"].filter(Boolean)) {
      const answer = await fetch(place + encodeURIComponent(name));
      if (!answer.ok) continue;
      await engine.call("putFile", name, await answer.arrayBuffer());
      break;
    }
  }
}

async function opened(info, keepCamera) {
  if (!info.ok) {
    problem(info.problems.join("\n"));
    return false;
  }
  problem(null);
  state.info = info;
  state.due = 0;
  view.clear();
  for (const plot of plots) plot.clear();
  const first = await engine.call("look", wanted({ fresh: true, hash: true }));
  take(first);
  if (!keepCamera) view.frame(first, info.camera);
  tools.reset();
  say([info.name, info.description].filter(Boolean).join(": ") + (info.warning ? ` (${info.warning})` : ""));
  byId("save").disabled = byId("share").disabled = Boolean(info.recording);
  byId("record").disabled = Boolean(info.recording);
  state.recording = false;
  showRecording();
  return true;
}

async function openScene(text, { name = "", settings = {}, folder = "", keepCamera = false, drawing = null, patternFile = null } = {}) {
  await fetchFiles(text, folder);
  const info = await engine.call("load", text, toLines(settings));
  await pageIsReady;
  if (!await opened(info, keepCamera)) return false;
  Object.assign(state, { text, name, settings, folder, added: [], backTo: null, preview: null, drawing, patternFile });
  showStrokes();
  showFracture();
  // After the picture: many sliders take a while to make.
  if (!keepCamera) inTurn(showSettings);
  return true;
}

async function openRecording(bytes) {
  const info = await engine.call("openRecording", bytes);
  await pageIsReady;
  if (await opened(info)) showFracture();
  byId("settings").replaceChildren();
}

const bundledScene = async (name) => new TextDecoder().decode(await fetchBytes(`scenes/${encodeURIComponent(name)}.json`));
async function openBundled(name, text = null) {
  if (await openScene(text ?? await bundledScene(name), { name, folder: "" })) byId("scenes").value = name;
  history.replaceState(null, "", `#${name}`);
}

const MESH = /\.(obj|stl|ply|glb|gltf)$/i, PATTERN = /\.(svg|png|npy|pattern)$/i;

// asPattern: a mesh is one of pieces. at: where in the picture it was dropped.
async function openFile(file, { asPattern = false, at = null } = {}) {
  const bytes = await file.arrayBuffer();
  if (PATTERN.test(file.name) || (asPattern && MESH.test(file.name))) return usePattern(file.name, bytes, at);
  if (/\.sunder$/i.test(file.name)) await openRecording(bytes);
  else if (MESH.test(file.name)) await dropMesh(file.name, bytes);
  else if (await openScene(new TextDecoder().decode(bytes), { name: file.name.replace(/\.json$/i, "") })) byId("scenes").value = "";
}

// A mesh becomes a body above the scene's middle, brought to a size that suits it.
async function dropMesh(fileName, bytes) {
  const name = fileName.replace(/[^\w.-]/g, "_");
  await engine.call("putFile", name, bytes);
  brought.add(name);
  const info = await engine.call("meshInfo", name);
  if (!info.ok) throw new Error(info.problems.join("\n"));
  const size = Math.max(...info.high.map((high, k) => high - info.low[k]));
  const scale = Math.min(view.radius * 0.5, 2) / size;
  const type = byId("pattern").value, patterns = type ? { dropped: { type, seed: 1 } } : {};
  const body = { name, shape: { type: "level_set", file: name, scale, resolution: [40, 40, 40] }, position: tools.above() };
  // Breaks when it is stopped from about 3 m/s; a solid of this density that fills a third of its box.
  if (type) body.fracture = { pattern: "dropped", threshold: 1000 * (size * scale) ** 3 };
  try {
    await tools.add(body, patterns);
    if (!info.closed) say(`${fileName} is open: its holes were closed, as on the command line`);
  } catch (error) {
    if (info.closed) throw error;
    // A sheet encloses nothing, however its holes are closed.
    await tools.add({ name, shape: { type: "hull", mesh: name, scale }, position: tools.above() });
    say(`${fileName} encloses no volume: its convex hull was taken, and does not break (${error.message})`);
  }
}

// A mesh by itself: on a floor, which it falls on.
async function openMesh(name, bytes) {
  const half = 3;  // m
  await openScene(JSON.stringify({ sunder: 1, name, camera: { position: [2, 2, 4.5], target: [0, 0.9, 0] }, bodies: [
    { name: "floor", motion: "static", shape: { type: "box", half_extents: [half, 0.1, half] }, position: [0, -0.1, 0] }] }), { name: name.replace(/\.\w+$/, "") });
  await dropMesh(name, bytes);
  view.frame(state.look, state.info.camera);
  // Part of the scene, so that starting again keeps it and its fracture can be set.
  const text = presentText();
  await openScene(text, { name: state.name, keepCamera: true });
  inTurn(showSettings);
}

// ---- how bodies break

function showFracture(chosen = byId("fracture-body").value, wantedKind = "") {
  const bodies = state.info.recording ? [] : breakableBodies(state.text);
  byId("fracture").hidden = !bodies.length;
  if (!bodies.length) return;
  // A body that breaks already is shown first.
  const best = bodies.find(({ name }) => name === chosen) ?? bodies.find(({ fracture }) => fracture) ?? bodies.at(-1);
  byId("fracture-body").replaceChildren(...bodies.map(({ name }) => new Option(name, name)));
  byId("fracture-body").value = best.name;
  const { kind, pieces, threshold, surface } = fractureOf(state.text, best.name);
  const given = {
    ...(kind === "own" ? { own: "as its file says" } : {}),
    ...(state.drawing?.name === best.name ? { drawn: "along the strokes" } : {}),
    ...(state.patternFile ? { file: `by ${state.patternFile.name}` } : {}),
  };
  const kinds = Object.entries({ "": "not at all", ...given, ...PATTERN_NAMES });
  byId("fracture-kind").replaceChildren(...kinds.map(([value, name]) => new Option(value && !(value in given) ? `into ${name}`.replace("into like", "like") : name, value)));
  byId("fracture-kind").value = wantedKind in given ? wantedKind : kind;
  byId("fracture-modelled-row").hidden = !(state.patternFile && MESH.test(state.patternFile.name));
  byId("fracture-pieces").value = pieces;
  byId("fracture-threshold").value = threshold;
  byId("fracture-surface").value = surface;
  byId("fracture-pieces").dispatchEvent(new Event("input"));
  byId("fracture-preview").setAttribute("aria-pressed", Boolean(state.preview));
}

function chosenFracture() {
  const kind = byId("fracture-kind").value;
  const pattern = kind === "drawn" ? state.drawing.drawing.pattern()
    : kind === "file" ? filePattern(state.patternFile, byId("fracture-modelled").checked) : undefined;
  return withFracture(state.text, byId("fracture-body").value, {
    kind, pieces: Number(byId("fracture-pieces").value), threshold: Number(byId("fracture-threshold").value),
    surface: byId("fracture-surface").value, pattern,
  });
}

// The scene's own body under a point of the picture: its name, or "" where there is none, which is said.
async function bodyUnder(x, y) {
  const { origin, direction } = view.ray(x, y).ray;
  const { name = "" } = await engine.call("pick", origin.toArray(), direction.clone().multiplyScalar(100 * view.reach).toArray());
  if (breakableBodies(state.text).some((body) => body.name === name)) return name;
  if (name) say(`${name} cannot be drawn on: it is a piece, a generator's, or does not break. Start again (R) and draw on a whole body`);
  return "";
}

// ---- cracks that the user draws or brings

// points: of the canvas. The first stroke on a body decides the plane of its drawing.
async function addStroke(hit, points) {
  const name = await bodyUnder(...points[0]);
  if (!name) return;
  if (state.drawing?.name !== name) {
    const drawing = new Drawing(view.toBody(hit.body, hit.point), hit.normal, view.positionsOf(hit.body));
    state.drawing = { name, handle: view.handleOf(hit.body), drawing };
  }
  const { drawing } = state.drawing;
  const kept = drawing.add(points.map(([x, y]) => drawing.onPlane(view.rayInBody(x, y, hit.body))).filter(Boolean));
  showStrokes();
  if (!drawing.strokes.length) state.drawing = null;
  showFracture(name, "drawn");
  if (kept) sayStrokes();
  else say("that stroke is too short for a crack");
}

function sayStrokes() {
  const count = state.drawing?.drawing.strokes.length ?? 0;
  say(count ? `${count} ${count > 1 ? "strokes" : "stroke"} on ${state.drawing.name}: Start again with it, or Preview` : "no strokes are left");
}

function removeStroke() {
  if (!state.drawing) return;
  state.drawing.drawing.strokes.pop();
  if (!state.drawing.drawing.strokes.length) state.drawing = null;
  showStrokes();
  showFracture(undefined, "drawn");
  sayStrokes();
}

function showStrokes() {
  const { drawing, handle } = state.drawing ?? {};
  view.showStrokes(drawing?.cracks().map((points) => points.map((point) => drawing.toBody(point))), handle);
}

// A pattern file breaks the body that it was dropped on, else the one that the panel shows.
async function usePattern(fileName, bytes, at) {
  if (state.info?.recording) throw new Error("this is a recording: open a scene to change it");
  const name = fileName.replace(/[^\w.-]/g, "_");
  const chosen = at ? await bodyUnder(...at) || byId("fracture-body").value : byId("fracture-body").value;
  if (byId("fracture").hidden) throw new Error(`${fileName}: the scene has no body of its own that could break by it`);
  await engine.call("putFile", name, bytes.slice(0));
  brought.add(name);
  state.patternFile = { name, ...(/\.svg$/i.test(name) ? { text: new TextDecoder().decode(bytes) } : {}) };
  showFracture(chosen, "file");
  await applyFracture();
  if (byId("problem").hidden) say(`${chosen} breaks by ${fileName}`);
}

async function applyFracture() {
  const chosen = byId("fracture-body").value;
  if (await openScene(chosenFracture(), { ...state, keepCamera: !state.preview })) showFracture(chosen);
}

const PREVIEW_SPEED = 0.5;  // radii per second
const PREVIEW_FRAMES = 12;  // until the pieces have parted so that each can be seen

// The chosen body alone, broken at its front; the scene comes back when it is asked for again, as it was at its start.
async function preview() {
  const name = byId("fracture-body").value, { text, settings, added, ...other } = state;
  if (state.preview) {
    await openScene(state.text, { ...other, settings });
    return showFracture(name);
  }
  if (byId("fracture-kind").value === "") return say(`${name} does not break: choose how, above`);
  run(false);
  const changed = chosenFracture();
  await fetchFiles(changed, state.folder);
  if (!await opened(await engine.call("load", previewScene(changed, name), []), false)) return;
  state.preview = name;
  await engine.call("explode", [0, 0, 2 * view.radius], PREVIEW_SPEED * view.radius, 6 * view.radius);
  for (let i = 0; i < PREVIEW_FRAMES; ++i) await step();
  byId("fracture-preview").setAttribute("aria-pressed", true);
  say(`${name} breaks into ${state.look.states.length} pieces, hit at its front; Preview again: back to the scene`);
}

async function showSettings() {
  if (state.info.recording) return;
  const settings = await engine.call("settings"), named = bondedBodies(state.text);
  settings.bonds = Object.fromEntries(Object.entries(settings.bonds).filter(([name]) => named.has(name)));
  fillSettings(byId("settings"), settings, (path, value) => inTurn(async () => {
    await change({ ...state.settings, [path]: value });
  }));
}

// Settings take effect at once, without a restart, but for those of joints and bonds.
async function change(settings) {
  const chosen = (all, once) => Object.fromEntries(Object.entries(all).filter(([path]) => restarts(path) === once));
  if (JSON.stringify(chosen(settings, true)) !== JSON.stringify(chosen(state.settings, true)))
    return void await openScene(state.text, { ...state, settings, keepCamera: true });
  const answer = await engine.call("change", state.text, toLines(chosen(settings, false)));
  if (!answer.ok) return problem(answer.problems.join("\n"));
  problem(null);
  state.settings = settings;
  if (!state.running) await look();
}

// Only what is shown; angles in proportion, half a degree for 5 mm.
const DEGREES_PER_MM = 0.1;
function showFilter() {
  const kind = byId("filter").value, distance = Number(byId("filter-distance").value);
  byId("filter-frames-row").hidden = kind !== "box";
  byId("filter-distance-row").hidden = kind !== "envelope" && kind !== "follow";
  inTurn(async () => {
    await engine.call("useFilter", { kind, frames: Number(byId("filter-frames").value), distance: distance / 1000, degrees: DEGREES_PER_MM * distance });
    await look();
  });
}

// ---- time

function run(on) {
  state.running = on;
  state.due = 0;
  byId("play").setAttribute("aria-pressed", on);
  byId("play").setAttribute("aria-label", on ? "Pause" : "Run");
  if (!on) inTurn(() => look());
}
const restart = () => inTurn(async () => {
  if (state.info?.recording) await goTo(0);
  else await openScene(state.text, { ...state, keepCamera: true });
});

let drawnAt = performance.now();
function draw(now) {
  requestAnimationFrame(draw);
  const rate = (state.info?.frame_rate ?? 30) * state.speed;
  if (state.running && state.info) {
    state.due = Math.min(state.due + (now - drawnAt) / 1000 * rate, 2);
    const atEnd = state.info.recording && state.look.frame >= state.info.frames;
    if (atEnd) run(false);
    else if (state.due >= 1 && !state.busy) {
      state.busy = true;
      state.due -= 1;
      inTurn(step).finally(() => { state.busy = false; });
    }
  }
  drawnAt = now;
  const share = state.running ? Math.min((now - state.shownAt) / 1000 * rate, 1) : 1;
  tools.draw();
  view.draw(share);
}

// ---- controls

const tools = new Tools({ canvas: byId("picture"), view, engine, inTurn, look: () => look(), state, byId, problem, say, added, drawn: addStroke });

const keys = {
  " ": ["run or pause", () => run(!state.running)],
  ".": ["one frame", () => { run(false); inTurn(step); }],
  ",": ["one frame back", () => { run(false); inTurn(() => goTo(Math.max(state.look.frame - 1, 0))); }],
  r: ["start again", restart],
  t: ["throw a ball", () => tools.choose("throw")],
  g: ["grab and drag", () => tools.choose("grab")],
  d: ["drop a body", () => tools.choose("drop")],
  c: ["cut a body in two", () => tools.choose("cut")],
  e: ["explode", () => tools.choose("explode")],
  f: ["follow a body", () => tools.choose("follow")],
  Enter: ["use the tool in the middle of the picture", () => tools.useInMiddle()],
  x: ["draw cracks on a body", () => tools.choose("draw")],
  Backspace: ["one stroke less", removeStroke],
  m: ["next way of drawing", () => {
    const select = byId("mode");
    select.selectedIndex = (select.selectedIndex + 1) % select.length;
    select.onchange();
  }],
  h: ["camera back to the start", () => state.look && view.frame(state.look, state.info.camera)],
  o: ["open a file", () => byId("file").click()],
  "?": ["show or hide the panel", () => byId("panel-toggle").click()],
};

function showRecording() {
  byId("record").textContent = state.recording ? "Stop recording" : "Record";
  byId("record").setAttribute("aria-pressed", state.recording);
}

// Beside the panel where there is room, else under it.
function resize() {
  const beside = !byId("panel").hidden && innerWidth > 640 ? byId("panel").offsetWidth : 0;
  byId("picture").style.width = `${innerWidth - beside}px`;
  byId("says").style.maxWidth = `${innerWidth - beside - 24}px`;
  view.resize(innerWidth - beside, innerHeight);
}

function wire() {
  byId("scenes").onchange = (event) => event.target.value && inTurn(() => openBundled(event.target.value));
  byId("open").onclick = () => byId("file").click();
  byId("file").onchange = ({ target }) => {
    const [file] = target.files;
    if (file) inTurn(() => openFile(file));
    target.value = "";
  };
  byId("save").onclick = () => inTurn(() => {
    const text = presentText(), files = filesOf(text).filter((file) => brought.has(file));
    download(`${state.name || "scene"}.json`, text, "application/json");
    if (files.length) say(`saved; the scene names ${files.join(", ")}: keep ${files.length > 1 ? "them" : "it"} beside it`);
  });
  byId("share").onclick = () => inTurn(async () => {
    history.replaceState(null, "", await toLink(withAdded(state.text, state.added), state.settings));
    await navigator.clipboard?.writeText(location.href).then(() => say("the link is in the clipboard"), () => say("the link is in the address bar"));
  });
  byId("problem").querySelector("button").onclick = () => problem(null);
  byId("fracture-body").onchange = () => showFracture();
  byId("fracture-apply").onclick = () => inTurn(applyFracture);
  byId("fracture-preview").onclick = () => inTurn(preview);
  byId("fracture-open").onclick = () => byId("pattern-file").click();
  byId("pattern-file").onchange = ({ target }) => {
    const [file] = target.files;
    if (file) inTurn(() => openFile(file, { asPattern: true }));
    target.value = "";
  };
  for (const output of document.querySelectorAll("#panel output[for]")) {
    const slider = byId(output.htmlFor.toString()), show = () => { output.textContent = slider.value; };
    slider.addEventListener("input", show);
    show();
  }
  const showPanel = (on) => {
    byId("panel").hidden = !on;
    byId("panel-toggle").setAttribute("aria-expanded", on);
    resize();
    if (on && state.look) inTurn(() => look());
  };
  byId("panel-toggle").onclick = () => showPanel(byId("panel").hidden);
  showPanel(innerWidth > 900);
  byId("mode").onchange = () => {
    view.mode = byId("mode").value;
    byId("slice-row").hidden = view.mode !== "slice";
    byId("stress-legend").hidden = view.mode !== "stress";
    inTurn(() => look());
  };
  for (const id of ["filter", "filter-frames", "filter-distance"]) byId(id).onchange = showFilter;
  byId("slice").oninput = ({ target }) => { view.slice.share = Number(target.value); inTurn(() => look()); };
  byId("play").onclick = keys[" "][1];
  byId("forward").onclick = keys["."][1];
  byId("back").onclick = keys[","][1];
  byId("restart").onclick = restart;
  byId("speed").onchange = ({ target }) => { state.speed = Number(target.value); };
  byId("timeline").oninput = ({ target }) => { run(false); const frame = Number(target.value); inTurn(() => goTo(frame)); };
  byId("reset").onclick = () => inTurn(async () => { await change({}); await showSettings(); });
  byId("record").onclick = () => inTurn(async () => {
    await engine.call(state.recording ? "stopRecording" : "startRecording");
    state.recording = !state.recording;
    byId("get-recording").disabled = byId("get-glb").disabled = state.recording;
    showRecording();
  });
  for (const [id, glb] of [["get-recording", false], ["get-glb", true]])
    byId(id).onclick = () => inTurn(async () =>
      download(`${state.name || "run"}.${glb ? "glb" : "sunder"}`, await engine.call("recordingBytes", glb), "application/octet-stream"));
  byId("keys").replaceChildren(...Object.entries(keys).flatMap(([key, [text]]) => {
    const term = document.createElement("dt"), detail = document.createElement("dd");
    term.textContent = key === " " ? "space" : key;
    detail.textContent = text;
    return [term, detail];
  }));
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "range") return;
    if (event.target.tagName === "BUTTON" && (event.key === " " || event.key === "Enter")) return;
    const found = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (!found) return;
    event.preventDefault();
    found[1]();
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files, asPattern = Boolean(event.target.closest?.("#fracture"));
    const at = event.target === byId("picture") ? [event.clientX, event.clientY] : null;
    if (file) inTurn(() => openFile(file, { asPattern, at }));
  });
  addEventListener("resize", resize);
  resize();
}

// What the address asks for, as a function that opens it: it is fetched while the engine is still loading.
async function findFirst(list) {
  const asked = new URL(location.href).searchParams.get("open");
  if (asked) {
    const url = new URL(asked, location.href);
    if (url.origin !== location.origin) throw new Error(`${asked}: only files of this page's own server are opened`);
    const bytes = await fetchBytes(url);
    if (/\.sunder$/i.test(url.pathname)) return () => openRecording(bytes);
    const file = decodeURIComponent(url.pathname.split("/").at(-1)), name = file.replace(/\.json$/, "");
    if (MESH.test(file)) return () => openMesh(file, bytes);
    return () => openScene(new TextDecoder().decode(bytes), { name, folder: new URL(".", url).href });
  }
  if (location.hash.startsWith("#s=")) {
    const { text, settings } = await fromLink(location.hash);
    return () => openScene(text, { settings });
  }
  const wantedName = decodeURIComponent(location.hash.slice(1)) || "wall";
  const name = wantedName === "wall" || (await list).some((scene) => scene.name === wantedName) ? wantedName : "wall";
  const text = await bundledScene(name);
  return () => openBundled(name, text);
}

const MOST_WAITED = 100;  // ms for the scene before shaders are compiled, which takes the page a while

// The picture is drawn by the first of these, and on the screen by the second.
const nextPicture = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

// Kept promises and not only awaited ones: the first scene is read by the engine while the page compiles what draws it.
let pageIsReady = Promise.resolve();

// Plain names in groups; what a group is about follows from how its scenes are called.
const GROUPS = [
  ["Breaking", /^(wall|materials|patterns|drawn|four_ways|papers_together|cut_|glazed_|dented_|stress_)/],
  ["Bonds and joints", /^(bonded_|chain_|joint_)/], ["Soft bodies", /^jelly/],
  ["Su, Schroeder, Fedkiw 2009", /^su09_/], ["Li and others 2018", /^li18_/], ["Bao and others 2007", /^bao07_/],
  ["Parker and O'Brien 2009", /^parker09_/], ["Egan 2003", /^egan03_/], ["Measured", /^s\d/],
];
function sceneGroups(list) {
  const plain = ({ name, title }) => {
    const text = (title || name).replaceAll("_", " ").replace(/^(su09|li18|bao07|parker09|egan03) /, "");
    const figure = name.match(/_fig(\d+(?:_\d+)?)_/)?.[1]?.replace("_", ".");
    const shown = text[0].toUpperCase() + text.slice(1);
    return new Option(figure && !/figure/i.test(shown) ? `${shown} (figure ${figure})` : shown, name);
  };
  const rest = list.filter(({ name }) => !GROUPS.some(([, names]) => names.test(name)));
  return [...GROUPS.map(([label, names]) => [label, list.filter(({ name }) => names.test(name))]), ["Piles and stacks", rest]]
    .filter(([, scenes]) => scenes.length).map(([label, scenes]) => {
      const group = document.createElement("optgroup");
      group.label = label;
      group.append(...scenes.map(plain));
      return group;
    });
}

function showEngine({ statNames, version, threads: count }, list) {
  Object.assign(state, { statNames, threads: count });
  document.title = `Sunder playground ${version}`;
  const other = new Option("(a file or link)", "");
  byId("scenes").replaceChildren(other, ...sceneGroups(list));
  byId("scenes").value = "";
  tools.choose("throw");
}

async function start() {
  const starting = engine.call("start"), listing = fetch("scenes/list.json").then((answer) => answer.json()), finding = findFirst(listing);
  pageIsReady = Promise.all([starting, listing]).then(([engineInfo, list]) => showEngine(engineInfo, list));
  const opening = finding.then((open) => open());
  for (const told of [pageIsReady, finding, opening]) told.catch(() => {});  // below, once the page can show it
  wire();
  await Promise.race([finding.catch(() => {}), new Promise((done) => setTimeout(done, MOST_WAITED))]);
  view.warmUp();
  requestAnimationFrame(draw);
  await pageIsReady;
  try {
    await opening;
    await nextPicture();
    state.firstPicture = performance.now();
    if (!state.info?.recording) await engine.call("warmUp");
    // Who asked for less motion starts it.
    if (!calm && byId("problem").hidden) run(true);
  } finally {
    inTurn(() => { document.documentElement.dataset.ready = "true"; });
  }
}

// For tests and for the curious.
window.sunder = { engine, state, view, tools, openScene: (text) => inTurn(() => openScene(text)), run, step: () => inTurn(step), goTo: (frame) => inTurn(() => goTo(frame)), settled: () => queue, openBundled: (name) => inTurn(() => openBundled(name)), change: (settings) => inTurn(() => change({ ...state.settings, ...settings })) };
inTurn(start);
