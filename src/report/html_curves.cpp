#include "report/curve_pictures.h"

#include "base/error.h"
#include "report/markup.h"

namespace heed {

namespace {

constexpr const char* kCurvesStyle = R"(
:root { color-scheme: light dark; --text: #222; --back: #fff; --grid: #ddd; --edge: #888; }
body { font-family: 'DejaVu Sans', 'Noto Sans', 'Segoe UI', Arial, sans-serif; }
body { margin: 1.5em; color: var(--text); background: var(--back); }
h1 { font-size: 1.2em; }
svg { width: 60em; max-width: 100%; height: auto; fill: var(--text); }
.background { fill: var(--back); }
.grid { stroke: var(--grid); }
.frame { stroke: var(--edge); }
#pointer { stroke: var(--edge); stroke-dasharray: 3 3; pointer-events: none; }
#values { position: fixed; pointer-events: none; background: var(--back); font-size: 0.85em; }
#values { border: 1px solid var(--edge); border-radius: 4px; padding: 0.3em 0.5em; }
#values td { padding: 0 0.4em; white-space: nowrap; }
#values td.number { text-align: right; font-variant-numeric: tabular-nums; }
#values i { display: inline-block; width: 0.8em; height: 0.8em; border-radius: 50%; }
@media (prefers-color-scheme: dark) {
  :root { --text: #ddd; --back: #181a1b; --grid: #34383b; --edge: #777; }
  .c0 { stroke: #3d9be9; } .c1 { stroke: #ee7b3c; } .c2 { stroke: #1fc08f; }
  .c3 { stroke: #dd93bf; } .c4 { stroke: #f0b429; } .c5 { stroke: #8fd0f7; }
  .c6 { stroke: #eeeeee; }
  .b0 { fill: #3d9be9; } .b1 { fill: #ee7b3c; } .b2 { fill: #1fc08f; } .b3 { fill: #dd93bf; }
  .b4 { fill: #f0b429; } .b5 { fill: #8fd0f7; } .b6 { fill: #eeeeee; }
}
)";

constexpr const char* kCurvesScript = R"(
const values = document.getElementById('values');
const pointer = document.createElementNS('http://www.w3.org/2000/svg', 'path');
document.querySelector('svg').append(pointer);
pointer.id = 'pointer';

// A curve between gaps: where its points are drawn, and their values.
function segmentOf(line) {
  const {run, x, y} = line.dataset;
  return {line, run, at: [...line.points].map(point => point.x), x: x.split(' '), y: y.split(' ')};
}

function nearest(segment, x) {
  const {at} = segment;
  if (x < at[0] - 12 || x > at[at.length - 1] + 12) return null;
  let best = 0;
  at.forEach((one, i) => {
    if (Math.abs(one - x) < Math.abs(at[best] - x)) best = i;
  });
  return {run: segment.run, color: getComputedStyle(segment.line).stroke, x: segment.x[best],
          y: segment.y[best], distance: Math.abs(at[best] - x)};
}

function cell(row, text, name) {
  const td = document.createElement('td');
  td.textContent = text;
  td.className = name;
  row.append(td);
  return td;
}

function show(found, event) {
  const table = document.createElement('table');
  for (const one of found) {
    const row = table.insertRow();
    const mark = document.createElement('i');
    mark.style.background = one.color;
    cell(row, '', '').append(mark);
    cell(row, one.run, '');
    cell(row, one.y, 'number');
    cell(row, 'at ' + one.x, 'number');
  }
  values.replaceChildren(table);
  values.hidden = false;
  const right = event.clientX + 16 + values.offsetWidth < innerWidth;
  values.style.left = (right ? event.clientX + 16 : event.clientX - 16 - values.offsetWidth) + 'px';
  values.style.top = Math.min(event.clientY + 12, innerHeight - values.offsetHeight - 4) + 'px';
}

function hide() {
  values.hidden = true;
  pointer.removeAttribute('d');
}

for (const panel of document.querySelectorAll('g.panel')) {
  const frame = panel.querySelector('.frame');
  const segments = [...panel.querySelectorAll('polyline[data-run]')].map(segmentOf);
  for (const line of panel.querySelectorAll('polyline, polygon, path'))
    line.style.pointerEvents = 'none';
  frame.addEventListener('pointermove', event => {
    const at = new DOMPoint(event.clientX, event.clientY)
                   .matrixTransform(frame.getScreenCTM().inverse());
    const nearestOfRun = new Map();
    for (const segment of segments) {
      const one = nearest(segment, at.x);
      const before = one && nearestOfRun.get(one.run);
      if (one && !(before && before.distance <= one.distance)) nearestOfRun.set(one.run, one);
    }
    const box = frame.getBBox();
    pointer.setAttribute('d', `M${at.x},${box.y}v${box.height}`);
    if (nearestOfRun.size > 0) show([...nearestOfRun.values()], event); else hide();
  });
  frame.addEventListener('pointerleave', hide);
}
)";

}  // namespace

std::string html_curves(const std::string& title, const CurveChart& chart) {
  std::string style = kCurvesStyle;
  if (chart.width > 0) style += fmt::format("svg {{ width: {:.0f}px; }}\n", chart.width);
  return html_page(
      title, style,
      "<main>\n" + svg_curves_with_values(chart) + "</main>\n<div id=\"values\" hidden></div>\n",
      kCurvesScript);
}

}  // namespace heed
