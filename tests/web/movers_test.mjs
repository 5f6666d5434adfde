// node movers_test.mjs: how the page reads moving vertices and glides between those of two frames, without a page or an engine.
import assert from "node:assert/strict";
import { glide, pairs } from "../../apps/web/src/movers.js";
import { Sunder } from "../../apps/web/src/sunder.js";

const drawn = new Float32Array(3), from = new Float32Array([0, 2, 4]), to = new Float32Array([1, 2, 0]);
for (const [share, expected] of [[0, [0, 2, 4]], [0.25, [0.25, 2, 3]], [1, [1, 2, 0]]]) {
  glide(drawn, from, to, share);
  assert.deepEqual([...drawn], expected);
}
glide(drawn, to, to, 0.3);
assert.deepEqual([...drawn], [1, 2, 0]);

const a = { surface: 4 }, b = { surface: 7 }, later = { surface: 7 };
assert.deepEqual(pairs({ movers: [a, b] }, { movers: [later] }), [{ to: later, from: b }]);
const torn = { surface: 9 };
assert.equal(pairs({ movers: [a] }, { movers: [torn] })[0].from, torn, "a new surface appears where it is");
assert.deepEqual(pairs({}, {}), []);

// What the engine's class makes of the module's memory: two bodies of 1 and 2 vertices, one after the other.
const memory = new ArrayBuffer(256), [listAt, positionsAt, normalsAt] = [16, 64, 128];
new Uint32Array(memory, listAt, 4).set([5, 1, 8, 2]);
new Float32Array(memory, positionsAt, 9).set([1, 2, 3, 4, 5, 6, 7, 8, 9]);
new Float32Array(memory, normalsAt, 9).set([0, 1, 0, 1, 0, 0, 0, 0, 1]);
const engine = new Sunder({
  HEAPU8: new Uint8Array(memory), FS: { mkdir() {} }, UTF8ToString: () => "[]", _sunder_stat_names: () => 0,
  _sunder_mover_count: () => 2, _sunder_movers: () => listAt, _sunder_mover_positions: () => positionsAt,
  _sunder_mover_normals: () => normalsAt,
});
assert.deepEqual(engine.movers(), [
  { surface: 5, positions: new Float32Array([1, 2, 3]), normals: new Float32Array([0, 1, 0]) },
  { surface: 8, positions: new Float32Array([4, 5, 6, 7, 8, 9]), normals: new Float32Array([1, 0, 0, 0, 0, 1]) },
]);
console.log("movers: passed");
