// What bodies are drawn with: speckled stone where nothing says otherwise, else what the scene's materials and meshes say.
import * as THREE from "three";
import { NONE } from "./sunder.js";

const PALE = new THREE.Color(0.78, 0.74, 0.68), WHITE = new THREE.Color(1, 1, 1);
const OPENED_SHARE = 0.6, INNER_ROUGHNESS = 0.95;
const FRACTURE_SLOT = 1;  // 0 and those above are the first and further materials of a mesh

// The speckle of stone, stronger on faces that a fracture laid open: noise by the place in the body's own frame.
const GRAIN_VERTEX = `#include <begin_vertex>
vGrain = position;`;
const GRAIN_HEAD = `varying vec3 vGrain;
uniform float grainCell, grainStrength;
uniform vec3 ownColor;
float grainValue(vec3 p) { p = fract(p * 0.3183099 + 0.1) * 17.0; return fract(p.x * p.y * p.z * (p.x + p.y + p.z)); }
float grainNoise(vec3 x) {
  vec3 i = floor(x), f = fract(x);
  f = f * f * (3.0 - 2.0 * f);
  return mix(mix(mix(grainValue(i), grainValue(i + vec3(1, 0, 0)), f.x), mix(grainValue(i + vec3(0, 1, 0)), grainValue(i + vec3(1, 1, 0)), f.x), f.y),
             mix(mix(grainValue(i + vec3(0, 0, 1)), grainValue(i + vec3(1, 0, 1)), f.x), mix(grainValue(i + vec3(0, 1, 1)), grainValue(i + vec3(1, 1, 1)), f.x), f.y), f.z);
}
`;
const GRAIN_FRAGMENT = `#include <color_fragment>
diffuseColor.rgb *= 1.0 + grainStrength * (grainNoise(vGrain / grainCell) + 0.6 * grainNoise(vGrain / grainCell * 2.9) - 0.8);`;

// Lines every cell on what does not move, gone where a cell is only a few pixels wide, and a faint chequer between them.
const GRID_FRAGMENT = `#include <color_fragment>
vec2 gridPlace = vGrain.xz / grainCell, gridPixel = fwidth(gridPlace);
float gridSeen = 1.0 - smoothstep(0.05, 0.35, max(gridPixel.x, gridPixel.y));
vec2 gridLine = 1.0 - smoothstep(vec2(0.0), gridPixel + 0.012, abs(fract(gridPlace - 0.5) - 0.5));
float gridOdd = mod(floor(gridPlace.x) + floor(gridPlace.y), 2.0);
diffuseColor.rgb *= 1.0 + gridSeen * grainStrength * (0.15 * gridOdd - max(gridLine.x, gridLine.y));`;

// Faces that a fracture laid open are paler and greyer than the outside, and coarser.
const OPENED_FRAGMENT = GRAIN_FRAGMENT.replace("diffuseColor.rgb *=", `diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.78, 0.74, 0.68), 0.6);
diffuseColor.rgb *=`);

// cell: a uniform, m. own: the colour, in place of the body's.
function patterned(more, fragment, cell, strength, own = WHITE) {
  const material = new THREE.MeshStandardMaterial({ roughness: 0.75, metalness: 0, ...more });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, { grainCell: cell, grainStrength: { value: strength }, ownColor: { value: own } });
    shader.vertexShader = `varying vec3 vGrain;\n${shader.vertexShader.replace("#include <begin_vertex>", GRAIN_VERTEX)}`;
    shader.fragmentShader = GRAIN_HEAD + shader.fragmentShader.replace("#include <color_fragment>", fragment);
  };
  material.customProgramCacheKey = () => fragment;
  return material;
}

// A colour of its own, whatever that of the body.
const OWN_FRAGMENT = GRAIN_FRAGMENT.replace("diffuseColor.rgb *=", `diffuseColor.rgb = ownColor;
diffuseColor.rgb *=`);
// What can be seen through mirrors more, and hides more, where it is seen at a flat angle.
const CLEAR_FRAGMENT = `
float clearAngle = 1.0 - abs(dot(normalize(vNormal), normalize(vViewPosition)));
diffuseColor.a += (1.0 - diffuseColor.a) * clearAngle * clearAngle * clearAngle * clearAngle;`;

const WRAPS = [THREE.RepeatWrapping, THREE.MirroredRepeatWrapping, THREE.ClampToEdgeWrapping];
const MASK = 1, BLEND = 2;
// Without surroundings to mirror, metal would be black.
const METAL_SHARE = 0.4;

// As in exports: from matt to glossiest.
const roughnessOf = (gloss) => 0.95 - 0.85 * gloss;

function seenThrough(material, opacity) {
  Object.assign(material, { opacity, transparent: true, depthWrite: false });
  return material;
}

export class Looks {
  #grain;
  #changed;
  #opened;
  #looks = [];   // of the scene's materials
  #images = [];  // each a picture that is on its way
  #lists = [];   // of materials of meshes, as three.js has them
  #made = new Map();
  #textures = [];

  // grain, line: uniforms, m. changed() is called when a picture has come.
  constructor(grain, line, changed) {
    this.#grain = grain;
    this.#changed = changed;
    this.ground = this.#keep(patterned({}, GRID_FRAGMENT, line, 0.3));
    this.body = this.#keep(patterned({}, GRAIN_FRAGMENT, grain, 0.12));
    this.#opened = this.#keep(patterned({ roughness: INNER_ROUGHNESS }, OPENED_FRAGMENT, grain, 0.3));
  }

