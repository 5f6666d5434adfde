// Bundles the page into a folder: node build.mjs FOLDER PACKAGES, where npm has installed package.json under PACKAGES.
import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url)), root = join(here, "../.."), [folder, packages] = process.argv.slice(2);
const { build } = createRequire(join(resolve(packages), "package.json"))("esbuild");

await build({
  entryPoints: { main: join(here, "src/main.js"), worker: join(here, "src/worker.js") },
  outdir: folder, bundle: true, minify: true, format: "esm", target: "es2022", legalComments: "linked",
  external: ["./sunder.mjs", "./sunder_threads.mjs"], logLevel: "warning",
  nodePaths: [join(resolve(packages), "node_modules")],
});
for (const file of ["index.html", "style.css"]) await copyFile(join(here, file), join(folder, file));

await mkdir(join(folder, "scenes"), { recursive: true });
await mkdir(join(folder, "assets"), { recursive: true });
const list = [];
for (const file of (await readdir(join(root, "scenes"))).sort()) {
  if (!file.endsWith(".json")) continue;
  const text = await readFile(join(root, "scenes", file), "utf8");
  list.push({ name: file.slice(0, -5), title: JSON.parse(text).name ?? "" });
  await writeFile(join(folder, "scenes", file), text);
}
await writeFile(join(folder, "scenes/list.json"), `${JSON.stringify(list)}\n`);
for (const file of await readdir(join(root, "assets"))) await copyFile(join(root, "assets", file), join(folder, "assets", file));
