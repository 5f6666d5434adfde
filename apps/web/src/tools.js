// What a click or a finger does to the scene: throw, grab, drop, cut, draw, explode, follow. Dragging elsewhere moves the camera.
import * as THREE from "three";

const CLICK_PIXELS = 6;  // a pointer that moved farther was a drag
const DROPPED = [
  (size) => ({ type: "box", half_extents: [size, size, size] }),
  (size) => ({ type: "sphere", radius: size }),
  (size) => ({ type: "cylinder", radius: size, half_height: size }),
  (size) => ({ type: "capsule", radius: size * 0.6, half_height: size * 0.8 }),
];

// What a click does, and what is said where it meets nothing.
const HINTS = {
  throw: () => "Click: throws a ball there.",
  grab: () => "Press on a body that can move and drag it. What deforms stretches, and tears where it can.",
  drop: () => "Click: drops a body above that point.",
  cut: () => "Click a body that can move and break, or that deforms: it is cut in two, upright as you see it.",
  draw: () => "Draw cracks across a body; the Fracture panel breaks it along them. Backspace: one less.",
  explode: () => "Click: a blast just below that point.",
  follow: () => "Click a body that can move: the camera follows it.",
};
const MISSED = {
  grab: "nothing there that can be grabbed", cut: "nothing there that can be cut", draw: "nothing there to draw on", explode: "nothing there to blast",
  follow: "nothing there to follow",
};

export class Tools {
  #tool = "throw";
  #down = null;
  #held = null;
  #stroke = null;  // {hit, points}: on screen until it is lifted
  #thrown = 0;

