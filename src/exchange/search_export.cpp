#include "exchange/search_export.h"

#include "base/error.h"
#include "config/changed_settings.h"
#include "config/writer.h"

namespace heed {

namespace {

// The search that every toolkit has.
SearchConfig plain_search() {
  SearchConfig plain;
  plain.length_normalization = LengthNormalization::kPlain;
  plain.max_length_ratio = 0;
  return plain;
}

}  // namespace

std::vector<std::string> search_left_out(const SearchConfig& config,
                                         const std::set<std::string>& known) {
  const bool ranks = config.beam > 1;
  std::vector<std::string> left_out;
  for (const ChangedSetting& change :
       changed_settings(flatten_config(plain_search()), flatten_config(config))) {
    const std::string key = change.key.substr(0, change.key.find_first_of(".["));
    const bool is_without_effect =
        (key == "length_normalization" && (!ranks || config.length_penalty == 0)) ||
        (key == "coverage_penalty" && !ranks) ||
        (key == "diversity_strength" && config.diversity_groups == 1) || change.now == kNotSet;
    if (!known.contains(key) && !is_without_effect)
      left_out.push_back(fmt::format("search.{} ({})", change.key, change.now));
  }
  return left_out;
}

}  // namespace heed
