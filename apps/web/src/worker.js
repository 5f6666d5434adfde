// The engine on a thread of its own. The page sends {id, name, values}; each gets {id, result} or {id, error} back.
import { Sunder } from "./sunder.js";

// Compiled as it arrives, where the server knows what it gives out.
async function compile(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  const isKnown = answer.headers.get("content-type")?.startsWith("application/wasm");
  return isKnown ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

// Threads need shared memory, which only an isolated page has; one processor is left to the picture.
async function start() {
  const asked = Number(new URL(self.location).searchParams.get("threads"));
  const threads = self.crossOriginIsolated ? Math.min(asked || navigator.hardwareConcurrency - 1 || 1, 8) : 1;
  const name = threads > 1 ? "sunder_threads" : "sunder";
  const [{ default: create }, module] = await Promise.all([
    threads > 1 ? import("./sunder_threads.mjs") : import("./sunder.mjs"), compile(new URL(`./${name}.wasm`, import.meta.url))]);
  const instantiateWasm = (imports, use) => {
    WebAssembly.instantiate(module, imports).then((instance) => use(instance, module));
    return {};
  };
  return Sunder.start(create, { threads, instantiateWasm });
}
const starting = start();
let sentRevision = null, sentSurfaces = 0, sentLists = 0, sentImages = 0;

// What the page draws: all that has changed since it was last told.
function look(engine, wanted) {
  const frame = {
    frame: engine.frame, kept: engine.kept, poses: engine.poses(), states: engine.states(), stats: engine.stats(),
    revision: engine.revision, movers: engine.movers(),
  };
  const transfers = [frame.poses.buffer, frame.states.buffer, frame.stats.buffer];
  for (const { positions, normals } of frame.movers) transfers.push(positions.buffer, normals.buffer);
  if (wanted.fresh) sentRevision = null, sentSurfaces = sentLists = sentImages = 0;
  if (engine.revision !== sentRevision) {
    sentRevision = engine.revision;
    frame.bodies = engine.bodies();
    frame.looks = engine.looks;
    frame.images = [];
    for (; sentImages < engine.imageCount; ++sentImages) frame.images.push(engine.image(sentImages));
    frame.materialLists = [];
    for (; sentLists < engine.materialListCount; ++sentLists) frame.materialLists.push(engine.materialList(sentLists));
    frame.firstSurface = sentSurfaces;
    frame.surfaces = [];
    for (; sentSurfaces < engine.surfaceCount; ++sentSurfaces) frame.surfaces.push(engine.surface(sentSurfaces));
  }
  if (wanted.contacts) frame.contacts = engine.contacts();
  if (wanted.links) frame.links = engine.links();
  if (wanted.stress) frame.stress = engine.stress();
  if (wanted.slice) frame.slice = { ...wanted.slice, distances: engine.slice(wanted.slice) };
  if (wanted.hash) frame.hash = engine.hash;
  return [frame, transfers];
}

const calls = {
  start: (engine) => ({ version: engine.version, statNames: engine.statNames, threads: engine.threads }),
  warmUp: (engine) => engine.warmUp(),
  load: (engine, text, settings) => engine.load(text, settings),
  openRecording: (engine, bytes) => engine.openRecording(new Uint8Array(bytes)),
  settings: (engine) => engine.settings,
  useFilter: (engine, filter) => engine.useFilter(filter),
  putFile: (engine, name, bytes) => engine.putFile(name, new Uint8Array(bytes)),
  meshInfo: (engine, name) => engine.meshInfo(name),
  add: (engine, scene) => engine.add(scene),
  pick: (engine, origin, displacement) => engine.pick(origin, displacement),
  grab: (engine, body, point) => engine.grab(body, point),
  pullTo: (engine, point) => engine.pullTo(point),
  release: (engine) => engine.release(),
  explode: (engine, at, speed, radius) => engine.explode(at, speed, radius),
  cut: (engine, body, point, normal) => engine.cut(body, point, normal),
  change: (engine, text, settings) => engine.change(text, settings),
  startRecording: (engine) => engine.startRecording(),
  stopRecording: (engine) => engine.stopRecording(),
  recordingBytes: (engine, glb) => engine.recordingBytes(glb),
  hash: (engine) => engine.hash,
};
const looks = {
  look: () => {},
  step: (engine, wanted) => { for (let i = 0; i < (wanted.frames ?? 1); ++i) engine.step(); },
  goTo: (engine, wanted) => engine.goTo(wanted.frame),
};

self.onmessage = async ({ data: { id, name, values } }) => {
  try {
    const engine = await starting;
    if (name in looks) {
      looks[name](engine, values[0]);
      const [result, transfers] = look(engine, values[0]);
      self.postMessage({ id, result }, transfers);
    } else {
      self.postMessage({ id, result: calls[name](engine, ...values) });
    }
  } catch (error) {
    self.postMessage({ id, error: error?.message ?? String(error) });
  }
};
