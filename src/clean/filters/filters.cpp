#include "clean/filters/filters.h"

#include "base/error.h"

namespace heed {

std::string SideFilter::reason(const CorpusPair& pair) const {
  for (size_t side = 0; side < kSideNames.size(); ++side) {
    const std::string reason = side_reason(pair, side);
    if (!reason.empty()) return fmt::format("{}: {}", kSideNames[side], reason);
  }
  return "";
}

std::string difference(const char* what, const std::string& only_source,
                       const std::string& only_target) {
  if (only_source.empty() && only_target.empty()) return "";
  if (only_target.empty()) return fmt::format("{} {} in the source alone", what, only_source);
  if (only_source.empty()) return fmt::format("{} {} in the target alone", what, only_target);
  return fmt::format("{} {} in the source, {} in the target", what, only_source, only_target);
}

void check_inputs(const CleanConfig& config, const FilterInputs& inputs) {
  const auto refuse_idle = [](const char* option, bool is_given, const char* name, bool enabled) {
    if (is_given && !enabled)
      throw_error(ErrorKind::kUsage, "{}: the filter '{}' is off; turn it on, or leave {} out",
                  option, name, option);
  };
  refuse_idle("--test", !inputs.tests.empty(), "test", config.test.enabled);
  refuse_idle("--scores", inputs.scores.has_value(), "scores", config.scores.enabled);
  refuse_idle("--language-samples", !inputs.language_samples.empty(), "sides",
              config.sides.enabled);
  const bool has_bound = config.scores.best || config.scores.max;
  if (!inputs.scores && has_bound)
    throw_error(ErrorKind::kUsage, "scores.{}: there are no scores; give them by --scores FILE",
                config.scores.best ? "best" : "max");
  if (inputs.scores && !has_bound)
    throw Error(ErrorKind::kUsage,
                "--scores: say which pairs are kept: --set scores.best=0.8 (that fraction) or "
                "--set scores.max=5 (cross-entropy per word)");
}

FilterList make_filters(const CleanConfig& config, const FilterInputs& inputs,
                        const CorpusProfile& profile) {
  FilterList list;
  const auto add = [&list](const char* name, bool enabled, const auto& make) {
    if (!enabled) return;
    if (auto filter = make()) list.filters.push_back({name, std::move(filter)});
  };
  add("length", config.length.enabled, [&] { return make_length_filter(config.length); });
  add("ratio", config.ratio.enabled, [&] { return make_ratio_filter(config.ratio, profile); });
  add("identical", config.identical.enabled, make_identical_filter);
  add("characters", config.characters.enabled,
      [&] { return make_characters_filter(config.characters); });
  add("script", config.script.enabled, [&] { return make_script_filter(config.script, profile); });
  const bool needs_models = config.language.enabled || config.sides.enabled;
  const auto models =
      needs_models ? std::make_shared<const SideModels>(profile, inputs.language_samples) : nullptr;
  add("language", config.language.enabled,
      [&] { return make_language_filter(config.language, profile, models); });
  add("sides", config.sides.enabled, [&] { return make_sides_filter(config.sides, models); });
  add("numbers", config.numbers.enabled, make_numbers_filter);
  add("markup", config.markup.enabled, make_markup_filter);
  add("links", config.links.enabled, make_links_filter);
  add("repetition", config.repetition.enabled,
      [&] { return make_repetition_filter(config.repetition); });
  add("punctuation", config.punctuation.enabled, make_punctuation_filter);
  add("test", config.test.enabled && !inputs.tests.empty(),
      [&] { return make_test_filter(inputs.tests); });
  add("scores", config.scores.enabled && inputs.scores.has_value(),
      [&] { return make_scores_filter(config.scores, inputs, profile); });
  if (config.duplicates.enabled)
    list.memories.push_back({"duplicates", make_duplicates_filter(config.duplicates)});
  if (config.near_duplicates.enabled)
    list.memories.push_back(
        {"near_duplicates", make_near_duplicates_filter(config.near_duplicates)});
  return list;
}

}  // namespace heed
