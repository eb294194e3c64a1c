#include "config/preset.h"

#include <algorithm>

#include "base/error.h"
#include "config/overlay.h"
#include "config/parse.h"

namespace heed {

namespace {

// Such an origin begins messages: "preset bahdanau: model.decoder.width: …".
constexpr std::string_view kOrigin = "preset ";

Node tree_of(const Preset& preset) {
  const std::string origin = fmt::format("{}{}", kOrigin, preset.name);
  std::vector<Problem> problems;
  std::optional<Node> tree = parse_yaml(preset.text, origin, problems);
  HEED_CHECK(tree && problems.empty() && tree->is(Node::Form::kMap), "{} is not a map", origin);
  set_places(*tree, {.origin = origin});
  return std::move(*tree);
}

}  // namespace

std::string Preset::paper() const {
  const std::string_view line = text.substr(0, text.find('\n'));
  HEED_CHECK(line.starts_with("# "), "preset {} does not begin with its paper", name);
  return std::string(line.substr(2));
}

std::string Preset::keys() const { return std::string(text.substr(text.find('\n') + 1)); }

void preset(Fields& f, const char* name, const Presets& presets, const char* help) {
  if (auto* keys = dynamic_cast<PresetKeys*>(&f)) keys->on_preset(name, presets, help);
}

ScalarField preset_field(const Presets& presets) {
  ScalarField field{.type = ScalarField::Type::kWord, .optional = true};
  for (const Preset& one : presets) field.words.emplace_back(one.name);
  field.get = [] { return std::nullopt; };
  return field;
}

void put_below(Node& map, const Presets& presets, std::string_view name) {
  const auto chosen = std::ranges::find(presets, name, &Preset::name);
  HEED_CHECK(chosen != presets.end(), "there is no preset {}", name);
  Node whole = overlaid(tree_of(*chosen), map, TypedMap::kReplacesOther);
  whole.place = map.place;
  map = std::move(whole);
}

bool is_of_preset(const FilePlace& place) { return place.origin.starts_with(kOrigin); }

}  // namespace heed
