#include "cli/tensors/data_warnings.h"

#include "base/log.h"
#include "base/unspaced.h"
#include "base/utf8.h"
#include "data/cached_checks.h"
#include "data/evaluation_set.h"
#include "metric/bleu_tokenizers.h"

namespace heed {

namespace {

bool tabs_expected(const TextConfigs& text, const std::string& side) {
  const auto& tokenizer = text.at(owner_of(text, side)).tokenizer;
  return tokenizer->marker && tokenizer->marker->find('\t') != std::string::npos;
}

CorpusChecks checks_of(const RunConfig& config) {
  CorpusChecks checks;
  const auto compare = [&](const std::string& name, const EvaluationConfig& set) {
    checks.sets.push_back({name, find_evaluation_files(config.data.root({}), set)});
  };
  const std::vector<EvaluationConfig>& valid = config.data.valid;
  for (size_t i = 0; i < valid.size(); ++i)
    compare(valid.size() == 1 ? "valid" : fmt::format("valid[{}]", i), valid[i]);
  for (const auto& [name, set] : config.data.test) compare("test." + name, set);
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

// A metric of words has nothing to count where there are no spaces between them.
void warn_of_unspaced_text(const RunConfig& config, const TrainingText& text) {
  const std::string& tokenize = config.train.validation.tokenize;
  if (!find_bleu_tokenizer(tokenize).needs_spaces) return;
  int64_t lines = 0, unspaced = 0;
  for_first_lines(text.parts().front().sides.back(), [&](const std::string& line) {
    ++lines;
    unspaced += is_utf8(line) && count_scripts(line).is_unspaced();
  });
  if (2 * unspaced > lines)
    spdlog::warn(
        "train.validate.tokenize: {}, but the targets of {} have no spaces between words: zh, char "
        "or ja-mecab",
        tokenize, text.parts().front().name);
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

CorpusReport warn_of_data(const RunConfig& config, const TrainingText& text, DataCache& cache) {
  const CorpusFindings findings = cached_checks(text, checks_of(config), cache);
  for (const std::string& warning : findings.warnings) spdlog::warn("{}", warning);
  warn_of_unspaced_text(config, text);
  findings.certain.require(config.data.min_kept);
  return findings.certain;
}

void warn_of_unknown_tokens(const RunConfig& config, const TrainingText& text,
                            const Codecs& codecs) {
  const std::vector<std::string> sides = config.data.sides();
  for (const TextPart& part : text.parts()) {
    for (size_t side = 0; side < sides.size(); ++side)
      warn_of_unknown_tokens(sides[side], part, side, *codecs.at(sides[side]));
  }
}

void check_evaluation_sets(const RunConfig& config) {
  for (const ComparedSet& set : checks_of(config).sets) read_sides(set.files);
}

}  // namespace heed
