// node three_maps.mjs FILE.glb FOUND.json: the bodies that three.js shows of a map of stress or strain, with colours and tensions by vertex.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

globalThis.self = globalThis;
const require = createRequire(`${process.cwd()}/`);
const load = async name => import(pathToFileURL(require.resolve(name)));
const THREE = await load('three');
const { GLTFLoader } = await load('three/examples/jsm/loaders/GLTFLoader.js');

const [file, foundFile] = process.argv.slice(2);
const bytes = readFileSync(file);
const gltf = await new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
gltf.scene.updateMatrixWorld(true);
const bodies = [];
gltf.scene.traverse(object => {
  if (!object.isMesh) return;
  const { position, color, _tension, _strain } = object.geometry.attributes, tension = _tension ?? _strain, vertices = [], colors = [], tensions = [];
  for (let i = 0; i < position.count; ++i) {
    vertices.push(new THREE.Vector3().fromBufferAttribute(position, i).applyMatrix4(object.matrixWorld).toArray());
    if (color && object.material.vertexColors) colors.push([color.getX(i), color.getY(i), color.getZ(i)]);
    if (tension) tensions.push(tension.getX(i));
  }
  bodies.push({ name: object.name, vertices, colors, tensions, extras: object.userData });
});
writeFileSync(foundFile, JSON.stringify(bodies));