  clear() {
    for (const made of this.#made.values()) made.dispose();
    for (const list of this.#lists) for (const made of list) made.dispose();
    for (const texture of this.#textures) texture.dispose();
    this.#made.clear();
    this.#looks = [];
    this.#images = [];
    this.#lists = [];
    this.#textures = [];
  }

  take({ looks, images, materialLists }) {
    this.#looks = looks;
    // A picture that the browser cannot read leaves the colour.
    for (const { type, bytes } of images)
      this.#images.push(createImageBitmap(new Blob([bytes], { type }), { premultiplyAlpha: "none", colorSpaceConversion: "none" }).catch(() => null));
    for (const list of materialLists) this.#lists.push(list.map((material) => this.#meshMaterial(material)));
  }

  get materials() { return [this.ground, this.body, this.#opened, ...this.#made.values(), ...this.#lists.flat()]; }

  // surface: {slots, materials}. own, plain: materials by group; color: of bodies drawn with own, or null where it is the page's
  // to choose.
  of({ slots, materials }, look, fixed) {
    const given = look === NONE ? null : this.#looks[look], list = materials === null ? null : this.#lists[materials];
    const color = given?.color ? new THREE.Color(...given.color) : null, opacity = given?.opacity ?? 1;
    const outside = color || opacity < 1 ? this.#outside(given, opacity) : fixed ? this.ground : this.body;
    const inside = this.#inside(given, list ? list[0].color : color, opacity);
    const own = slots.map((slot) => slot === FRACTURE_SLOT ? inside : list?.[Math.max(slot - 1, 0)] ?? outside);
    const plain = slots.map((slot) => slot === FRACTURE_SLOT ? this.#opened : fixed ? this.ground : this.body);
    return { own, plain, color: list ? WHITE : color, castsShadow: opacity === 1 };
  }

  #outside({ gloss }, opacity) {
    const roughness = roughnessOf(gloss);
    return this.#find(`outside ${roughness} ${opacity}`, () => {
      if (opacity === 1) return patterned({ roughness }, GRAIN_FRAGMENT, this.#grain, 0.12);
      return seenThrough(patterned({ roughness }, `#include <color_fragment>${CLEAR_FRAGMENT}`, this.#grain, 0), opacity);
    });
  }

  // outside: a colour, or null where each body has one of its own.
  #inside(given, outside, opacity) {
    const inner = given?.inner_color ? new THREE.Color(...given.inner_color) : outside?.clone().lerp(PALE, OPENED_SHARE);
    if (!inner) return this.#opened;
    const roughness = given && opacity < 1 ? roughnessOf(given.gloss) : INNER_ROUGHNESS;
    return this.#find(`inside ${inner.toArray()} ${roughness} ${opacity}`, () => {
      if (opacity === 1) return patterned({ roughness }, OWN_FRAGMENT, this.#grain, 0.3, inner);
      return seenThrough(patterned({ roughness }, OWN_FRAGMENT + CLEAR_FRAGMENT, this.#grain, 0, inner), opacity);
    });
  }

  #meshMaterial({ color, metallic, roughness, emissive, alpha, alpha_cutoff: cutoff, double_sided: both, textures }) {
    const material = new THREE.MeshStandardMaterial({
      color: new THREE.Color(...color.slice(0, 3)), metalness: METAL_SHARE * metallic, roughness, emissive: new THREE.Color(...emissive),
      side: both ? THREE.DoubleSide : THREE.FrontSide, vertexColors: true,
    });
    if (alpha === MASK) material.alphaTest = cutoff;
    if (alpha === BLEND) seenThrough(material, color[3]);
    this.#lay(textures.base_color, material, ["map"], true);
    this.#lay(textures.metallic_roughness, material, ["metalnessMap", "roughnessMap"]);
    this.#lay(textures.normal, material, ["normalMap"]);
    this.#lay(textures.occlusion, material, ["aoMap"]);
    this.#lay(textures.emissive, material, ["emissiveMap"], true);
    if (textures.normal) material.normalScale.setScalar(textures.normal.strength);
    if (textures.occlusion) material.aoMapIntensity = textures.occlusion.strength;
    return this.#keep(material);
  }

  // A material has a picture from when it has come.
  #lay(texture, material, names, isColor = false) {
    if (!texture) return;
    this.#images[texture.image].then((image) => {
      if (!image) return;
      const [wrapS, wrapT] = texture.wrap.map((wrap) => WRAPS[wrap]);
      const made = Object.assign(new THREE.Texture(image), { wrapS, wrapT, flipY: false, anisotropy: 4, needsUpdate: true,
        colorSpace: isColor ? THREE.SRGBColorSpace : THREE.NoColorSpace });
      this.#textures.push(made);
      for (const name of names) material[name] = made;
      material.needsUpdate = true;
      this.#changed();
    });
  }

  #find(key, make) {
    if (!this.#made.has(key)) this.#made.set(key, this.#keep(make()));
    return this.#made.get(key);
  }
  // Other ways of drawing change how it is seen through, for a while.
  #keep(material) {
    Object.assign(material.userData, { opacity: material.opacity, transparent: material.transparent });
    return material;
  }
}
