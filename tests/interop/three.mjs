// node three.mjs FILE.glb EXPECTED.json FOUND.json: what three.js shows at the frames of EXPECTED.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(`${process.cwd()}/`);
const load = async name => import(pathToFileURL(require.resolve(name)));
const THREE = await load('three');
const { GLTFLoader } = await load('three/examples/jsm/loaders/GLTFLoader.js');

const [file, expectedFile, foundFile] = process.argv.slice(2);
const bytes = readFileSync(file);
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const gltf = await new GLTFLoader().parseAsync(buffer, '');
const expected = JSON.parse(readFileSync(expectedFile));
const mixer = new THREE.AnimationMixer(gltf.scene);
mixer.clipAction(gltf.animations[0]).setLoop(THREE.LoopOnce).play().clampWhenFinished = true;

const byTrack = new Map();
gltf.scene.traverse(object => {
  if (object.userData.track !== undefined) byTrack.set(object.userData.track, object);
});
// Of a body that deforms: the vertices of those of its shapes that are seen, in the world.
function verticesOf(body) {
  const vertices = [], scale = new THREE.Vector3();
  body.traverse(object => {
    if (!object.isMesh || !object.morphTargetInfluences) return;
    if (object.getWorldScale(scale).length() < 0.5) return;
    for (const i of new Set(object.geometry.index.array))
      vertices.push(object.getVertexPosition(i, new THREE.Vector3()).applyMatrix4(object.matrixWorld).toArray());
  });
  return vertices;
}
const frames = expected.frames.map(({ frame }) => {
  mixer.setTime(frame / expected.frame_rate);
  gltf.scene.updateMatrixWorld(true);
  const bodies = [...byTrack].map(([track, object]) => ({
    track,
    visible: object.scale.length() > 0.5,
    position: object.position.toArray(),
    orientation: object.quaternion.toArray(),
    vertices: verticesOf(object),
  }));
  return { frame, bodies };
});
writeFileSync(foundFile, JSON.stringify({ frames }));
