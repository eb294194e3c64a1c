#include "translate/search_overrides.h"

#include <algorithm>

#include "config/sizes.h"

namespace heed {

namespace {

struct SearchSection final : Settings {
  SearchConfig search;
  void fields(Fields& f) override { f.section("search", search, ""); }
};

}  // namespace

SearchConfig overridden(const SearchConfig& config, const std::vector<Override>& overrides) {
  SearchSection section;
  section.search = config;
  if (!overrides.empty()) read_config_text("", "--set", section, {.overrides = overrides});
  return section.search;
}

void set_max_length(SearchConfig& config, int64_t max_length) {
  config.max_length_ratio = 0;
  config.max_length_extra = max_length;
}

void limit_max_length(SearchConfig& config, int64_t source_tokens, int64_t max_length) {
  if (config.max_length(source_tokens) > max_length) set_max_length(config, max_length);
}

void set_nbest(SearchConfig& config, int64_t nbest, bool names_beam) {
  config.nbest = nbest;
  const int64_t candidates = config.distinct && nbest > 1 ? 2 * nbest : nbest;
  if (!names_beam) config.beam = std::max(config.beam, std::min(candidates, kBeams.high));
}

}  // namespace heed
