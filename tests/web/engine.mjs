// The WebAssembly engine in node.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Sunder } from "../../apps/web/src/sunder.js";

export async function startEngine(web) {
  // The module is made for pages, which have these.
  globalThis.self ??= globalThis;
  globalThis.location ??= { href: pathToFileURL(join(web, "sunder.mjs")).href };
  const { default: create } = await import(pathToFileURL(join(web, "sunder.mjs")));
  return Sunder.start(create, { wasmBinary: await readFile(join(web, "sunder.wasm")) });
}

// A bundled scene, with the files it names, as text.
export async function bundled(engine, root, name) {
  const text = await readFile(join(root, "scenes", `${name}.json`), "utf8");
  for (const [, file] of text.matchAll(/"(?:file|mesh)"\s*:\s*"([^"]+)"/g))
    engine.putFile(file, await readFile(join(root, "assets", file)));
  return text;
}
