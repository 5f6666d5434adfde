// node validate.mjs FILE.glb... --still FILE.glb...: no error, no warning by the Khronos validator, and an animation in those
// before --still alone.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const validator = createRequire(`${process.cwd()}/`)('gltf-validator');
let bad = false, moves = true;
for (const file of process.argv.slice(2)) {
  if (file === '--still') {
    moves = false;
    continue;
  }
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)));
  const { numErrors, numWarnings, messages } = report.issues;
  console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings, ${report.info.animationCount} animation`);
  if (numErrors || numWarnings || Boolean(report.info.animationCount) !== moves) {
    console.log(JSON.stringify(messages.slice(0, 10), null, 1));
    bad = true;
  }
}
process.exit(bad ? 1 : 0);
