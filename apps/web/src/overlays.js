// What is drawn over the bodies: contacts, joints by load, stress, a slice through the field of distances.
import * as THREE from "three";

const LINK_NUMBERS = 11;
// From no load to the load at which it breaks.
const LOADS = ["#3f7fbf", "#59b36b", "#f2c230", "#e4572e", "#b00020"].map((text) => new THREE.Color(text));

function loadColor(share) {
  const at = Math.min(Math.max(share, 0), 1) * (LOADS.length - 1), low = Math.min(Math.floor(at), LOADS.length - 2);
  return LOADS[low].clone().lerp(LOADS[low + 1], at - low);
}

export class Contacts {
  constructor() {
    this.object = new THREE.LineSegments(
      new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: "#d7263d", depthTest: false, transparent: true }));
    this.object.frustumCulled = false;
    this.object.renderOrder = 2;
  }
  show(contacts, radius) {
    const points = new Float32Array(contacts.length / 8 * 6), length = radius * 0.03;
    for (let i = 0; i < contacts.length / 8; ++i)
      for (let k = 0; k < 3; ++k) {
        points[6 * i + k] = contacts[8 * i + k] - contacts[8 * i + 3 + k] * length;
        points[6 * i + 3 + k] = contacts[8 * i + k] + contacts[8 * i + 3 + k] * length;
      }
    this.object.geometry.dispose();
    this.object.geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(points, 3));
  }
}

// Rods from body to body, coloured by the part of their strength that they bear; those that cannot break by the largest force.
export class Links {
  constructor() {
    this.object = new THREE.Group();
    this.object.renderOrder = 2;
    this.material = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true });
    this.rod = new THREE.CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0);
    this.ball = new THREE.SphereGeometry(1, 12, 8);
  }
  show(links, radius) {
    for (const child of [...this.object.children]) { this.object.remove(child); child.dispose(); }
    const count = links.length / LINK_NUMBERS;
    if (!count) return;
    const rods = new THREE.InstancedMesh(this.rod, this.material, 2 * count), balls = new THREE.InstancedMesh(this.ball, this.material, count);
    const matrix = new THREE.Matrix4(), turn = new THREE.Quaternion(), up = new THREE.Vector3(0, 1, 0);
    const at = (i, k) => new THREE.Vector3().fromArray(links, LINK_NUMBERS * i + 3 * k);
    let largest = 1e-9;
    for (let i = 0; i < count; ++i) largest = Math.max(largest, links[LINK_NUMBERS * i + 9]);
    for (let i = 0; i < count; ++i) {
      const [force, share] = links.subarray(LINK_NUMBERS * i + 9, LINK_NUMBERS * i + 11);
      const color = loadColor(share >= 0 ? share : force / largest);
      // Thin enough that neighbours stay apart.
      const thick = Math.min(radius * 0.012, 0.05 * (at(i, 0).distanceTo(at(i, 1)) + at(i, 1).distanceTo(at(i, 2))));
      for (const half of [0, 1]) {
        const from = at(i, half), along = at(i, half + 1).sub(from), length = along.length();
        if (length > 0) turn.setFromUnitVectors(up, along.divideScalar(length));
        rods.setMatrixAt(2 * i + half, matrix.compose(from, turn, new THREE.Vector3(thick, length, thick)));
        rods.setColorAt(2 * i + half, color);
      }
      balls.setMatrixAt(i, matrix.compose(at(i, 1), turn.identity(), new THREE.Vector3(1, 1, 1).multiplyScalar(2 * thick)));
      balls.setColorAt(i, color);
    }
    for (const mesh of [rods, balls]) { mesh.frustumCulled = false; mesh.renderOrder = 2; this.object.add(mesh); }
  }
}

// Colours of tension over strength, those of `sunder run --show stress` (src/scene/picture/stress_colours.h); the last is that of all beyond.
const BEYOND = new THREE.Color().setRGB(0.35, 0, 0.45);
function stressColor(share) {
  if (share >= 1) return BEYOND;
  const ramp = (x) => Math.min(Math.max(x, 0), 1), t = 4 * ramp(share);
  return new THREE.Color().setRGB(0.03 + 0.7 * ramp(t - 2), 0.03 + 0.7 * ramp(Math.min(t, 4 - t)), 0.03 + 0.7 * ramp(2 - t));
}
const pascals = (value) => value >= 1e6 ? `${(value / 1e6).toPrecision(3)} MPa` : value >= 1e3 ? `${(value / 1e3).toPrecision(3)} kPa` : `${value.toPrecision(3)} Pa`;

