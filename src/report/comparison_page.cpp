#include "report/comparison_page.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "report/axis.h"
#include "report/markup.h"

namespace heed {

namespace {

// Colors of Okabe and Ito (2008), which people with color blindness can tell apart.
constexpr const char* kComparisonStyle = R"(
:root { color-scheme: light dark; --text: #222; --back: #fff; --grid: #ddd; --quiet: #666;
  --mark: #f7d9b8; --c0: #888; --c1: #0072b2; --c2: #d55e00; --c3: #009e73; --c4: #cc79a7;
  --c5: #e69f00; }
body { font-family: 'DejaVu Sans', 'Noto Sans', 'Segoe UI', Arial, sans-serif; margin: 1.5em auto;
  max-width: 60em; padding: 0 1em; color: var(--text); background: var(--back); line-height: 1.4; }
h1 { font-size: 1.3em; } h2 { font-size: 1.1em; margin-top: 2em; }
table { border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--quiet); font-size: 0.85em; padding-bottom: 0.3em; }
th, td { padding: 0.2em 0.8em; text-align: right; border-bottom: 1px solid var(--grid); }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
figure { margin: 1em 0; } figcaption { font-weight: bold; }
svg { width: 100%; height: auto; fill: var(--text); }
svg .grid { stroke: var(--grid); } svg .quiet { fill: var(--quiet); }
.key span { display: inline-block; margin-right: 1.2em; }
.key i { display: inline-block; width: 0.8em; height: 0.8em; margin-right: 0.4em; }
.c0 { fill: var(--c0); background: var(--c0); } .c1 { fill: var(--c1); background: var(--c1); }
.c2 { fill: var(--c2); background: var(--c2); } .c3 { fill: var(--c3); background: var(--c3); }
.c4 { fill: var(--c4); background: var(--c4); } .c5 { fill: var(--c5); background: var(--c5); }
article { border-top: 1px solid var(--grid); padding: 0.6em 0; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content max-content 1fr; gap: 0.15em 1em; margin: 0; }
dt { color: var(--quiet); } dd { margin: 0; } dd.score { text-align: right; }
mark { background: var(--mark); color: inherit; padding: 0 0.1em; border-radius: 2px; }
p.number { margin: 0 0 0.2em; color: var(--quiet); font-size: 0.85em; }
@media (prefers-color-scheme: dark) {
  :root { --text: #ddd; --back: #181a1b; --grid: #34383b; --quiet: #999; --mark: #5a4325;
    --c1: #3d9be9; --c2: #ee7b3c; --c3: #1fc08f; --c4: #dd93bf; --c5: #f0b429; }
}
)";
constexpr size_t kColors = 6;

std::string table_of(const PageTable& table) {
  std::string html = "<table>\n<caption>" + escape_markup(table.caption) + "</caption>\n";
  for (size_t r = 0; r < table.rows.size(); ++r) {
    html += "<tr>";
    for (const std::string& cell : table.rows[r])
      html += fmt::format("<{0}>{1}</{0}>", r == 0 ? "th" : "td", escape_markup(cell));
    html += "</tr>\n";
  }
  return html + "</table>\n";
}

std::string key_of(const std::vector<std::string>& systems) {
  std::string html = "<p class=\"key\">";
  for (size_t i = 0; i < systems.size(); ++i)
    html +=
        fmt::format("<span><i class=\"c{}\"></i>{}</span>", i % kColors, escape_markup(systems[i]));
  return html + "</p>\n";
}

// Layout of a chart, in pixels.
constexpr struct {
  double width = 800, height = 260, left = 48, top = 12, bottom = 44, font = 12;
} kBars;

std::string grid_of(const Axis& axis) {
  std::string svg;
  for (const Tick& tick : axis.ticks(5)) {
    const double y =
        kBars.top + (kBars.height - kBars.top - kBars.bottom) * (1 - axis.fraction(tick.value));
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>"
        "<text class=\"quiet\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
        kBars.left, kBars.width, y, y, kBars.left - 8, y + kBars.font / 3, tick.label);
  }
  return svg;
}

std::string bars_of(const BarChart& chart, size_t group, const Axis& axis) {
  const auto systems = static_cast<double>(chart.values[group].size());
  const double room = (kBars.width - kBars.left) / static_cast<double>(chart.groups.size());
  const double width = std::min(40.0, 0.8 * room / systems);
  const double center = kBars.left + room * (static_cast<double>(group) + 0.5);
  const double base = kBars.height - kBars.bottom;
  std::string svg;
  for (size_t i = 0; i < chart.values[group].size(); ++i) {
    const double value = chart.values[group][i];
    const double height = (base - kBars.top) * axis.fraction(value);
    svg += fmt::format(
        "<rect class=\"c{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">"
        "<title>{:.1f}</title></rect>",
        i % kColors, center + width * (static_cast<double>(i) - systems / 2), base - height,
        width * 0.92, height, value);
  }
  return svg + fmt::format(
                   "<text x=\"{0:.1f}\" y=\"{1}\" text-anchor=\"middle\">{2}</text><text "
                   "class=\"quiet\" x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>\n",
                   center, base + 16, escape_markup(chart.groups[group]), base + 32,
                   format_count(chart.sizes[group]));
}

std::string figure_of(const BarChart& chart) {
  double highest = 0;
  for (const auto& group : chart.values) {
    for (const double value : group) highest = std::max(highest, value);
  }
  const Axis axis(0, highest > 0 ? highest * 1.05 : 1);
  std::string bars;
  for (size_t g = 0; g < chart.groups.size(); ++g) bars += bars_of(chart, g, axis);
  return fmt::format(
      "<figure>\n<figcaption>{} by {}</figcaption>\n<svg viewBox=\"0 0 {} {}\" font-size=\"{}\" "
      "role=\"img\" aria-label=\"{}\">\n{}{}</svg>\n</figure>\n",
      escape_markup(chart.title), escape_markup(chart.group_title), kBars.width, kBars.height,
      kBars.font, escape_markup(chart.title), grid_of(axis), bars);
}

std::string words_of(const std::vector<ShownWord>& words) {
  std::string html;
  for (const ShownWord& word : words) {
    if (!html.empty() && word.spaced) html += ' ';
    const std::string text = escape_markup(word.text);
    html += word.differs ? "<mark>" + text + "</mark>" : text;
  }
  return html;
}

std::string article_of(const ExampleLine& line) {
  std::string html = fmt::format("<article>\n<p class=\"number\">line {}</p>\n<dl>\n", line.number);
  const auto add = [&html](const std::string& name, const std::string& score,
                           const std::string& text) {
    html += fmt::format("<dt>{}</dt><dd class=\"score\">{}</dd><dd dir=\"auto\">{}</dd>\n",
                        escape_markup(name), score, text);
  };
  if (!line.source.empty()) add("source", "", escape_markup(line.source));
  for (size_t i = 0; i < line.texts.size(); ++i)
    add(line.names[i], i < line.scores.size() ? line.scores[i] : "", words_of(line.texts[i]));
  return html + "</dl>\n</article>\n";
}

}  // namespace

std::string html_comparison(const ComparisonPage& page) {
  std::string body;
  for (const PageTable& table : page.tables) body += table_of(table);
  if (!page.charts.empty()) body += "<h2>Parts of the text</h2>\n" + key_of(page.systems);
  for (const BarChart& chart : page.charts) body += figure_of(chart);
  for (const ExampleList& list : page.examples) {
    if (list.lines.empty()) continue;
    body += "<h2>" + escape_markup(list.title) + "</h2>\n";
    for (const ExampleLine& line : list.lines) body += article_of(line);
  }
  return html_page(page.title, kComparisonStyle, body, "");
}

}  // namespace heed
