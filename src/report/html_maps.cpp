#include "report/map_pictures.h"

#include "base/error.h"
#include "report/markup.h"

namespace heed {

namespace {

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --text: #222; --back: #fff; }
body { font-family: 'DejaVu Sans', 'Noto Sans', 'Segoe UI', Arial, sans-serif; }
body { margin: 1.5em; color: var(--text); background: var(--back); }
h1 { font-size: 1.2em; }
select { font: inherit; padding: 0.2em; max-width: 100%; }
figure { margin: 1em 0; overflow-x: auto; }
main.all { display: grid; grid-template-columns: repeat(auto-fill, minmax(22em, 1fr)); gap: 1em; }
main.all figure { margin: 0; }
main.all svg { max-width: 100%; height: auto; }
svg { fill: var(--text); }
.background { fill: var(--back); }
@media (prefers-color-scheme: dark) {
:root { --text: #ddd; --back: #181a1b; }
.grid { stroke: #34383b; }
.tick, .frame { stroke: #777; }
.mark { fill: #666; }
.quiet { fill: #999; }
)";

// The last entry shows all maps, each other one its own.
constexpr const char* kScript = R"(
const choice = document.getElementById('choice');
const main = document.querySelector('main');
function show() {
  main.classList.toggle('all', choice.value === 'all');
  main.querySelectorAll('figure').forEach((figure, i) => {
    figure.hidden = choice.value !== 'all' && choice.value !== String(i);
  });
}
document.getElementById('chooser').hidden = false;
choice.addEventListener('change', show);
show();
)";

std::string chooser(const std::vector<AttentionMap>& maps, size_t selected) {
  std::string text = "<p id=\"chooser\" hidden><label>Map: <select id=\"choice\">\n";
  for (size_t i = 0; i < maps.size(); ++i) {
    std::string name = maps[i].name.empty() ? maps[i].title : maps[i].name;
    if (name.empty()) name = fmt::format("map {}", i + 1);
    text += fmt::format("<option value=\"{}\"{}>{}</option>\n", i, i == selected ? " selected" : "",
                        escape_markup(name));
  }
  return text + "<option value=\"all\">all maps</option>\n</select></label></p>\n";
}

}  // namespace

std::string html_maps(const std::string& title, const std::vector<AttentionMap>& maps,
                      size_t selected, double width) {
  if (maps.empty())
    throw_error(ErrorKind::kData, "the page '{}' has no attention maps; at least one is needed",
                title);
  std::string figures;
  for (const auto& map : maps) check_map(map);
  const WeightScale scale = weight_scale(maps);
  for (const auto& map : maps) figures += "<figure>\n" + svg_map(map, scale, width) + "</figure>\n";
  return html_page(title, kStyle + dark_map_style() + "}\n",
                   chooser(maps, selected) + "<main>\n" + figures + "</main>\n", kScript);
}

}  // namespace heed
