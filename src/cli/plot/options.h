// Options of `heed plot attention`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.h"

namespace heed {

struct PlotAttentionOptions {
  static constexpr const char* kEntry = "heed_plot_attention";  // of the library with tensors
  std::vector<std::string> models;                              // several: an ensemble
  std::vector<std::string> inputs;    // FILE or NAME=FILE; none: standard input
  std::optional<std::string> tag;     // of every line
  Direction direction;                // of every line that does not name its own
  std::optional<std::string> target;  // the map of this translation instead of the model's own
  std::vector<int64_t> lines{1};      // of the input, from 1, in the order of the maps
  std::vector<std::string> pictures;  // files, by their endings; none: the terminal
  bool words = false;                 // the tokens of a word joined
  std::optional<std::string> place;   // of attention: "decoder.cross.1"
  std::optional<int64_t> head;        // from 1; none: the mean of all
  std::optional<std::string> title;   // none: the source line
  bool no_title = false;
  std::optional<int64_t> width;  // columns of the terminal, or pixels of a picture
  SearchOptions search;
  std::string device = "auto";
};

}  // namespace heed
