// Small live plots: the last frames of a few numbers, drawn on a canvas.

const KEPT = 300;

export class Plot {
  #rows = [];

  // lines: [{name, color, of: (stats) => number}]
  constructor(canvas, unit, lines) {
    this.canvas = canvas;
    this.unit = unit;
    this.lines = lines;
  }

  clear() { this.#rows = []; }

  add(stats) {
    // After a rewind what came later is gone.
    while (this.#rows.length && this.#rows.at(-1).frame >= stats.frame) this.#rows.pop();
    this.#rows.push({ frame: stats.frame, values: this.lines.map((line) => line.of(stats)) });
    if (this.#rows.length > KEPT) this.#rows.shift();
  }

  draw() {
    const { canvas } = this, ratio = Math.min(devicePixelRatio, 2);
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width || !height) return;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const all = this.#rows.flatMap((row) => row.values).filter(Number.isFinite);
    let low = Math.min(0, ...all), high = Math.max(...all, low + 1e-9);
    const style = getComputedStyle(canvas), left = 4, top = 16, bottom = height - 4;
    const y = (value) => bottom - (value - low) / (high - low) * (bottom - top);
    context.strokeStyle = style.getPropertyValue("--line");
    context.lineWidth = 1;
    context.beginPath();
    for (const value of [low, high, 0]) {
      context.moveTo(0, Math.round(y(value)) + 0.5);
      context.lineTo(width, Math.round(y(value)) + 0.5);
    }
    context.stroke();
    const step = width / (KEPT - 1);
    this.lines.forEach((line, k) => {
      context.strokeStyle = line.color;
      context.lineWidth = 1.5;
      context.beginPath();
      this.#rows.forEach((row, i) => context.lineTo(i * step, y(row.values[k])));
      context.stroke();
    });
    context.font = "11px system-ui, sans-serif";
    let x = left;
    this.lines.forEach((line, k) => {
      const value = this.#rows.at(-1)?.values[k];
      const text = `${line.name} ${value === undefined ? "" : short(value)}`;
      context.fillStyle = line.color;
      context.fillText(text, x, 11);
      x += context.measureText(text).width + 10;
    });
    context.fillStyle = style.getPropertyValue("--faint");
    context.textAlign = "right";
    context.fillText(`${short(high)} ${this.unit}`, width - 4, 11);
    context.textAlign = "left";
  }
}

export function short(value) {
  if (!Number.isFinite(value)) return "?";
  const size = Math.abs(value);
  if (size >= 1e9 || (size > 0 && size < 1e-3)) return value.toExponential(1);
  for (const [unit, factor] of [["M", 1e6], ["k", 1e3]])
    if (size >= factor) return `${(value / factor).toPrecision(3)}${unit}`;
  return size >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
