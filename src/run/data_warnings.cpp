#include "run/data_warnings.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "base/error.h"
#include "base/log.h"
#include "base/utf8.h"
#include "data/corpus_checks.h"
#include "metric/registry.h"
#include "search/length_ratio.h"

namespace heed {

namespace {

bool tabs_expected(const TextConfigs& text, const std::string& side) {
  const auto& tokenizer = text.at(owner_of(text, side)).tokenizer;
  return tokenizer->marker && tokenizer->marker->find('\t') != std::string::npos;
}

CorpusChecks checks_of(const RunConfig& config, const RunFiles& files) {
  CorpusChecks checks;
  for (size_t i = 0; i < files.valid.size(); ++i)
    checks.sets.push_back(
        {files.valid.size() == 1 ? "valid" : fmt::format("valid[{}]", i), files.valid[i]});
  for (const auto& [name, set] : files.tests) checks.sets.push_back({"test." + name, set});
  for (const std::string& source : config.data.sources())
    checks.tabs_expected.push_back(tabs_expected(config.text, source));
  checks.tabs_expected.push_back(tabs_expected(config.text, kTargetSide));
  checks.cleaning = config.data.cleaning;
  return checks;
}

template <class Take>
void for_first_lines(const SideText& side, const Take& take) {
  constexpr int64_t kLines = 200;
  SideText::Reader reader(side);
  std::string line;
  for (uint64_t offset = 0, lines = 0; lines < kLines && reader.next(line, offset); ++lines)
    take(line);
}

// The metrics of text that a config asks for, by the key that does.
std::map<std::string, std::set<std::string>> metrics_of(const RunConfig& config) {
  const ValidateConfig& validation = config.train.validation;
  std::map<std::string, std::set<std::string>> metrics;
  for (const std::string& name : validation.translation_metrics())
    metrics["train.validate"].insert(name);
  if (!config.data.test.empty()) metrics["train.validate"].insert(validation.test_metric());
  const auto add = [&](const LearningConfig& learning) {
    if (learning.sequence_loss)
      metrics["train.sequence_loss"].insert(learning.sequence_loss->metric);
  };
  add(config.train);
  for (const RunPhase& phase : config.phases) add(phase.learning);
  return metrics;
}

// Warns of metrics that say little of the targets.
void warn_of_doubtful_metrics(const RunConfig& config, const TrainingText& text) {
  const MetricOptions options = config.train.validation.metric_options();
  Lines lines;
  for_first_lines(text.parts().front().sides.back(), [&](const std::string& line) {
    if (is_utf8(line)) lines.push_back(line);
  });
  for (const auto& [key, names] : metrics_of(config)) {
    std::map<std::string, std::set<std::string>> caveats;  // by what is said
    for (const std::string& name : names) {
      const std::string caveat = make_metric(name, options)->caveat({}, {lines});
      if (!caveat.empty()) caveats[caveat].insert(name);
    }
    for (const auto& [caveat, own] : caveats)
      spdlog::warn("{}, {} of the targets of {}: {}", key, fmt::join(own, ", "),
                   text.parts().front().name, caveat);
  }
}

void warn_of_unknown_tokens(const std::string& name, const TextPart& part, size_t side,
                            const Codec& codec) {
  int64_t tokens = 0, unknown = 0;
  for_first_lines(part.sides[side], [&](const std::string& line) {
    const Ids ids = codec.encode(line);
    tokens += std::ssize(ids);
    unknown += std::ranges::count(ids, kUnknown);
  });
  if (2 * unknown > tokens)
    spdlog::warn(
        "text.{}: the vocabulary lacks {:.0f}% of the tokens at the beginning of {}; is it that "
        "of another side, language or tokenization?",
        name, 100.0 * static_cast<double>(unknown) / static_cast<double>(tokens), part.name);
}

}  // namespace

void warn_of_data(const RunConfig& config, const RunFiles& files, const TrainingText& text,
                  DataCache& cache) {
  const CorpusFindings findings = cached_checks(text, checks_of(config, files), cache);
  for (const std::string& warning : findings.warnings) spdlog::warn("{}", warning);
  warn_of_doubtful_metrics(config, text);
  findings.certain.require(config.data.min_kept);
}

void warn_of_unknown_tokens(const RunConfig& config, const TrainingText& text,
                            const Codecs& codecs) {
  const std::vector<std::string> sides = config.data.sides();
  for (const TextPart& part : text.parts()) {
    for (size_t side = 0; side < sides.size(); ++side)
      warn_of_unknown_tokens(sides[side], part, side, *codecs.at(sides[side]));
  }
}

void warn_of_long_lines(const EvaluationSet& set, const Cleaning& cleaning) {
  const auto is_long = [&](const Example& example) {
    return std::ssize(example.target) > cleaning.longest_target() ||
           longest_source(example) > cleaning.longest_source();
  };
  const int64_t count = std::ranges::count_if(set.examples, is_long);
  if (count == 0) return;
  spdlog::warn(
      "{}: {} of {} pairs are longer than {} in training; the longest, {}, has {} tokens; "
      "they are read and scored whole",
      set.name, format_count(count), format_count(std::ssize(set.examples)), limits_of(cleaning),
      set.longest.place, format_count(set.longest.tokens));
}

void check_remaining_pairs(
    const std::vector<std::pair<const DataConfig*, const CorpusReport*>>& phases) {
  std::map<std::string, int64_t> kept;  // by tag
  std::map<std::string, std::string> counts;
  for (const auto& [data, report] : phases) {
    HEED_CHECK(report->corpora.size() == data->train.size());
    for (size_t i = 0; i < data->train.size(); ++i) {
      const CorpusCount& count = report->corpora[i];
      if (count.kept == 0) spdlog::warn("{}: nothing is learned from this corpus", count.text());
      if (const auto& tag = data->train[i].tag) {
        kept[*tag] += count.kept;
        counts[*tag] += (counts[*tag].empty() ? "" : "; ") + count.text();
      }
    }
  }
  for (const auto& [tag, pairs] : kept) {
    if (pairs == 0)
      throw_error(ErrorKind::kData,
                  "data.train: no pair with the tag {} is left ({}), so the model would not learn "
                  "what it means; check the files and data.max_length, or take the tag out",
                  tag, counts[tag]);
  }
}

void warn_of_long_targets(const SearchConfig& search, const PairIndex& index) {
  if (index.sides() < 2) return;  // a language model
  constexpr double kRare = 0.001;
  std::vector<double> ratios;  // that the pairs need for which the limit is too low
  for (PairId pair = 0; pair < index.size(); ++pair) {
    int64_t source = 1;
    for (size_t side = 0; side + 1 < index.sides(); ++side)
      source = std::max(source, index.length(pair, side));
    const int64_t target = index.length(pair, index.sides() - 1);
    if (target > search.max_length(source))
      ratios.push_back(static_cast<double>(target - search.max_length_extra) /
                       static_cast<double>(source));
  }
  const auto rare = static_cast<int64_t>(kRare * static_cast<double>(index.size()));
  if (std::ssize(ratios) <= rare) return;
  std::ranges::nth_element(ratios, ratios.begin() + rare, std::greater<>());
  spdlog::warn(
      "search.max_length_ratio: {:.4g} and search.max_length_extra: {} are too low for {:.3g}% of "
      "the training pairs: translations as long as their targets are cut off; max_length_ratio: "
      "{:.4g} suits {:.4g}% of the pairs",
      search.max_length_ratio, search.max_length_extra,
      100 * static_cast<double>(ratios.size()) / static_cast<double>(index.size()),
      round_up_length_ratio(ratios[static_cast<size_t>(rare)]), 100 * (1 - kRare));
}

void warn_of_lost_labels(const PairEncoder& encoder, const TrainingText& text) {
  const TextPart& part = text.parts().front();
  for (const SourceFactor& factor : encoder.factors) {
    if (factor.whole_line) continue;
    const Tokenizer& tokenizer = encoder.codecs[factor.source]->tokenizer();
    int64_t words = 0, labelled = 0;
    for_first_lines(part.sides[factor.source], [&](const std::string& line) {
      std::set<int64_t> own;
      for (const WordRange& piece : tokenizer.piece_words(line, tokenizer.encode(line)))
        if (!piece.empty()) own.insert(piece.begin);
      words += tokenizer.count_words(line);
      labelled += std::ssize(own);
    });
    if (labelled < words)
      spdlog::warn(
          "data.train.factors.{}: {:.0f}% of the labels at the beginning of {} are not used: a "
          "token that is part of several words has the label of the first; text: characters has "
          "one a character",
          factor.name, 100.0 * static_cast<double>(words - labelled) / static_cast<double>(words),
          part.name);
  }
}

}  // namespace heed
