// The WebAssembly engine as a class. Runs in the page's worker and, for tests, in node; knows nothing of either.

const SCENE_FOLDER = "/scene";
const FILTERS = ["box", "envelope", "follow"];
export const BODY_NUMBERS = 6, NONE = 0xffffffff;

export class Sunder {
  // create: the factory of sunder.mjs, or of sunder_threads.mjs for more than one thread. options: passed to it (node needs
  // wasmBinary).
  static async start(create, { threads = 1, ...options } = {}) {
    const module = await create({ print() {}, printErr() {}, poolThreads: threads - 1, ...options });
    module._sunder_use_threads(threads);
    return new Sunder(module);
  }

  constructor(module) {
    this.module = module;
    this.statNames = JSON.parse(this.#text("stat_names"));
    module.FS.mkdir(SCENE_FOLDER);
  }

  get version() { return this.#text("version"); }
  get threads() { return this.module._sunder_threads(); }
  get hash() { return this.#text("hash"); }
  get frame() { return this.module._sunder_frame(); }
  get kept() { return [this.module._sunder_first_kept(), this.module._sunder_last_kept()]; }
  get revision() { return this.module._sunder_revision() >>> 0; }
  get settings() { return JSON.parse(this.#text("settings")); }
  get schema() { return JSON.parse(this.#text("schema")); }

  // A file that scenes may name.
  putFile(name, bytes) { this.module.FS.writeFile(`${SCENE_FOLDER}/${name}`, bytes); }

  // {ok: true, name, ...} or {ok: false, problems: [...]}. settings: lines as of --set.
  load(text, settings = []) {
    return JSON.parse(this.#text("load", [text, settings.join("\n"), SCENE_FOLDER]));
  }
  // Settings of the world and of materials, at once; the same answers. text: the scene's.
  change(text, settings) { return JSON.parse(this.#text("change", [text, settings.join("\n")])); }
  add(scene) { return JSON.parse(this.#text("add", [JSON.stringify(scene), SCENE_FOLDER])); }
  // Of a file that was put: {ok, low, high, closed}.
  meshInfo(name) { return JSON.parse(this.#text("mesh_info", [`${SCENE_FOLDER}/${name}`])); }
  openRecording(bytes) {
    this.module.FS.writeFile("/opened.sunder", bytes);
    try {
      return JSON.parse(this.#text("open_recording", ["/opened.sunder"]));
    } finally {
      this.module.FS.unlink("/opened.sunder");
    }
  }

  // Runs a small world out of sight, so that the first break of the scene is not slow. Returns its bodies.
  warmUp() {
    const bodies = this.module._sunder_warm_up();
    this.#raise();
    return bodies;
  }
  step() { this.#checked(this.module._sunder_step()); }
  goTo(frame) {
    const reached = this.module._sunder_go_to(frame);
    this.#raise();
    return reached;
  }
  pick(origin, displacement) { return JSON.parse(this.#text("pick", [...origin, ...displacement])); }
  grab(body, point) { return this.module._sunder_grab(body, ...point) === 1; }
  pullTo(point) { this.module._sunder_pull_to(...point); }
  release() { this.module._sunder_release(); }
  explode(at, speed, radius) { this.#checked(this.module._sunder_explode(...at, speed, radius)); }
  cut(body, point, normal) { this.#checked(this.module._sunder_cut(body, ...point, ...normal)); }

  startRecording() { this.#checked(this.module.ccall("sunder_record", "number", ["string"], ["/run.sunder"])); }
  // The recording as bytes; with glb, the GLB made of it.
  stopRecording() { this.#checked(this.module._sunder_record_end()); }
  recordingBytes(glb = false) {
    if (!glb) return this.module.FS.readFile("/run.sunder");
    this.#checked(this.module.ccall("sunder_write_glb", "number", ["string", "string"], ["/run.sunder", "/run.glb"]));
    const bytes = this.module.FS.readFile("/run.glb");
    this.module.FS.unlink("/run.glb");
    return bytes;
  }

  // Copies, so that they may be sent to another thread and memory may grow.
  get bodyCount() { return this.module._sunder_body_count(); }
  // BODY_NUMBERS each: two of the handle, surface, kind, variant, and its material's number in looks or NONE.
  bodies() { return this.#copy(Uint32Array, this.module._sunder_bodies(), BODY_NUMBERS * this.bodyCount); }
  // Of each material {color, inner_color, gloss, opacity}; a colour that is null is the viewer's to choose.
  get looks() { return JSON.parse(this.#text("looks")); }
  // Shows bodies where a filter has them that hides trembling; kind: "none" or one of FILTERS.
  useFilter({ kind, frames = 2, distance = 0.005, degrees = 0.5 }) {
    this.#checked(this.module._sunder_use_filter(FILTERS.indexOf(kind), frames, distance, degrees));
  }
  poses() { return this.#copy(Float32Array, this.module._sunder_poses(), 7 * this.bodyCount); }
  states() { return this.#copy(Uint8Array, this.module._sunder_states(), this.bodyCount); }
  stats() { return this.#copy(Float64Array, this.module._sunder_stats(), this.statNames.length); }
  contacts() {
    const count = this.module._sunder_contact_count();
    return this.#copy(Float32Array, this.module._sunder_contacts(), 8 * count);
  }
  // Eleven numbers each: three points, force, share of its strength or -1.
  links() {
    const count = this.module._sunder_link_count();
    return this.#copy(Float32Array, this.module._sunder_links(), 11 * count);
  }
  // What the last blow on each body found, and what deformable bodies bear: place in the list or -1, Pa, pose when it was struck,
  // vertices of four numbers (the last is the tension over the strength), triangles.
  stress() {
    const m = this.module, count = m._sunder_stress_count(), heads = this.#copy(Float32Array, m._sunder_stress(), 12 * count), found = [];
    this.#raise();
    for (let i = 0, vertex = 0, corner = 0; i < count; ++i) {
      const [body, vertices, triangles, strength, worst, ...pose] = heads.subarray(12 * i, 12 * (i + 1));
      found.push({
        body, strength, worst, pose,
        vertices: this.#copy(Float32Array, m._sunder_stress_vertices() + 16 * vertex, 4 * vertices),
        triangles: this.#copy(Uint32Array, m._sunder_stress_triangles() + 4 * corner, 3 * triangles),
      });
      vertex += vertices;
      corner += 3 * triangles;
    }
    return found;
  }
  // Distances to the nearest body that may move, row by row from a corner.
  slice({ corner, right, up, columns, rows, farthest }) {
    const at = this.module._sunder_slice(...corner, ...right, ...up, columns, rows, farthest);
    this.#raise();
    return this.#copy(Float32Array, at, at ? columns * rows : 0);
  }
  get surfaceCount() { return this.module._sunder_surface_count(); }
  surface(number) {
    const m = this.module, vertices = 3 * m._sunder_surface_vertices(number), materials = m._sunder_surface_materials(number) >>> 0;
    const coordinates = m._sunder_surface_coordinates(number), colors = m._sunder_surface_colors(number);
    return {
      positions: this.#copy(Float32Array, m._sunder_surface_positions(number), vertices),
      normals: this.#copy(Float32Array, m._sunder_surface_normals(number), vertices),
      indices: this.#copy(Uint32Array, m._sunder_surface_index_data(number), m._sunder_surface_indices(number)),
      outside: m._sunder_surface_outside(number),
      // Three numbers each: first index, count, slot; 1 is what fractures laid open, others are materials of the mesh.
      groups: this.#copy(Uint32Array, m._sunder_surface_groups(number), 3 * m._sunder_surface_group_count(number)),
      materials: materials === NONE ? null : materials,
      coordinates: coordinates ? this.#copy(Float32Array, coordinates, vertices / 3 * 2) : null,
      colors: colors ? this.#copy(Uint8Array, colors, vertices / 3 * 4) : null,
    };
  }

  // Lists of materials that meshes brought, in the terms of glTF; a texture's image is a number of image().
  get materialListCount() { return this.module._sunder_material_list_count(); }
  materialList(number) { return JSON.parse(this.#text("material_list", [number])); }
  get imageCount() { return this.module._sunder_image_count(); }
  image(number) {
    const m = this.module;
    return {
      type: m.UTF8ToString(m._sunder_image_type(number)),
      bytes: this.#copy(Uint8Array, m._sunder_image_bytes(number), m._sunder_image_size(number)),
    };
  }

  // Of bodies whose vertices move: the surface, which is the body's own, and where its vertices are now, in the body's frame.
  movers() {
    const m = this.module, list = this.#copy(Uint32Array, m._sunder_movers(), 2 * m._sunder_mover_count()), found = [];
    for (let i = 0, first = 0; i < list.length; i += 2) {
      const [surface, vertices] = [list[i], list[i + 1]];
      const vectors = (at) => this.#copy(Float32Array, at + 12 * first, 3 * vertices);
      found.push({ surface, positions: vectors(m._sunder_mover_positions()), normals: vectors(m._sunder_mover_normals()) });
      first += vertices;
    }
    return found;
  }

  // Strings go through the heap, not the stack: a scene may be megabytes.
  #text(name, values = []) {
    const m = this.module, strings = [];
    const words = values.map((value) => {
      if (typeof value !== "string") return value;
      const size = m.lengthBytesUTF8(value) + 1, at = m._malloc(size);
      m.stringToUTF8(value, at, size);
      strings.push(at);
      return at;
    });
    try {
      return m.UTF8ToString(m[`_sunder_${name}`](...words));
    } finally {
      for (const at of strings) m._free(at);
    }
  }
  #copy(type, at, count) { return new type(this.module.HEAPU8.buffer, count ? at : 0, count).slice(); }
  #raise() {
    const message = this.#text("error");
    if (message) throw new Error(message);
  }
  #checked(result) { if (!result) this.#raise(); }
}
