// node three_looks.mjs FILE.glb FRAME RATE FOUND.json: the triangles that three.js shows at a frame, with what they look like.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

// Without a browser: pictures are not decoded, but their bytes must be those of a PNG of some size.
globalThis.self = globalThis;
globalThis.createImageBitmap = async blob => {
  const bytes = new DataView(await blob.arrayBuffer());
  if (bytes.getUint32(0) !== 0x89504e47) throw new Error('not a PNG');
  return { width: bytes.getUint32(16), height: bytes.getUint32(20), close() {} };
};
const require = createRequire(`${process.cwd()}/`);
const load = async name => import(pathToFileURL(require.resolve(name)));
const THREE = await load('three');
const { GLTFLoader } = await load('three/examples/jsm/loaders/GLTFLoader.js');

const [file, frame, rate, foundFile] = process.argv.slice(2);
const bytes = readFileSync(file);
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const gltf = await new GLTFLoader().parseAsync(buffer, '');
const mixer = new THREE.AnimationMixer(gltf.scene);
mixer.clipAction(gltf.animations[0]).setLoop(THREE.LoopOnce).play().clampWhenFinished = true;
mixer.setTime(frame / rate);
gltf.scene.updateMatrixWorld(true);

const triangles = [], materials = {}, scale = new THREE.Vector3();
gltf.scene.traverse(object => {
  if (!object.isMesh || object.getWorldScale(scale).length() < 0.5) return;
  let body = object;
  while (body && body.userData.track === undefined) body = body.parent;
  const { geometry, material } = object, index = geometry.index.array;
  materials[material.name] = {
    picture: material.map ? [material.map.image.width, material.map.image.height] : null,
    color: material.color.toArray(),
    colors: geometry.attributes.color !== undefined,
  };
  const at = i => object.getVertexPosition(index[i], new THREE.Vector3()).applyMatrix4(object.matrixWorld).toArray();
  const uv = i => [geometry.attributes.uv.getX(index[i]), geometry.attributes.uv.getY(index[i])];
  for (let i = 0; i < index.length; i += 3)
    triangles.push({ body: body.name, material: material.name, corners: [at(i), at(i + 1), at(i + 2)], uv: [uv(i), uv(i + 1), uv(i + 2)] });
});
writeFileSync(foundFile, JSON.stringify({ materials, triangles }));
