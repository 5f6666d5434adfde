// node movers_test.mjs: how the page glides between the vertices of two frames, without a page or an engine.
import assert from "node:assert/strict";
import { glide, pairs } from "../../apps/web/src/movers.js";

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
console.log("movers: passed");
