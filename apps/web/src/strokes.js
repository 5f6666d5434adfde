// Cracks drawn by hand on a body: strokes in a plane that touches it, and the pattern of a scene file that is made of them.
import * as THREE from "three";

const UPRIGHT = 0.999;  // of |normal.y|: beyond, the plane is level, and its up is -z or +z as for any drawing
const SHORTEST = 0.03;  // of the body's size: a shorter stroke is a slip of the hand
const JOINED = 0.04;    // of the body's size: an end that is as near to another stroke, or to its own beginning, meets it
const MARGIN = 0.1;     // of the body's size: the drawing ends so far beyond the body

const along = ([x, y], [dx, dy], t) => [x + t * dx, y + t * dy];
const distance = ([a, b], [c, d]) => Math.hypot(a - c, b - d);

// Where the line from `from` along `direction` first meets a segment: its t, or Infinity.
function meets(from, direction, a, b) {
  const s = [b[0] - a[0], b[1] - a[1]], w = [a[0] - from[0], a[1] - from[1]];
  const cross = direction[0] * s[1] - direction[1] * s[0];
  if (cross === 0) return Infinity;
  const t = (w[0] * s[1] - w[1] * s[0]) / cross, share = (w[0] * direction[1] - w[1] * direction[0]) / cross;
  return t > 0 && share >= 0 && share <= 1 ? t : Infinity;
}
function nearestOn(point, a, b) {
  const s = [b[0] - a[0], b[1] - a[1]], square = s[0] ** 2 + s[1] ** 2;
  const t = square > 0 ? Math.min(Math.max(((point[0] - a[0]) * s[0] + (point[1] - a[1]) * s[1]) / square, 0), 1) : 0;
  return along(a, s, t);
}
const segments = (strokes) => strokes.flatMap((points) => points.slice(1).map((point, i) => [points[i], point]));

// The end of a stroke, carried on: to a stroke that is near, else straight ahead to the next one or out of the drawing. So every
// stroke divides something, as a crack that runs until it is stopped.
function carryOn(points, others, size, [low, high]) {
  const end = points.at(-1);
  const near = segments(others).map(([a, b]) => nearestOn(end, a, b)).sort((p, q) => distance(p, end) - distance(q, end))[0];
  if (near && distance(near, end) < JOINED * size) return [...points, near];
  // Its direction is that of the last part that is long enough to have one.
  const before = points.findLast((point) => distance(point, end) > SHORTEST * size / 2) ?? points[0];
  const way = [end[0] - before[0], end[1] - before[1]], length = Math.hypot(...way);
  const direction = [way[0] / length, way[1] / length];
  // Out of the drawing, and a little beyond its edge.
  const out = Math.max(Math.min(...direction.map((d, k) => (d === 0 ? Infinity : ((d > 0 ? high[k] : low[k]) - end[k]) / d))), 0) + JOINED * size;
  const hit = Math.min(...segments(others).map(([a, b]) => meets(end, direction, a, b)), out);
  return [...points, along(end, direction, hit)];
}

export class Drawing {
  strokes = [];

  // point and normal: where the first stroke begins, in the body's frame. positions: of the body's surface.
  constructor(point, normal, positions) {
    const level = Math.abs(normal.y) > UPRIGHT;
    this.at = point.clone();
    this.facing = level ? new THREE.Vector3(0, Math.sign(normal.y), 0) : normal.clone().normalize();
    this.up = level ? new THREE.Vector3(0, 0, -this.facing.y) : new THREE.Vector3(0, 1, 0).projectOnPlane(this.facing).normalize();
    this.right = this.up.clone().cross(this.facing);
    this.low = [Infinity, Infinity];
    this.high = [-Infinity, -Infinity];
    const place = new THREE.Vector3();
    for (let i = 0; i < positions.length; i += 3) {
      const at = this.toPlane(place.fromArray(positions, i));
      this.low = this.low.map((x, k) => Math.min(x, at[k]));
      this.high = this.high.map((x, k) => Math.max(x, at[k]));
    }
    this.size = Math.max(this.high[0] - this.low[0], this.high[1] - this.low[1]);
    this.low = this.low.map((x) => x - MARGIN * this.size);
    this.high = this.high.map((x) => x + MARGIN * this.size);
  }

  // x to the right, y down, as in a picture.
  toPlane(point) {
    const from = point.clone().sub(this.at);
    return [from.dot(this.right), -from.dot(this.up)];
  }
  toBody([x, y]) { return this.at.clone().addScaledVector(this.right, x).addScaledVector(this.up, -y); }
  // Where a ray (in the body's frame) meets the plane, or null.
  onPlane(ray) {
    const point = ray.intersectPlane(new THREE.Plane().setFromNormalAndCoplanarPoint(this.facing, this.at), new THREE.Vector3());
    return point && this.toPlane(point);
  }

  // Whether it was long enough to be one.
  add(points) {
    const kept = points.filter((point, i) => i === 0 || distance(point, points[i - 1]) > 1e-3 * this.size);
    const length = segments([kept]).reduce((sum, [a, b]) => sum + distance(a, b), 0);
    if (length < SHORTEST * this.size) return false;
    this.strokes.push(kept);
    return true;
  }

  // The strokes with their ends carried on.
  cracks() {
    const bounds = [this.low, this.high];
    return this.strokes.map((points, i) => {
      if (points.length > 3 && distance(points[0], points.at(-1)) < 2 * JOINED * this.size) return [...points, points[0]];
      const others = this.strokes.filter((_, k) => k !== i);
      const forward = carryOn(points, others, this.size, bounds);
      return carryOn([...forward].reverse(), others, this.size, bounds);
    });
  }

  // In a scene file: the drawing lies on the body where it was drawn.
  pattern() {
    const text = (x) => Number(x.toPrecision(5)), vector = (v) => v.toArray().map(text);
    const lines = this.cracks().map((points) => `<polyline points='${points.map((p) => p.map(text).join(",")).join(" ")}'/>`);
    const [low, high] = [this.low, this.high].map((corner) => corner.map(text));
    return {
      type: "drawn", svg: `<svg viewBox='${low.join(" ")} ${text(high[0] - low[0])} ${text(high[1] - low[1])}'>${lines.join("")}</svg>`,
      center: [0, 0, 0], unit: 1, fixed: true, at: vector(this.at), facing: vector(this.facing),
    };
  }
}

const LABELS = /\.npy$/i, PICTURES = /\.(svg|png)$/i, SAVED = /\.pattern$/i;
const MOST_TEXT = 20000;  // characters of an SVG that a scene holds itself, so that a link can carry it

// The pattern of a file that the user gave. asModelled: its meshes lie on the body where they were modelled, in metres.
export function filePattern({ name, text }, asModelled) {
  if (text !== undefined && text.length < MOST_TEXT) return { type: "drawn", svg: text };
  if (PICTURES.test(name) || SAVED.test(name)) return { type: "drawn", file: name };
  return { type: "drawn", file: name, rest: "nearest", ...(asModelled && !LABELS.test(name) ? { unit: 1, fixed: true } : {}) };
}
