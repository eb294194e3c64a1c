#include "translate/search_overrides.h"

namespace heed {

namespace {

struct SearchSection final : Settings {
  SearchConfig search;
  void fields(Fields& f) const override { f.section("search", search, ""); }
};

}  // namespace

SearchConfig overridden(const SearchConfig& config, const std::vector<Override>& overrides) {
  SearchSection section;
  section.search = config;
  if (!overrides.empty()) read_config_text("", "--set", section, {.overrides = overrides});
  return section.search;
}

}  // namespace heed
