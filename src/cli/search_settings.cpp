#include "cli/search_settings.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "config/print.h"
#include "translate/search_overrides.h"

namespace heed {

namespace {

Override parse_search_override(const std::string& text) {
  const Override given = parse_override(text);
  if (given.path.starts_with(kSearchPrefix)) return given;
  throw_error(
      ErrorKind::kUsage,
      "--set {}: expected search.KEY=VALUE; nothing else of a trained model's config can be "
      "changed",
      text);
}

std::string list_text(const std::vector<std::string>& values) {
  Node list;
  list.form = Node::Form::kList;
  for (const std::string& value : values) {
    Node& item = list.entries.emplace_back().value;
    item.form = Node::Form::kScalar;
    item.text = value;
    item.quoted = true;
  }
  return print_inline(list);
}

std::vector<Override> overrides_of(const SearchOptions& options) {
  std::vector<Override> overrides;
  for (const std::string& text : options.set) overrides.push_back(parse_search_override(text));
  for (const auto& [key, value] : options.values)
    overrides.push_back({std::string(kSearchPrefix) + key, value});
  for (const auto& [key, values] : options.lists) {
    if (!values.empty()) overrides.push_back({std::string(kSearchPrefix) + key, list_text(values)});
  }
  return overrides;
}

// option: that gives the maximum.
void check_min_length(const SearchConfig& config, const char* option) {
  if (config.max_length_ratio > 0) return;
  for (const auto& [name, least] : {std::pair{"--min-length", config.min_length},
                                    {"--min-new-tokens", config.min_new_tokens}}) {
    if (config.max_length_extra < least)
      throw_error(ErrorKind::kUsage, "{} {} is more than {} {}", name, least, option,
                  config.max_length_extra);
  }
}

}  // namespace

SearchConfig summary_search(const ModelSearch& model, const SearchOptions& options) {
  constexpr int64_t kMinLength = 3, kNoRepeatNgram = 3, kMaxLengthExtra = 20;
  constexpr double kMaxLengthRatio = 0.5, kCoveragePenalty = 0.01;
  const SearchConfig usual;
  SearchConfig config = model.config;
  const auto take = [](auto& value, auto usually, auto in_summaries) {
    if (value == usually) value = in_summaries;
  };
  take(config.min_length, usual.min_length,
       std::min(kMinLength, options.max_length.value_or(kMinLength)));
  if (config.max_length_extra == usual.max_length_extra &&
      config.max_length_ratio == usual.max_length_ratio) {
    config.max_length_extra = kMaxLengthExtra;
    config.max_length_ratio = kMaxLengthRatio;
  }
  take(config.no_repeat_ngram, usual.no_repeat_ngram, kNoRepeatNgram);
  if (model.has_source_weights)
    take(config.coverage_penalty, usual.coverage_penalty, kCoveragePenalty);
  return config;
}

SearchConfig generation_search(SearchConfig config) {
  const SearchConfig usual;
  if (config.max_length_extra == usual.max_length_extra) config.max_length_extra = 100;
  return config;
}

SearchConfig search_config(const ModelSearch& model, const SearchOptions& options,
                           std::optional<int64_t> nbest) {
  const std::vector<Override> overrides = overrides_of(options);
  SearchConfig config = overridden(model.config, overrides);
  const auto names = [&](const char* path) {
    return std::ranges::any_of(overrides,
                               [&](const Override& given) { return given.path == path; });
  };
  set_nbest(config, nbest.value_or(1), names("search.beam"));
  if (config.nbest > config.beam) {
    throw_error(ErrorKind::kUsage, "--nbest {} needs --beam {} or more, found --beam {}",
                config.nbest, config.nbest, config.beam);
  }
  if (names("search.diversity_groups") && config.diversity_groups > config.beam) {
    throw_error(ErrorKind::kUsage, "--diversity-groups {} needs --beam {} or more, found --beam {}",
                config.diversity_groups, config.diversity_groups, config.beam);
  }
  if (config.coverage_penalty > 0 && !model.has_source_weights) {
    throw_error(ErrorKind::kUsage,
                "--coverage-penalty {} needs attention weights over the source, which this model "
                "does not have; leave it out",
                config.coverage_penalty);
  }
  if (options.max_length) set_max_length(config, *options.max_length);
  check_min_length(config, options.max_length ? "--max-length" : "--max-length-extra");
  return config;
}

}  // namespace heed