// What the last blow on a body found, in the place of its surface; where the body has broken since, where it was struck.
export class Stress {
  constructor() {
    this.object = new THREE.Group();
    this.material = new THREE.MeshLambertMaterial({ vertexColors: true, side: THREE.DoubleSide });
    this.onBodies = new Map();  // by place in the list
  }
  show(maps) {
    for (const mesh of [...this.object.children]) { this.object.remove(mesh); mesh.geometry.dispose(); }
    this.onBodies.clear();
    for (const { body, pose, vertices, triangles } of maps) {
      const count = vertices.length / 4, positions = new Float32Array(3 * count), colors = new Float32Array(3 * count);
      for (let i = 0; i < count; ++i) {
        positions.set(vertices.subarray(4 * i, 4 * i + 3), 3 * i);
        stressColor(vertices[4 * i + 3]).toArray(colors, 3 * i);
      }
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
      geometry.setAttribute("color", new THREE.BufferAttribute(colors, 3));
      geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
      geometry.computeVertexNormals();
      const mesh = new THREE.Mesh(geometry, this.material);
      mesh.frustumCulled = false;
      mesh.position.fromArray(pose);
      mesh.quaternion.fromArray(pose, 3);
      if (body >= 0) this.onBodies.set(body, mesh);
      this.object.add(mesh);
    }
  }
  // The scale, and how far the hardest blow went on it, into an element of the page.
  legend(maps, element) {
    const colors = Array.from({ length: 9 }, (_, i) => stressColor(i / 8.001).getStyle());
    const worst = maps.reduce((most, map) => !most || map.worst / map.strength > most.worst / most.strength ? map : most, null);
    element.querySelector(".scale").style.background = `linear-gradient(to right, ${colors.join(", ")} 90%, ${BEYOND.getStyle()} 90%)`;
    element.querySelector(".strength").textContent = worst ? pascals(worst.strength) : "strength";
    element.querySelector("output").textContent = worst
      ? `most: ${pascals(worst.worst)}, ${(worst.worst / worst.strength).toPrecision(2)} of the strength` : "no blow has been tried yet";
  }
}

// A plane across the scene that shows how far every point is from the nearest surface: warm within bodies, cool outside, lines
// at equal distances, and what lies in front of it is cut away.
export class Slice {
  share = 0.5;  // of the way through the scene
  columns = 0;

  constructor() {
    this.plane = new THREE.Plane();
    this.texture = null;
    this.object = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.MeshBasicMaterial({ side: THREE.DoubleSide, toneMapped: false }));
    this.object.visible = false;
  }

  // What to ask the engine for: a grid across the box, upright, along the axis that the camera looks at least.
  request(box, camera, longest) {
    const sight = camera.getWorldDirection(new THREE.Vector3()), axis = Math.abs(sight.x) > Math.abs(sight.z) ? 0 : 2;
    const size = box.getSize(new THREE.Vector3()).multiplyScalar(1.15), low = box.getCenter(new THREE.Vector3()).addScaledVector(size, -0.5);
    const width = axis === 0 ? size.z : size.x, cell = Math.max(width, size.y) / longest;
    const columns = Math.max(Math.round(width / cell), 2), rows = Math.max(Math.round(size.y / cell), 2);
    const corner = low.clone(), right = new THREE.Vector3(), up = new THREE.Vector3(0, cell, 0);
    corner.setComponent(axis, low.getComponent(axis) + size.getComponent(axis) * this.share);
    right.setComponent(2 - axis, cell);
    return { corner: corner.toArray(), right: right.toArray(), up: up.toArray(), columns, rows, farthest: Math.max(width, size.y) * 0.25, axis, sign: Math.sign(sight.getComponent(axis)) || 1 };
  }

  show({ corner, right, up, columns, rows, farthest, axis, sign, distances }) {
    const pixels = new Uint8Array(4 * columns * rows), step = farthest / 12, color = new THREE.Color();
    for (let i = 0; i < distances.length; ++i) {
      const distance = distances[i], share = Math.min(Math.abs(distance) / farthest, 1);
      if (distance < 0) color.setHSL(0.07, 0.75, 0.62 - 0.35 * Math.min(share * 4, 1), THREE.SRGBColorSpace);
      else color.setHSL(0.58, 0.35, 0.72 + 0.18 * share, THREE.SRGBColorSpace);
      const spacing = distance < 0 ? step / 3 : step, phase = Math.abs(distance) / spacing;
      const shade = Math.abs(distance) < step * 0.12 ? 0.15 : phase - Math.floor(phase) < 0.14 && share < 1 ? 0.82 : 1;
      const srgb = color.convertLinearToSRGB();
      pixels.set([srgb.r * 255 * shade, srgb.g * 255 * shade, srgb.b * 255 * shade, 255], 4 * i);
    }
    this.texture?.dispose();
    this.texture = new THREE.DataTexture(pixels, columns, rows);
    Object.assign(this.texture, { colorSpace: THREE.SRGBColorSpace, magFilter: THREE.LinearFilter, minFilter: THREE.LinearFilter, needsUpdate: true });
    this.object.material.map = this.texture;
    this.object.material.needsUpdate = true;
    const width = (columns - 1) * Math.hypot(...right), height = (rows - 1) * Math.hypot(...up);
    this.object.scale.set(width, height, 1);
    this.object.rotation.y = axis === 0 ? -Math.PI / 2 : 0;
    this.object.position.fromArray(corner).add(new THREE.Vector3().setComponent(2 - axis, width / 2)).add(new THREE.Vector3(0, height / 2, 0));
    const normal = new THREE.Vector3().setComponent(axis, sign);
    // A hair before the plane, so that it is not cut away itself.
    this.plane.setFromNormalAndCoplanarPoint(normal, new THREE.Vector3().fromArray(corner).addScaledVector(normal, -1e-3));
  }
}
