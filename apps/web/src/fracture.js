// How the bodies of a scene break: reads it from the scene's text and writes it there.

// What artists call a pattern, and what a scene file has for about so many pieces.
const KINDS = {
  voronoi: ["cells", (n) => ({ type: "voronoi", pieces: n })],
  radial: ["like glass", (n) => ({ type: "radial", rays: Math.min(Math.max(Math.round(n / 4), 3), 64), rings: Math.min(Math.max(Math.round(n / 12), 1), 8) })],
  wood: ["splinters", (n) => ({ type: "wood", pieces: n })],
  slabs: ["slabs", (n) => ({ type: "slabs", thickness: Math.min(Math.max(1 / n, 0.01), 4) })],
  brick: ["bricks", (n) => { const side = Math.max(1 / Math.cbrt(n), 0.01); return { type: "brick", size: [1.5 * side, side, 0.75 * side] }; }],
  shells: ["shells", (n) => ({ type: "shells", thickness: Math.min(Math.max(0.5 / Math.sqrt(n), 0.01), 4), sectors: Math.min(Math.max(Math.round(Math.sqrt(n)), 1), 64) })],
};
export const PATTERN_NAMES = Object.fromEntries(Object.entries(KINDS).map(([kind, [name]]) => [kind, name]));
const SEED = 1;

// Bodies that can be chosen: those that the text names itself. A generator's have no entry of their own.
export function breakableBodies(text) {
  let bodies = [];
  try { bodies = JSON.parse(text).bodies ?? []; } catch { /* the engine says what is wrong with it */ }
  return bodies.filter(({ name, shape, bonds, deformable }) => name && shape && !bonds && !deformable && shape.type !== "height_field");
}

// {kind, pieces, threshold, surface} of a body; kind "" where it does not break, "own" where its pattern is one that the panel
// cannot have made.
export function fractureOf(text, name) {
  const scene = JSON.parse(text), { fracture, material } = (scene.bodies ?? []).find((body) => body.name === name) ?? {};
  const other = { kind: "", pieces: 20, threshold: 100, surface: "" };
  if (!fracture) return other;
  const pattern = scene.patterns?.[fracture.pattern];
  const kind = pattern && pattern.type in KINDS ? pattern.type : "own";
  return { kind, pieces: pattern?.pieces ?? other.pieces, threshold: fracture.threshold ?? (material ? 0 : other.threshold), surface: fracture.surface ?? "" };
}

// The text with the body breaking that way. What else its fracture says stays, unless it no longer breaks.
// pattern: of a drawing or a file, in place of one that the kind makes.
export function withFracture(text, name, { kind, pieces, threshold, surface, pattern: given }) {
  const scene = JSON.parse(text), body = scene.bodies.find((one) => one.name === name);
  if (kind === "") delete body.fracture;
  else {
    const known = body.fracture ?? {};
    body.fracture = { ...known, threshold };
    if (surface) body.fracture.surface = surface;
    else delete body.fracture.surface;
    if (kind !== "own") {
      const pattern = `${name}_pieces`;
      scene.patterns = { ...scene.patterns, [pattern]: given ?? { ...KINDS[kind][1](pieces), seed: SEED } };
      body.fracture.pattern = pattern;
      delete body.fracture.method;
    }
  }
  return `${JSON.stringify(scene, null, 2)}\n`;
}

// The body alone, where it floats and breaks at a touch: what its pieces look like.
export function previewScene(text, name) {
  const scene = JSON.parse(text), body = scene.bodies.find((one) => one.name === name);
  const alone = { ...body, motion: "dynamic", position: [0, 0, 0], velocity: [0, 0, 0], angular_velocity: [0, 0, 0] };
  for (const key of ["mass", "inertia", "keyframes", "joined", "joins_at"]) delete alone[key];
  alone.fracture = { ...alone.fracture, threshold: 1e-6 };
  for (const key of ["anchors", "debris", "debris_volume", "debris_time"]) delete alone.fracture[key];
  return JSON.stringify({ sunder: 1, name: `pieces of ${name}`, gravity: [0, 0, 0], frame_rate: 30,
    materials: scene.materials ?? {}, patterns: scene.patterns ?? {}, bodies: [alone] });
}
