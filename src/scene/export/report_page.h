// The fixed text of a report: its style, and the script that zooms the plots. The page loads nothing from elsewhere.
#pragma once

namespace sunder::scene {

inline constexpr const char* kReportStyle = R"css(
:root { color-scheme: light; --ink: #23272e; --faint: #6b7280; --line: #dfe1e5; --paper: #fbfbf9; --accent: #b4481e; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1180px; padding: 28px 20px 60px; font: 15px/1.5 system-ui, sans-serif; color: var(--ink);
  background: var(--paper); }
h1 { font-size: 28px; line-height: 1.2; margin: 0 0 2px; }
h2 { font-size: 18px; margin: 34px 0 10px; }
p { margin: 4px 0; }
.faint, small { color: var(--faint); font-weight: normal; }
code, pre { font: 13px/1.45 ui-monospace, monospace; background: #f0f0ec; border-radius: 4px; }
code { padding: 1px 5px; overflow-wrap: anywhere; }
pre { padding: 10px 12px; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
video { width: 100%; border-radius: 6px; background: #ddd; display: block; }
.strip { display: grid; grid-template-columns: repeat(4, 1fr); gap: 8px; margin-top: 8px; }
.strip figure { margin: 0; } .strip img { width: 100%; height: auto; display: block; border-radius: 4px; }
.strip figcaption { font-size: 12px; color: var(--faint); }
.key { display: flex; flex-wrap: wrap; gap: 8px 28px; margin: 14px 0; }
.key div b { display: block; font-size: 20px; line-height: 1.2; } .key div { color: var(--faint); font-size: 13px; }
.key div b { color: var(--ink); }
.warning { border-left: 4px solid var(--accent); background: #fbeee8; padding: 8px 12px; margin: 8px 0; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 440px), 1fr)); gap: 18px; }
.plot { margin: 0; background: #fff; border: 1px solid var(--line); border-radius: 6px; padding: 10px 12px 4px; position: relative; }
.plot figcaption { font-weight: 600; font-size: 14px; display: flex; flex-wrap: wrap; gap: 2px 14px; align-items: baseline; }
.legend { margin-left: auto; display: flex; flex-wrap: wrap; gap: 0 12px; font-weight: normal; font-size: 12px; }
.legend i { display: inline-block; width: 14px; height: 3px; vertical-align: middle; margin-right: 5px; }
.plot svg { width: 100%; height: auto; display: block; touch-action: pan-y; }
.axes path { stroke: var(--line); fill: none; } .axes text { font-size: 11px; fill: var(--faint); }
.lines path { fill: none; stroke-width: 1.6; stroke-linejoin: round; }
.band { fill: #1b6ca8; opacity: .14; } .cursor { stroke: var(--faint); stroke-dasharray: 3 3; }
.readout { font-size: 12px; color: var(--faint); min-height: 18px; font-variant-numeric: tabular-nums; }
table { border-collapse: collapse; font-size: 14px; } td, th { padding: 2px 18px 2px 0; vertical-align: top; text-align: left; font-weight: normal; }
td:first-child { color: var(--faint); white-space: nowrap; }
@media (max-width: 620px) { .strip { grid-template-columns: repeat(2, 1fr); } }
@media print { * { print-color-adjust: exact; } h2 { break-after: avoid; } body { max-width: none; padding: 0; background: #fff; font-size: 12px; } video, .readout, .hint { display: none; }
  .plot, .strip figure { break-inside: avoid; } .plots { grid-template-columns: 1fr 1fr; } pre { white-space: pre-wrap; } }
)css";

// Drag across a plot to zoom into that time in all of them, double click to see all again; moving over a plot reads it out.
inline constexpr const char* kReportScript = R"js(
(() => {
  const W = 520, H = 230, L = 58, R = 10, T = 12, B = 26, NS = 'http://www.w3.org/2000/svg';
  const times = JSON.parse(document.getElementById('times').textContent);
  if (times.length < 2) return;
  const whole = [times[0], times[times.length - 1]];
  let view = whole;
  const text = v => Math.abs(v) < 1e-300 ? '0' : Math.abs(v) >= 1e5 || Math.abs(v) < 1e-3 ? v.toExponential(2) : String(+v.toPrecision(5));
  const ticks = (low, high, n) => {
    const rough = (high - low) / n, power = 10 ** Math.floor(Math.log10(rough));
    const step = power * ([1, 2, 5].find(f => f * power >= rough * (1 - 1e-9)) || 10), list = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) list.push(i * step);
    return list;
  };
  const toX = t => L + (t - view[0]) / (view[1] - view[0]) * (W - L - R);
  const plots = [...document.querySelectorAll('.plot')].map(figure => {
    const svg = figure.querySelector('svg'), data = JSON.parse(figure.querySelector('script').textContent);
    const band = svg.appendChild(document.createElementNS(NS, 'rect')), cursor = svg.appendChild(document.createElementNS(NS, 'path'));
    band.setAttribute('class', 'band'); cursor.setAttribute('class', 'cursor');
    const readout = figure.appendChild(document.createElement('div'));
    readout.className = 'readout';
    return { figure, svg, data, band, cursor, readout };
  });
  const draw = plot => {
    const inside = i => times[i] >= view[0] - 1e-12 && times[i] <= view[1] + 1e-12;
    let low = plot.data.zero ? 0 : Infinity, high = plot.data.zero ? 0 : -Infinity;
    for (const s of plot.data.series) s.values.forEach((v, i) => { if (v !== null && inside(i)) { low = Math.min(low, v); high = Math.max(high, v); } });
    if (!(low <= high)) { low = 0; high = 1; }
    const size = Math.max(Math.abs(low), Math.abs(high)), flat = high - low <= 1e-9 * size || size === 0;
    const margin = flat ? (size > 0 ? 0.1 * size : 1) : 0.05 * (high - low);
    if (!plot.data.zero) low -= margin;
    high += margin;
    const toY = v => T + (high - v) / (high - low) * (H - T - B);
    let axes = '';
    for (const v of ticks(low, high, 5)) axes += `<path d="M${L} ${toY(v).toFixed(1)}H${W - R}"/><text x="${L - 5}" y="${(toY(v) + 3.5).toFixed(1)}" text-anchor="end">${text(v)}</text>`;
    for (const t of ticks(view[0], view[1], 8)) axes += `<path d="M${toX(t).toFixed(1)} ${H - B}v4"/><text x="${toX(t).toFixed(1)}" y="${H - 8}" text-anchor="middle">${text(t)} s</text>`;
    plot.svg.querySelector('.axes').innerHTML = axes;
    plot.svg.querySelectorAll('.lines path').forEach((path, k) => {
      let d = '', pen = false;
      plot.data.series[k].values.forEach((v, i) => {
        const good = v !== null && inside(i);
        if (good) d += `${pen ? 'L' : 'M'}${toX(times[i]).toFixed(1)} ${toY(v).toFixed(1)}`;
        pen = good;
      });
      path.setAttribute('d', d);
    });
  };
  const show = range => { view = range; plots.forEach(draw); };
  const timeAt = (plot, event) => {
    const box = plot.svg.getBoundingClientRect(), x = (event.clientX - box.left) / box.width * W;
    return Math.min(view[1], Math.max(view[0], view[0] + (x - L) / (W - L - R) * (view[1] - view[0])));
  };
  for (const plot of plots) {
    let from = null;
    const paint = (a, b) => {
      for (const [key, value] of Object.entries({ x: Math.min(toX(a), toX(b)), y: T, width: Math.abs(toX(a) - toX(b)), height: H - T - B }))
        plot.band.setAttribute(key, value);
    };
    plot.svg.addEventListener('pointerdown', event => { from = timeAt(plot, event); plot.svg.setPointerCapture(event.pointerId); });
    plot.svg.addEventListener('pointermove', event => {
      const t = timeAt(plot, event);
      if (from !== null) paint(from, t);
      let i = 0;
      while (i + 1 < times.length && Math.abs(times[i + 1] - t) <= Math.abs(times[i] - t)) ++i;
      plot.cursor.setAttribute('d', `M${toX(times[i])} ${T}V${H - B}`);
      plot.readout.textContent = `frame ${i}, ${text(times[i])} s: ` + plot.data.series.map(s => `${s.name} ${s.values[i] === null ? '-' : text(s.values[i])}`).join(', ');
    });
    plot.svg.addEventListener('pointerup', event => {
      const to = timeAt(plot, event), range = [Math.min(from, to), Math.max(from, to)];
      paint(0, 0);
      if (from !== null && toX(range[1]) - toX(range[0]) > 8) show(range);
      from = null;
    });
    plot.svg.addEventListener('dblclick', () => show(whole));
  }
  document.querySelector('.hint').hidden = false;
})();
)js";

}  // namespace sunder::scene
