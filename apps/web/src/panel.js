// Sliders made from the engine's own description of its settings.

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (name in made && name !== "list") made[name] = value;
    else made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// A slider needs two ends; where the engine allows everything, or far more than anyone wants, they are chosen about the value.
function ends(field, value) {
  const size = Math.abs(value) || 1;
  let low = field.low ?? -4 * size, high = field.high ?? 4 * size;
  if (high > 8 * size && high > 10) high = 4 * size;
  if (low < -8 * size && low < -10) low = -4 * size;
  if (field.low_excluded && low === field.low) low += (high - low) / 1000;
  return [low, high];
}

let nextId = 0;

function numberRow(field, label, value, integer, changed) {
  const [low, high] = ends(field, value), id = `setting-${nextId++}`;
  const step = integer ? 1 : "any";
  const slider = element("input", { type: "range", min: low, max: high, step, value, id, title: field.doc });
  const box = element("input", { type: "number", step, value, "aria-label": `${label} (${field.allowed})` });
  const set = (text) => {
    const number = Number(text);
    if (text === "" || !Number.isFinite(number)) return;
    slider.value = number;
    box.value = number;
    changed(number);
  };
  slider.oninput = () => { box.value = Number(Number(slider.value).toPrecision(4)); };
  slider.onchange = () => set(box.value);
  box.onchange = () => set(box.value);
  return element("div", { className: "row" }, element("label", { htmlFor: id, title: field.doc },
    label.replaceAll("_", " "), element("span", { className: "unit" }, field.unit ? ` ${field.unit}` : "")), slider, box);
}

function row(field, changed) {
  if (field.kind === "switch") {
    const box = element("input", { type: "checkbox", checked: field.value });
    box.onchange = () => changed(box.checked);
    return element("label", { className: "row switch", title: field.doc }, field.name.replaceAll("_", " "), box);
  }
  if (field.kind === "name") {
    const select = element("select", { "aria-label": field.name });
    for (const name of field.names) select.append(element("option", { value: name, selected: name === field.value }, name.replaceAll("_", " ")));
    select.onchange = () => changed(select.value);
    return element("label", { className: "row", title: field.doc }, field.name.replaceAll("_", " "), select);
  }
  if (field.kind === "vector") {
    const value = [...field.value], size = Math.max(...value.map(Math.abs), 1);
    return element("div", {}, ...["x", "y", "z"].map((axis, k) => numberRow(
      { ...field, low: Math.max(field.low ?? -Infinity, -2 * size), high: Math.min(field.high ?? Infinity, 2 * size), low_excluded: false },
      `${field.name} ${axis}`, value[k], false, (number) => { value[k] = number; changed([...value]); })));
  }
  return numberRow(field, field.name, field.value, field.kind === "integer", changed);
}

// The choice of a stepper, and the options of the one chosen. Its value is an object with a type, as scene files have it.
function choice(field, changed) {
  const holder = element("div", { className: "options" });
  const select = element("select", { "aria-label": field.name });
  for (const name of Object.keys(field.options)) select.append(element("option", { value: name, selected: name === field.value }, name.replaceAll("_", " ")));
  const values = {};
  const fill = () => {
    holder.replaceChildren(...field.options[select.value].map((option) => row(option, (value) => {
      values[select.value] = { ...values[select.value], [option.name]: value };
      report();
    })));
  };
  const report = () => changed({ type: select.value, ...values[select.value] });
  select.onchange = () => { fill(); report(); };
  for (const [name, options] of Object.entries(field.options))
    values[name] = Object.fromEntries(options.map((option) => [option.name, option.value]));
  fill();
  return element("div", {}, element("label", { className: "row", title: field.doc }, field.name.replaceAll("_", " "), select), holder);
}

// changed(path, value) is told of every change.
export function fillSettings(holder, settings, changed) {
  const group = (title, fields, open = false) =>
    element("details", { open }, element("summary", {}, title), ...fields.map(make));
  const make = (field) => {
    if (field.kind === "group") return group(field.name.replaceAll("_", " "), field.fields);
    return (field.kind === "choice" ? choice : row)(field, (value) => changed(field.path, value));
  };
  const groups = [group("World", settings.world, true)];
  for (const [name, fields] of Object.entries(settings.materials)) groups.push(group(`Material ${name}`, fields));
  // These start the scene again.
  if (settings.joints.length) groups.push(group("All joints, from the start", settings.joints));
  for (const [name, fields] of Object.entries(settings.bonds)) groups.push(group(`Bonds of ${name}, from the start`, fields));
  holder.replaceChildren(...groups);
}
