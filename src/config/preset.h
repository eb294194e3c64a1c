// Presets: settings of published models, which a config may begin with. A preset is a YAML file with
// keys of the struct that names it; its first line is a comment with the paper.
//
//   model: {preset: bahdanau, decoder: {width: 512}}
//
// The tree of the preset lies below the map that has the key (overlay.h), so that the keys of the
// user win. Where the user gives a section another `type:`, the preset's keys below it are dropped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/fields.h"

namespace heed {

struct Preset {
  std::string_view name;  // "bahdanau"
  std::string_view text;  // YAML
  std::string paper() const;
  std::string keys() const;  // the text without the line of the paper
};
using Presets = std::vector<Preset>;

// Declares the key. Call it before all other fields of the struct. Written configs lack the key:
// they have the keys of the preset.
void preset(Fields& f, const char* name, const Presets& presets, const char* help);

// Visitors with this base are shown the key; others ignore it.
class PresetKeys {
 public:
  virtual ~PresetKeys() = default;
  virtual void on_preset(const char* name, const Presets& presets, const char* help) = 0;
};

// The key as a scalar: one of the names, or none.
ScalarField preset_field(const Presets& presets);

// Puts the tree of the preset with this name below `map`.
void put_below(Node& map, const Presets& presets, std::string_view name);

// True if a value or a key is that of a preset.
bool is_of_preset(const FilePlace& place);

}  // namespace heed
