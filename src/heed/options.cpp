#include "heed/options.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "config/ranges.h"
#include "config/reader.h"
#include "config/sizes.h"
#include "load/worker_count.h"
#include "translate/directions.h"
#include "translate/search_overrides.h"

namespace heed {

namespace {

std::optional<Precision> precision_of(const std::string& word) {
  if (word == "auto") return std::nullopt;
  const auto& words = precision_words();
  const auto found = words.find(word);
  if (found != words.end()) return found->second;
  throw_error(ErrorKind::kUsage, "precision: found '{}', expected auto, fp32, bf16 or int8", word);
}

// Checks the same ranges as the program's options.
void expect_in(const IntRange& range, int64_t value, const char* name) {
  if (!contains(range, value))
    throw_error(ErrorKind::kUsage, "{}: found {}, expected a number {}", name, value,
                range_text(range));
}

void check(const v0::TextOptions& options) {
  expect_in({0, kSentences.high}, options.batch, "batch");
  expect_in({0, kThreads.high}, options.workers, "workers");
}

// 0 means "not given".
std::optional<int64_t> given(int64_t number) {
  return number > 0 ? std::optional(number) : std::nullopt;
}

int64_t workers_of(const TextModel& model, const v0::TextOptions& options) {
  return worker_count(given(options.workers), model.on_gpu);
}

// The settings with these keys of `search`, whose values are YAML.
SearchConfig with_keys(SearchConfig search, const std::map<std::string, std::string>& keys) {
  ReadOptions how;
  for (const auto& [key, value] : keys) {
    if (key.empty() || key.find_first_of(".[]") != std::string::npos)
      throw_error(ErrorKind::kUsage, "'{}': is not a key of `search`", key);
    how.overrides.push_back({key, value});
  }
  if (keys.empty()) return search;
  std::vector<std::string> problems;
  for (const Problem& problem : find_problems("", "search", search, how))
    problems.push_back(fmt::format("{}: {}", problem.path, problem.message));
  if (!problems.empty()) throw_error(ErrorKind::kUsage, "{}", fmt::join(problems, "; "));
  return search;
}

SearchConfig search_of(const TextModel& model, const v0::TranslateOptions& options) {
  expect_in(kBeams, options.nbest, "nbest");
  SearchConfig search = with_keys(model.search, options.search);
  set_nbest(search, options.nbest, options.search.contains("beam"));
  if (search.nbest > search.beam)
    throw_error(ErrorKind::kUsage, "nbest {} needs a beam of {} or more, found beam {}",
                search.nbest, search.nbest, search.beam);
  if (options.search.contains("diversity_groups") && search.diversity_groups > search.beam)
    throw_error(ErrorKind::kUsage, "diversity_groups {} needs a beam of {} or more, found beam {}",
                search.diversity_groups, search.diversity_groups, search.beam);
  if (search.coverage_penalty > 0 && !model.has_source_weights)
    throw_error(ErrorKind::kUsage,
                "coverage_penalty {} needs attention weights over the source, which this model "
                "does not have; leave it out",
                search.coverage_penalty);
  return search;
}

void stop_if(const std::function<bool()>& stop) {
  if (stop()) throw_error(ErrorKind::kFailure, "stopped by the caller");
}

// Texts of C end at a zero byte, so texts of no language may have one.
void refuse_zero_bytes(const SourceLine& line, size_t number) {
  const auto has_zero = [](const std::string& text) { return text.find('\0') != text.npos; };
  if (std::ranges::any_of(line, has_zero))
    throw_error(ErrorKind::kData, "text {}: holds a zero byte (U+0000); remove it", number);
}

void refuse_line_breaks(const SourceLine& line, size_t number) {
  const auto has_break = [](const std::string& text) {
    return text.find('\n') != std::string::npos;
  };
  if (std::ranges::any_of(line, has_break))
    throw_error(ErrorKind::kData,
                "text {}: holds a line break; give each line as a separate text, without the "
                "break at its end",
                number);
}

void add_tag(const TextModel& model, const std::string& tag, std::vector<SourceLine>& lines) {
  if (model.tags.empty())
    throw_error(ErrorKind::kUsage, "tag {}: the model has no tags; leave it out", tag);
  if (!std::ranges::binary_search(model.tags, tag))
    throw_error(ErrorKind::kUsage, "tag: '{}' {}", tag, no_such_tag(model.tags, tag));
  for (SourceLine& line : lines) line.push_back(tag);
}

}  // namespace

ModelRequest request_of(const std::vector<std::string>& models, const v0::LoadOptions& options) {
  if (models.empty()) throw_error(ErrorKind::kUsage, "no model: name one, or several");
  return {models, options.device, precision_of(options.precision)};
}

namespace {

void check_source_weights(const TextModel& model, const v0::TranslateOptions& options) {
  if (model.has_source_weights) return;
  for (const auto& [name, is_wanted] : {std::pair{"alignment", options.alignment},
                                        std::pair{"replace_unknown", options.replace_unknown}}) {
    if (is_wanted)
      throw_error(ErrorKind::kUsage,
                  "{}: needs attention weights over the source, which this model does not have; "
                  "leave it out",
                  name);
  }
}

}  // namespace

BatchTranslatorOptions translator_options(const TextModel& model,
                                          const v0::TranslateOptions& options) {
  check(options);
  check_source_weights(model, options);
  SearchConfig search = search_of(model, options);
  const int64_t best = model.engine->best_batch(search.hypotheses());
  BatchTranslatorOptions how{.line = {.search = std::move(search),
                                      .attention = options.attention,
                                      .alignment = options.alignment,
                                      .replace_unknown = options.replace_unknown,
                                      .split = options.split},
                             .batch = given(options.batch).value_or(best),
                             .workers = workers_of(model, options)};
  if (options.stop) how.before_batch = [stop = options.stop] { stop_if(stop); };
  return how;
}

TextModel in_direction(const TextModel& model, const v0::TextOptions& options) {
  const Direction direction{options.source_language, options.target_language};
  return direction.is_chosen() ? Directions(model).choose(direction) : model;
}

LineScoreOptions score_options(const TextModel& model, const v0::TextOptions& options) {
  check(options);
  LineScoreOptions how{.batch = given(options.batch).value_or(Engine::kBatch),
                       .workers = workers_of(model, options)};
  if (options.stop) how.before_batch = [stop = options.stop] { stop_if(stop); };
  return how;
}

std::vector<SourceLine> lines_of(const TextModel& model,
                                 const std::vector<std::vector<std::string>>& sources,
                                 const v0::TextOptions& options, bool may_have_breaks) {
  if (model.inputs.empty())
    throw_error(ErrorKind::kUsage,
                "a language model has no source; `heed generate` and `heed score` use it");
  std::vector<SourceLine> lines = sources;
  if (!options.tag.empty()) add_tag(model, options.tag, lines);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].size() != model.inputs.size())
      throw_error(ErrorKind::kUsage, "text {}: found {} inputs, but the model reads {}: {}", i + 1,
                  lines[i].size(), model.inputs.size(), fmt::join(model.inputs, ", "));
    refuse_zero_bytes(lines[i], i + 1);
    if (!may_have_breaks) refuse_line_breaks(lines[i], i + 1);
  }
  return lines;
}

void expect_pairs(const std::vector<std::vector<std::string>>& sources,
                  const std::vector<std::string>& targets) {
  if (sources.size() != targets.size())
    throw_error(ErrorKind::kUsage, "{} sources, but {} targets; each target belongs to a source",
                sources.size(), targets.size());
}

}  // namespace heed
