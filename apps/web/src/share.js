// Scenes in links and files.

const MOST_LINK = 60000;  // characters that browsers and messengers still carry

async function through(bytes, transform) {
  const stream = new Blob([bytes]).stream().pipeThrough(transform);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function toLink(text, settings) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify({ text, settings })), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const code = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  if (code.length > MOST_LINK) throw new Error("this scene is too long for a link: save it as a file instead");
  return `#s=${code}`;
}

export async function fromLink(hash) {
  try {
    const binary = atob(hash.slice(3).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const { text, settings } = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
    if (typeof text !== "string" || typeof settings !== "object") throw new Error();
    return { text, settings: settings ?? {} };
  } catch {
    throw new Error("the link is damaged: no scene could be read from it");
  }
}

// Lines of --set.
export const toLines = (settings) => Object.entries(settings).map(([path, value]) => `${path}=${JSON.stringify(value)}`);

// What of the scene is made once: a world that runs cannot change it.
export const restarts = (path) => /^(bodies|joints)\./.test(path);

// Bonded bodies that the text names, so that a setting can name them too; a generator's have names of their own.
export function bondedBodies(text) {
  const bodies = JSON.parse(text).bodies ?? [];
  return new Set(bodies.filter(({ bonds, name }) => bonds && /^[^.[\]]+$/.test(name)).map(({ name }) => name));
}

function put(at, [part, ...rest], value) {
  if (part === "*") at.forEach((entry) => put(entry, rest, value));
  else {
    const key = Array.isArray(at) ? at.findIndex((entry) => entry.name === part) : part;
    if (rest.length) put(at[key] ??= {}, rest, value);
    else at[key] = value;
  }
}

// The scene's text with changed settings written into it.
export function withSettings(text, settings) {
  if (!Object.keys(settings).length) return text;
  const scene = JSON.parse(text);
  for (const [path, value] of Object.entries(settings)) {
    // Names of materials may hold points; only the first and the last part are certain.
    const parts = path.startsWith("materials.")
      ? ["materials", path.slice(10, path.lastIndexOf(".")), path.slice(path.lastIndexOf(".") + 1)] : path.split(".");
    put(scene, parts, value);
  }
  return `${JSON.stringify(scene, null, 2)}\n`;
}

// The scene's text with what was added to it since: [{time, body, patterns}]. What came after the start joins then.
export function withAdded(text, added) {
  if (!added.length) return text;
  const scene = JSON.parse(text), taken = new Set((scene.bodies ?? []).map(({ name }) => name));
  for (const { time, body, patterns } of added) {
    let { name } = body;
    for (let k = 2; taken.has(name); ++k) name = `${body.name}_${k}`;
    taken.add(name);
    scene.bodies.push({ ...body, name, ...(time > 0 ? { joins_at: time } : {}) });
    if (Object.keys(patterns).length) scene.patterns = { ...scene.patterns, ...patterns };
  }
  return `${JSON.stringify(scene, null, 2)}\n`;
}

export function download(name, bytes, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Files that a scene names: values of "file" and "mesh" anywhere in it.
export function filesOf(text) {
  const found = new Set();
  const visit = (value) => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (value && typeof value === "object")
      for (const [key, inner] of Object.entries(value)) {
        if ((key === "file" || key === "mesh") && typeof inner === "string") found.add(inner);
        else visit(inner);
      }
  };
  try { visit(JSON.parse(text)); } catch { /* the engine says what is wrong with it */ }
  return [...found];
}