  constructor(page) {
    Object.assign(this, page);
    const { canvas } = page;
    canvas.addEventListener("pointerdown", (event) => this.#press(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#lift(event));
    canvas.addEventListener("pointercancel", () => this.#letGo());
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    for (const button of document.querySelectorAll("[data-tool]")) button.onclick = () => this.choose(button.dataset.tool);
  }

  choose(tool) {
    this.#tool = tool;
    for (const button of document.querySelectorAll("[data-tool]"))
      button.setAttribute("aria-checked", button.dataset.tool === tool);
    if (tool !== "follow") this.view.follow(null);
    this.byId("hint").textContent = HINTS[tool]();
  }

  #miss() { this.say(`${MISSED[this.#tool]}: the click met the background, or a body that is fixed`); }

  reset() { this.#letGo(); }

  #press(event) {
    this.canvas.focus({ preventScroll: true });
    if (!event.isPrimary || event.button !== 0) {
      this.#down = null;
      return;
    }
    this.#down = { x: event.clientX, y: event.clientY };
    if (!["grab", "draw"].includes(this.#tool) || this.state.info?.recording) return;
    const hit = this.view.pick(event.clientX, event.clientY);
    if (this.#tool === "draw") return this.#startStroke(event, hit);
    if (!hit?.dynamic) return this.#miss();
    // The camera stays where it is while a body is held.
    this.view.controls.enabled = false;
    this.canvas.setPointerCapture(event.pointerId);
    this.#held = { ...hit, local: this.view.toBody(hit.body, hit.point), target: hit.point.clone() };
    this.inTurn(() => this.engine.call("grab", hit.body, hit.point.toArray()));
  }

  #startStroke(event, hit) {
    if (!hit) return this.#miss();
    this.view.controls.enabled = false;
    this.canvas.setPointerCapture(event.pointerId);
    this.#stroke = { hit, points: [[event.clientX, event.clientY]] };
  }

  #move(event) {
    if (this.#stroke && event.isPrimary) {
      this.#stroke.points.push([event.clientX, event.clientY]);
      this.view.showStroke(this.#stroke.points.map(([x, y]) => this.view.pick(x, y)?.point ?? this.view.onPlane(x, y, this.#stroke.hit.point)));
      return;
    }
    if (!this.#held || !event.isPrimary) return;
    const point = this.view.onPlane(event.clientX, event.clientY, this.#held.target);
    if (!point) return;
    this.#held.target = point;
    this.inTurn(() => this.engine.call("pullTo", point.toArray()));
  }

  #lift(event) {
    const down = this.#down;
    this.#down = null;
    if (this.#stroke) {
      const { hit, points } = this.#stroke;
      this.#letGo();
      this.inTurn(() => this.drawn(hit, points));
      return;
    }
    if (this.#held) {
      this.#letGo();
      return;
    }
    if (!down || Math.hypot(event.clientX - down.x, event.clientY - down.y) > CLICK_PIXELS) return;
    this.use(event.clientX, event.clientY);
  }

  #letGo() {
    this.view.controls.enabled = true;
    this.view.showSpring(null);
    this.view.showStroke(null);
    this.#stroke = null;
    if (!this.#held) return;
    this.#held = null;
    this.inTurn(() => this.engine.call("release"));
  }

  draw() {
    if (this.#held) this.view.showSpring(this.view.bodyPoint(this.#held.body, this.#held.local), this.#held.target);
  }

  useInMiddle() { return this.use(this.canvas.clientWidth / 2, this.canvas.clientHeight / 2); }

  // Resolves once the engine has done it.
  use(x, y) {
    if (!this.state.info) return Promise.resolve();
    const hit = this.view.pick(x, y);
    if (this.#tool === "follow") {
      this.view.follow(hit?.dynamic ? hit.body : null);
      if (!hit?.dynamic) this.#miss();
      return Promise.resolve();
    }
    if (this.state.info.recording) {
      this.problem("this is a recording: open a scene to change it");
      return Promise.resolve();
    }
    if (this.#tool === "draw") return Promise.resolve();
    if (this.#tool === "throw") return this.inTurn(() => this.#throwBall(x, y));
    if (this.#tool === "drop") return this.inTurn(() => this.#drop(hit));
    if (this.#tool === "cut" && hit?.dynamic) return this.inTurn(() => this.#cut(hit));
    if (this.#tool === "explode" && hit) return this.inTurn(() => this.#explode(hit.point));
    if (this.#tool !== "grab") this.#miss();
    return Promise.resolve();
  }

  // A body of the scene's own format joins the world; must be called in turn.
  async add(body, patterns = {}) {
    const added = await this.engine.call("add", { sunder: 1, patterns, bodies: [body] });
    if (!added.ok) throw new Error(added.problems.join("\n"));
    this.added(body, patterns);
    await this.look();
  }

  above() {
    const at = this.view.controls.target;
    return [at.x, at.y + this.view.radius, at.z];
  }

  #throwBall(x, y) {
    const { origin, direction } = this.view.ray(x, y).ray;
    const radius = Math.min(Math.max(this.view.radius * 0.08, 0.02), 0.6);
    const start = origin.clone().addScaledVector(direction, 0.15 * this.view.reach + 2 * radius);
    const velocity = direction.clone().multiplyScalar(Number(this.byId("ball-speed").value));
    return this.add({
      name: `thrown_${this.#thrown++}`, shape: { type: "sphere", radius }, position: start.toArray(), velocity: velocity.toArray(),
      material: { density: Number(this.byId("ball-mass").value), friction: 0.5, restitution: 0.2 },
    });
  }

  #drop(hit) {
    const size = Math.min(Math.max(this.view.radius * 0.08, 0.02), 0.5), kind = this.#thrown++;
    const at = hit ? [hit.point.x, hit.point.y + Math.max(this.view.radius * 0.6, 4 * size), hit.point.z] : this.above();
    return this.add({
      name: `dropped_${kind}`, shape: DROPPED[kind % DROPPED.length](size), position: at,
      material: { density: Number(this.byId("ball-mass").value), friction: 0.5, restitution: 0.1 },
    });
  }

  // Upright as seen, through the point.
  async #cut({ body, point }) {
    const right = new THREE.Vector3().setFromMatrixColumn(this.view.camera.matrixWorld, 0);
    await this.engine.call("cut", body, point.toArray(), right.toArray());
    await this.look();
  }

  async #explode(point) {
    // A little below the surface that was hit, so that what lies there flies up.
    const at = point.clone().add(new THREE.Vector3(0, -0.1 * this.view.radius, 0));
    await this.engine.call("explode", at.toArray(), Number(this.byId("blast").value), this.view.radius * 0.8);
    await this.look();
  }
}
