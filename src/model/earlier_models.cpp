#include "model/earlier_models.h"

namespace heed {

ReadOptions of_any_version() {
  static const std::vector<EarlierDefault> defaults = {
      {{"normalizer"}, "structured", "scale", "~"},
      {{"normalizer"}, "structured", "penalty", "0"},
      {{"normalizer"}, "monotonic", "offset", "~"},
      {{"normalizer"}, "monotonic", "noise", "0"},
      {{"normalizer"}, "monotonic", "search", "expected"},
      {{"terms"}, "edges", "itself", "false"},
      {{"attention", "self_attention"}, "linear", "heads", "1"},
      {{"attention", "self_attention"}, "linear", "random_features", "64"},
      {{"attention", "self_attention"}, "linear", "draw", "shared"},
      {{"attention", "self_attention"}, "linear", "redraw", "0"},
  };
  ReadOptions options;
  options.earlier = defaults;
  return options;
}

}  // namespace heed
