// Draws the bodies: one instanced mesh per surface, sun and sky, and a camera that orbits, pans and follows.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Looks } from "./looks.js";
import { glide, pairs } from "./movers.js";
import { Contacts, Links, Slice, Stress } from "./overlays.js";
import { BODY_NUMBERS } from "./sunder.js";

const STATIC = 0, KINEMATIC = 1, ASLEEP = 3;
const PALETTE = ["#d0704f", "#2f7585", "#dd9a33", "#6f8f4e", "#a5577a", "#588b8b", "#c9a36a", "#6d8fb3"];
const GROUND = new THREE.Color("#9a9fa5"), MOVED = new THREE.Color("#7d6fb0");
const AWAKE_COLOR = new THREE.Color("#e4572e"), ASLEEP_COLOR = new THREE.Color("#7a9cc6");

// Bodies of one kind have neighbouring colours; the first of a kind has the one that the kind is known by.
function colorOf(kind, variant, first) {
  const color = new THREE.Color(PALETTE[kind % PALETTE.length]), hsl = {};
  const wobble = variant === first ? 0 : ((variant * 2654435761) >>> 0) / 4294967296 - 0.5;
  color.getHSL(hsl, THREE.SRGBColorSpace);
  return color.setHSL((hsl.h + wobble * 0.045 + 1) % 1, hsl.s, hsl.l + wobble * 0.22, THREE.SRGBColorSpace);
}

// A dome around the camera: the colour of the haze at the horizon and below, deeper above.
function makeSky(horizon) {
  const sky = new THREE.Mesh(new THREE.SphereGeometry(1, 32, 16), new THREE.ShaderMaterial({
    side: THREE.BackSide, depthWrite: false, depthTest: false, fog: false, toneMapped: false,
    uniforms: { horizon: { value: horizon }, zenith: { value: new THREE.Color("#7f9fc4") } },
    vertexShader: "varying vec3 direction; void main() { direction = position; gl_Position = projectionMatrix * vec4(mat3(modelViewMatrix) * position, 1.0); }",
    fragmentShader: `uniform vec3 horizon, zenith; varying vec3 direction;
      void main() { gl_FragColor = vec4(mix(horizon, zenith, smoothstep(0.0, 0.9, normalize(direction).y)), 1.0);
      #include <colorspace_fragment>
      }`,
  }));
  sky.frustumCulled = false;
  sky.renderOrder = -1;
  return sky;
}

function pieceColor(variant) {
  return new THREE.Color().setHSL((variant * 0.61803398875) % 1, 0.55, 0.58, THREE.SRGBColorSpace);
}

export class View {
  mode = "solid";
  #surfaces = [];
  #meshes = [];  // of each surface with each look
  #places = [];  // of each body: the number of its mesh and its place in it
  #bodies = new Uint32Array();
  #last = null;
  #now = null;
  #followed = null;
  #drawnOn = null;  // handle of the body that has strokes on it
  #recolor = true;
  #kinds = new Map();  // of bodies that move, as they were first seen: their number and first variant
  #drawnMode = "";
  #drawnShare = 1;
  #stale = true;  // the picture is not what it would be now
  #grain = { value: 0.1 };  // m
  #line = { value: 1 };     // m
  #looks = new Looks(this.#grain, this.#line, () => { this.#stale = true; });

