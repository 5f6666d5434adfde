// node hashes.mjs WEB ROOT SCENE FRAMES: the state's hash after every frame, one per line, then milliseconds per frame.
import { bundled, startEngine } from "./engine.mjs";

const [web, root, scene, frames] = process.argv.slice(2);
const engine = await startEngine(web);
const info = engine.load(await bundled(engine, root, scene));
if (!info.ok) throw new Error(info.problems.join("\n"));
console.log(engine.hash);
let spent = 0;
for (let i = 0; i < Number(frames); ++i) {
  engine.step();
  spent += engine.stats()[engine.statNames.indexOf("step_ms")];
  console.log(engine.hash);
}
console.log(`ms ${spent / Number(frames)}`);
