// The engine on a thread of its own. The page sends {id, name, values}; each gets {id, result} or {id, error} back.
import createSunder from "./sunder.mjs";
import { Sunder } from "./sunder.js";

const starting = Sunder.start(createSunder);
let sentRevision = null, sentSurfaces = 0;

// What the page draws: all that has changed since it was last told.
function look(engine, wanted) {
  const frame = {
    frame: engine.frame, kept: engine.kept, poses: engine.poses(), states: engine.states(), stats: engine.stats(),
    revision: engine.revision,
  };
  const transfers = [frame.poses.buffer, frame.states.buffer, frame.stats.buffer];
  if (wanted.fresh) sentRevision = null, sentSurfaces = 0;
  if (engine.revision !== sentRevision) {
    sentRevision = engine.revision;
    frame.bodies = engine.bodies();
    frame.firstSurface = sentSurfaces;
    frame.surfaces = [];
    for (; sentSurfaces < engine.surfaceCount; ++sentSurfaces) frame.surfaces.push(engine.surface(sentSurfaces));
  }
  if (wanted.contacts) frame.contacts = engine.contacts();
  if (wanted.hash) frame.hash = engine.hash;
  return [frame, transfers];
}

const calls = {
  start: (engine) => ({ version: engine.version, statNames: engine.statNames }),
  load: (engine, text, settings) => engine.load(text, settings),
  openRecording: (engine, bytes) => engine.openRecording(new Uint8Array(bytes)),
  settings: (engine) => engine.settings,
  putFile: (engine, name, bytes) => engine.putFile(name, new Uint8Array(bytes)),
  meshInfo: (engine, name) => engine.meshInfo(name),
  add: (engine, scene) => engine.add(scene),
  grab: (engine, body, point) => engine.grab(body, point),
  pullTo: (engine, point) => engine.pullTo(point),
  release: (engine) => engine.release(),
  explode: (engine, at, speed, radius) => engine.explode(at, speed, radius),
  cut: (engine, body, point, normal) => engine.cut(body, point, normal),
  setGravity: (engine, gravity) => engine.setGravity(gravity),
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