  constructor(canvas, calm) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: false });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.scene = new THREE.Scene();
    this.scene.background = new THREE.Color("#dde3ea");
    this.scene.fog = new THREE.Fog(this.scene.background, 10, 100);
    this.scene.add(makeSky(this.scene.background));
    this.camera = new THREE.PerspectiveCamera(40, 1, 0.05, 2000);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = !calm;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => { this.#stale = true; });
    canvas.addEventListener("webglcontextrestored", () => { this.#stale = true; });
    this.sun = new THREE.DirectionalLight("#ffedd2", 3.4);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.normalBias = 0.02;
    this.scene.add(this.sun, this.sun.target, new THREE.HemisphereLight("#dfe9ff", "#a89c8c", 1.9));
    this.spring = new THREE.Line(
      new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3()]),
      new THREE.LineBasicMaterial({ color: "#1b1b1e", depthTest: false, transparent: true }));
    this.spring.frustumCulled = false;
    this.spring.visible = false;
    const inkLine = () => {
      const lines = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: "#b3261e", depthTest: false, transparent: true }));
      lines.frustumCulled = lines.visible = false;
      return lines;
    };
    this.stroke = inkLine();  // the one that is being drawn, in the world's frame
    this.strokes = inkLine();  // those of a drawing, in its body's frame
    this.contacts = new Contacts();
    this.links = new Links();
    this.slice = new Slice();
    this.stress = new Stress();
    this.renderer.localClippingEnabled = true;
    this.scene.add(this.contacts.object, this.links.object, this.slice.object, this.stress.object, this.spring, this.stroke, this.strokes);
  }

  // Draws a body that is too small to be seen: what bodies are drawn by is compiled while the engine is still loading.
  warmUp() {
    const box = new THREE.BoxGeometry(), mesh = this.#makeMesh(box, box.groups.map((_, i) => i % 2 ? this.#looks.body : this.#looks.ground), 1);
    mesh.setMatrixAt(0, new THREE.Matrix4().makeScale(0, 0, 0));
    mesh.setColorAt(0, GROUND);
    this.scene.add(mesh);
    this.renderer.render(this.scene, this.camera);
    this.#remove(mesh);
    mesh.geometry.dispose();
  }

  clear() {
    for (const mesh of this.#meshes) this.#remove(mesh);
    for (const surface of this.#surfaces) surface.geometry.dispose();
    this.#surfaces = [];
    this.#meshes = [];
    this.#places = [];
    this.#bodies = new Uint32Array();
    this.#kinds.clear();
    this.stress.show([]);
    this.#looks.clear();
    this.#last = this.#now = this.#followed = null;
    this.#stale = true;
  }

  // A look from the worker. Its poses are where the bodies are now; the ones before are kept to glide from.
  take(look) {
    if (look.bodies) this.#looks.take(look);
    for (const surface of look.surfaces ?? []) this.#surfaces.push(this.#makeSurface(surface));
    if (look.bodies) this.#arrange(look.bodies, look.states);
    // States show in one mode, and a new mode comes with a new look while nothing runs.
    if (look.bodies || this.mode !== this.#drawnMode || this.mode === "sleeping") this.#recolor = true;
    this.#drawnMode = this.mode;
    this.#last = this.#now && this.#now.revision === look.revision && look.frame === this.#now.frame + 1 ? this.#now : look;
    this.#now = look;
    this.#stale = true;
    this.#deform(1);
    for (const { surface } of look.movers ?? []) this.#surfaces[surface].geometry.computeBoundingSphere();
    if (look.contacts) this.contacts.show(look.contacts, this.radius);
    if (look.links) this.links.show(look.links, this.radius);
    if (look.slice?.distances.length) this.slice.show(look.slice);
    if (look.stress) this.stress.show(look.stress);
    this.stress.object.visible = this.mode === "stress";
    this.contacts.object.visible = this.mode === "contacts";
    this.links.object.visible = this.mode === "joints";
    this.slice.object.visible = this.mode === "slice" && Boolean(this.slice.texture);
    this.#setMaterials();
  }

  // What bodies look like gives way where their colours say something else.
  #setMaterials() {
    const seeThrough = ["contacts", "joints", "stress"].includes(this.mode), plain = this.#isPlain();
    for (const mesh of this.#meshes) {
      mesh.material = plain ? mesh.looks.plain : mesh.looks.own;
      mesh.castShadow = plain || mesh.looks.castsShadow;
    }
    for (const material of this.#looks.materials) {
      const { opacity, transparent } = material.userData;
      material.wireframe = this.mode === "wire";
      material.clippingPlanes = this.slice.object.visible ? [this.slice.plane] : null;
      if (material.transparent !== (seeThrough || transparent)) material.needsUpdate = true;
      material.transparent = seeThrough || transparent;
      material.opacity = seeThrough ? 0.35 * opacity : opacity;
    }
  }
  #isPlain() { return this.mode === "bodies" || this.mode === "sleeping"; }

  // What a look must hold for the way of drawing.
  wanted(running) {
    const { mode } = this;
    return {
      contacts: mode === "contacts", links: mode === "joints", stress: mode === "stress",
      slice: mode === "slice" && this.#now ? this.slice.request(this.#bulk(this.#now), this.camera, running ? 96 : 256) : null,
    };
  }

  #makeSurface({ positions, normals, indices, groups, coordinates, colors, materials }) {
    const geometry = new THREE.BufferGeometry(), slots = [];
    geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    geometry.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
    if (coordinates) geometry.setAttribute("uv", new THREE.BufferAttribute(coordinates, 2));
    if (materials !== null)
      geometry.setAttribute("color", new THREE.BufferAttribute(colors ?? new Uint8Array(positions.length / 3 * 4).fill(255), 4, true));
    geometry.setIndex(new THREE.BufferAttribute(indices, 1));
    for (let i = 0; i < groups.length; i += 3) {
      geometry.addGroup(groups[i], groups[i + 1], slots.length);
      slots.push(groups[i + 2]);
    }
    geometry.computeBoundingSphere();
    return { geometry, slots, materials };
  }

  #remove(mesh) {
    this.scene.remove(mesh);
    mesh.dispose();
  }

  #makeMesh(geometry, materials, count) {
    const mesh = new THREE.InstancedMesh(geometry, materials, count);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    return mesh;
  }

  #arrange(bodies, states) {
    this.#bodies = bodies;
    const found = new Map();
    this.#places = [];
    for (let i = 0; i < bodies.length / BODY_NUMBERS; ++i) {
      const [surface, , , look] = bodies.subarray(BODY_NUMBERS * i + 2), key = `${surface} ${look}`;
      if (!found.has(key)) found.set(key, { number: found.size, surface, look, fixed: states[i] === STATIC, bodies: [] });
      const mesh = found.get(key);
      this.#places.push([mesh.number, mesh.bodies.length]);
      mesh.bodies.push(i);
    }
    for (const mesh of this.#meshes) this.#remove(mesh);
    this.#meshes = [...found.values()].map(({ surface, look, fixed, bodies: shown }) => {
      const looks = this.#looks.of(this.#surfaces[surface], look, fixed);
      const mesh = this.#makeMesh(this.#surfaces[surface].geometry, looks.own, shown.length);
      Object.assign(mesh, { bodies: shown, looks });
      this.scene.add(mesh);
      return mesh;
    });
  }

  #color(body, state) {
    const { color } = this.#meshes[this.#places[body][0]].looks;
    if (color && !this.#isPlain()) return color;
    if (state === STATIC) return GROUND;
    if (this.mode === "sleeping") return state === ASLEEP ? ASLEEP_COLOR : AWAKE_COLOR;
    if (this.mode === "bodies") return pieceColor(this.#bodies[BODY_NUMBERS * body]);
    if (state === KINEMATIC) return MOVED;
    const [kind, variant] = this.#bodies.subarray(BODY_NUMBERS * body + 3);
    if (!this.#kinds.has(kind)) this.#kinds.set(kind, { number: this.#kinds.size, first: variant });
    const { number, first } = this.#kinds.get(kind);
    return colorOf(number, variant, first);
  }

  // Between the last two frames: share 1 is the newer one. Nothing is done where nothing has changed.
  draw(share) {
    if (!this.#now) return;
    this.controls.update();
    if (!this.#stale && share === this.#drawnShare) return;
    this.#place(share);
    this.renderer.render(this.scene, this.camera);
    this.#stale = false;
    this.#drawnShare = share;
  }

  // Vertices that move are written into their surface, which no other body has.
  #deform(share) {
    for (const { to, from } of pairs(this.#last, this.#now)) {
      const { position, normal } = this.#surfaces[to.surface].geometry.attributes;
      for (const attribute of [position, normal]) attribute.setUsage(THREE.DynamicDrawUsage).needsUpdate = true;
      glide(position.array, from.positions, to.positions, share);
      glide(normal.array, from.normals, to.normals, share);
    }
  }

  #place(share) {
    this.#deform(share);
    const from = this.#last.poses, to = this.#now.poses, matrix = new THREE.Matrix4();
    const position = new THREE.Vector3(), turn = new THREE.Quaternion(), end = new THREE.Quaternion();
    const whole = new THREE.Vector3(1, 1, 1), none = new THREE.Vector3(), goal = new THREE.Vector3();
    for (let body = 0; body < this.#places.length; ++body) {
      const [mesh, place] = this.#places[body], at = 7 * body;
      position.fromArray(from, at).lerp(goal.fromArray(to, at), share);
      turn.fromArray(from, at + 3).slerp(end.fromArray(to, at + 3), share);
      // What is drawn by its stress is not drawn beside it.
      const shown = this.mode === "stress" ? this.stress.onBodies.get(body) : undefined;
      this.#meshes[mesh].setMatrixAt(place, matrix.compose(position, turn, shown ? none : whole));
      shown?.position.copy(position);
      shown?.quaternion.copy(turn);
      if (this.#recolor) this.#meshes[mesh].setColorAt(place, this.#color(body, this.#now.states[body]));
      if (body === this.#followed) this.#follow(position);
    }
    this.#placeStrokes();
    for (const mesh of this.#meshes) {
      mesh.instanceMatrix.needsUpdate = true;
      if (this.#recolor) mesh.instanceColor.needsUpdate = true;
      mesh.boundingSphere = null;
    }
    this.#recolor = false;
  }

  // Bounds of what moves, without what flew far away; of everything where nothing moves.
  #bulk(look) {
    const center = new THREE.Vector3(), box = new THREE.Box3();
    const chosen = [];
    for (const moving of [true, false]) {
      for (let i = 0; i < look.states.length; ++i)
        if ((look.states[i] !== STATIC) === moving && Number.isFinite(look.poses[7 * i])) chosen.push(i);
      if (chosen.length) break;
    }
    for (const i of chosen) {
      const radius = this.#surfaces[this.#bodies[BODY_NUMBERS * i + 2]].geometry.boundingSphere.radius;
      center.fromArray(look.poses, 7 * i);
      box.expandByPoint(center.clone().addScalar(Math.min(radius, 50)));
      box.expandByPoint(center.clone().addScalar(-Math.min(radius, 50)));
    }
    return box.isEmpty() ? new THREE.Box3(new THREE.Vector3(-5, 0, -5), new THREE.Vector3(5, 5, 5)) : box;
  }

  // Stands where the scene says, or where all that moves is seen.
  frame(look, camera) {
    const sphere = this.#bulk(look).getBoundingSphere(new THREE.Sphere());
    this.radius = Math.max(sphere.radius, 0.1);
    this.#grain.value = this.radius < 0.6 ? 0.012 : 0.1;
    this.#line.value = 10 * this.#grain.value;
    this.#stale = true;
    const target = camera ? new THREE.Vector3(...camera.target) : sphere.center;
    this.camera.fov = camera?.fov_degrees ?? 40;
    if (camera) {
      this.camera.position.set(...camera.position);
      // The scene's field of view is the picture's height at 16:9; narrow windows step back to see as much.
      const narrow = Math.min(this.camera.aspect * 9 / 16, 1);
      this.camera.position.sub(target).divideScalar(Math.max(narrow, 0.35)).add(target);
    } else {
      const distance = 1.25 * this.radius / Math.sin(this.camera.fov * Math.PI / 360) / Math.min(this.camera.aspect, 1);
      this.camera.position.set(0.55, 0.45, 0.75).normalize().multiplyScalar(distance).add(target);
    }
    this.reach = Math.max(this.camera.position.distanceTo(target), this.radius);
    this.camera.near = this.reach / 500;
    this.camera.far = this.reach * 60;
    Object.assign(this.scene.fog, { near: this.reach * 1.8, far: this.reach * 6 });
    this.controls.target.copy(target);
    const size = Math.min(Math.max(1.6 * this.radius, this.reach * 0.5), this.reach * 1.5), shadow = this.sun.shadow.camera;
    this.sun.target.position.copy(sphere.center);
    // High behind the camera's left shoulder.
    const back = this.camera.position.clone().sub(target).setY(0).normalize();
    const left = new THREE.Vector3(-back.z, 0, back.x);
    this.sun.position.set(0, 1, 0).addScaledVector(back, 0.8).addScaledVector(left, 0.35).normalize().multiplyScalar(3 * size)
      .add(sphere.center);
    Object.assign(shadow, { left: -size, right: size, top: size, bottom: -size, near: size * 0.1, far: size * 8 });
    shadow.updateProjectionMatrix();
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  follow(body) {
    this.#followed = body;
    this.#stale = true;
    return body;
  }
  get followed() { return this.#followed; }
  #follow(position) {
    this.camera.position.add(position.clone().sub(this.controls.target));
    this.controls.target.copy(position);
  }

  resize(width, height) {
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
    this.#stale = true;
  }

  // The ray through a point of the canvas, in pixels from its corner.
  ray(x, y) {
    const size = this.renderer.getSize(new THREE.Vector2()), caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2(2 * x / size.x - 1, 1 - 2 * y / size.y), this.camera);
    return caster;
  }
  // The first body there: {body, point, dynamic} or null.
  pick(x, y) {
    const hits = this.ray(x, y).intersectObjects(this.#meshes, false);
    if (!hits.length) return null;
    const body = hits[0].object.bodies[hits[0].instanceId];
    return { body, point: hits[0].point, normal: hits[0].face.normal, dynamic: this.#now.states[body] > KINEMATIC };
  }
  handleOf(body) { return this.#bodies.slice(BODY_NUMBERS * body, BODY_NUMBERS * body + 2); }
  // Of a body's surface, in its own frame.
  positionsOf(body) { return this.#surfaces[this.#bodies[BODY_NUMBERS * body + 2]].geometry.attributes.position.array; }
  rayInBody(x, y, body) {
    const { origin, direction } = this.ray(x, y).ray;
    return new THREE.Ray(this.toBody(body, origin), this.toBody(body, origin.clone().add(direction)).sub(this.toBody(body, origin)));
  }

  // Points in the world's frame, or null.
  showStroke(points) {
    this.#stale = true;
    this.stroke.visible = Boolean(points && points.length > 1);
    if (!this.stroke.visible) return;
    this.stroke.geometry.dispose();
    this.stroke.geometry = new THREE.BufferGeometry().setFromPoints(points.slice(1).flatMap((point, i) => [points[i], point]));
  }
  // Lines in the frame of the body with this handle, wherever it is; null takes them away.
  showStrokes(lines, handle) {
    this.#stale = true;
    this.#drawnOn = lines?.length ? handle : null;
    if (!this.#drawnOn) return;
    this.strokes.geometry.dispose();
    this.strokes.geometry = new THREE.BufferGeometry().setFromPoints(lines.flatMap((points) => points.slice(1).flatMap((point, i) => [points[i], point])));
  }
  #placeStrokes() {
    const handle = this.#drawnOn, at = handle ? this.#places.findIndex((_, i) => this.#bodies[BODY_NUMBERS * i] === handle[0] && this.#bodies[BODY_NUMBERS * i + 1] === handle[1]) : -1;
    this.strokes.visible = at >= 0;
    if (at < 0) return;
    this.strokes.position.fromArray(this.#now.poses, 7 * at);
    this.strokes.quaternion.fromArray(this.#now.poses, 7 * at + 3);
  }
  // Where a pointer at (x, y) is in the plane through a point that faces the camera.
  onPlane(x, y, through) {
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(this.camera.getWorldDirection(new THREE.Vector3()), through);
    return this.ray(x, y).ray.intersectPlane(plane, new THREE.Vector3());
  }
  bodyPoint(body, local) {
    const poses = this.#now.poses, at = 7 * body;
    return local.clone().applyQuaternion(new THREE.Quaternion().fromArray(poses, at + 3))
      .add(new THREE.Vector3().fromArray(poses, at));
  }
  toBody(body, point) {
    const poses = this.#now.poses, at = 7 * body;
    return point.clone().sub(new THREE.Vector3().fromArray(poses, at))
      .applyQuaternion(new THREE.Quaternion().fromArray(poses, at + 3).invert());
  }
  showSpring(from, to) {
    if (from || this.spring.visible) this.#stale = true;
    this.spring.visible = Boolean(from);
    if (from) this.spring.geometry.setFromPoints([from, to]);
  }
}
