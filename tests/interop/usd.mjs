// node usd.mjs FILE.usda EXPECTED.json FOUND.json: what TinyUSDZ reads in the file at the frames of EXPECTED.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [usda, expectedFile, foundFile] = process.argv.slice(2);
const folder = join(process.cwd(), "node_modules/tinyusdz");
// The module is made for pages: it must not notice node.
process.type = "renderer";
globalThis.window = globalThis;
const { default: create } = await import(pathToFileURL(join(folder, "tinyusdz.js")));
const usd = await create({ wasmBinary: await readFile(join(folder, "tinyusdz.wasm")) });
const bytes = await readFile(usda);

// As a composed stage: references resolve, and every body is there.
const stage = new usd.TinyUSDZLoaderNative();
stage.setEnableComposition(true);
if (!stage.loadFromBinary(bytes, "run.usda")) throw new Error(`the stage: ${stage.error()}`);
// Bodies that broke stand in a group with their pieces; bodies that look alike share a surface.
const bodies = stage.getDefaultRootNode().children
  .flatMap((node) => node.primName.endsWith("_and_pieces") ? node.children : [node])
  .filter((node) => /_\d+$/.test(node.primName) && node.nodeType === "xform");
for (const body of bodies) if (!body.children.length) throw new Error(`${body.primName} has no surface`);
const surfaces = new Set([...bytes.toString().matchAll(/references = <([^>]+)>/g)].map(([, path]) => path));
if (stage.numMeshes() < surfaces.size) throw new Error(`${stage.numMeshes()} meshes for ${surfaces.size} surfaces`);

// As a layer, for its time samples, in the form in which the reader writes what it has understood.
const layer = new usd.TinyUSDZLoaderNative();
if (!layer.loadAsLayerFromBinary(bytes, "run.usda")) throw new Error(`the layer: ${layer.error()}`);
const text = layer.layerToString();
const expected = JSON.parse(await readFile(expectedFile, "utf8"));

const numbers = (value) => value.match(/-?[\d.]+(?:e[-+]?\d+)?/g).map(Number);
// Of one attribute of a prim's text: [[time, value], ...]; a single value holds at all times.
function samples(prim, name) {
  const many = prim.match(new RegExp(`${name}\\.timeSamples = \\{([^}]*)\\}`));
  if (many) return [...many[1].matchAll(/(-?\d+): (\([^)]*\)|"[^"]*")/g)].map(([, time, value]) => [Number(time), value]);
  const one = prim.match(new RegExp(`${name} = (\\([^)]*\\)|"[^"]*")`));
  return one ? [[0, one[1]]] : [];
}
// Held outside its samples; at the samples themselves nothing is between them.
const at = (list, frame) => list.findLast(([time]) => time <= frame)?.[1] ?? list[0]?.[1];

// A body that deforms has meshes of its own, one for each set of triangles, with points at frames.
const turned = ([x, y, z, w], [a, b, c]) => {
  const [p, q, r] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * p + y * r - z * q, b + w * q + z * p - x * r, c + w * r + x * q - y * p];
};
function verticesOf(body, frame, position, orientation) {
  const vertices = [];
  for (const shape of body.split('def Mesh "shape_').slice(1)) {
    if (at(samples(shape, "visibility"), frame) === '"invisible"') continue;
    const keys = [...shape.match(/points\.timeSamples = \{([^}]*)\}/)[1].matchAll(/(\d+): \[([^\]]*)\]/g)];
    const points = at(keys.map(([, time, list]) => [Number(time), list]), frame);
    for (const [point] of points.matchAll(/\([^)]*\)/g))
      vertices.push(turned(orientation, numbers(point)).map((x, i) => x + position[i]));
  }
  return vertices;
}

const frames = expected.frames.map(({ frame }) => ({
  frame,
  bodies: bodies.map(({ primName }) => {
    const start = text.indexOf(`def Xform "${primName}"`), next = text.indexOf("def Xform", start + 1);
    const body = text.slice(start, next < 0 ? undefined : next), prim = body.slice(0, body.indexOf("def ", 4));
    const [w, x, y, z] = numbers(at(samples(prim, "xformOp:orient"), frame));
    const position = numbers(at(samples(prim, "xformOp:translate"), frame)), orientation = [x, y, z, w];
    return {
      track: Number(primName.match(/\d+$/)[0]), visible: at(samples(prim, "visibility"), frame) !== '"invisible"',
      position, orientation, vertices: verticesOf(body, frame, position, orientation),
    };
  }),
}));
await writeFile(foundFile, JSON.stringify({ frames }));
process.exit(0);
