#include "run/augmentation.h"

#include <algorithm>
#include <map>

#include "base/log.h"
#include "model/model_spec.h"

namespace heed {

namespace {

const TokenizerConfig* tokenizer_of_side(const TextConfigs& text, const std::string& side) {
  if (!text.contains(side)) return nullptr;
  const auto owner = text.find(owner_of(text, side));
  return owner == text.end() ? nullptr : owner->second.tokenizer.get();
}

void check_text(const RunConfig& config, Problems& problems) {
  for (const std::string& side : config.data.sides()) {
    const TokenizerConfig* tokenizer = tokenizer_of_side(config.text, side);
    if (tokenizer == nullptr) continue;
    const std::string key = "text." + owner_of(config.text, side);
    if (tokenizer->marker)
      problems.add("data.augment",
                   fmt::format("knows no markers between sentences, but {} has one: leave `marker` "
                               "or `augment` out",
                               key));
    if (tokenizer->features)
      problems.add("data.augment", fmt::format("knows no features of words, but {} has them: leave "
                                               "`features` or `augment` out",
                                               key));
    if (tokenizer->lower && config.data.augment->changes_case())
      problems.add(
          config.data.augment->upper_case > 0 ? "data.augment.upper_case"
                                              : "data.augment.title_case",
          fmt::format("changes capital letters, but {} is lower-cased: leave one of them out",
                      key));
  }
}

// Tokens of one side in lines that a modifier changed.
struct TokenCount {
  int64_t tokens = 0, unknown = 0;
  void add(const Ids& ids) {
    tokens += std::ssize(ids);
    unknown += std::ranges::count(ids, kUnknown);
  }
  double share() const {
    return tokens == 0 ? 0 : static_cast<double>(unknown) / static_cast<double>(tokens);
  }
};

// Counts by modifier and side, before the change and after it.
using TokenCounts = std::map<std::pair<size_t, size_t>, std::pair<TokenCount, TokenCount>>;

void count_tokens(const Tokens& before, const Tokens& after, ModifierBits changed,
                  TokenCounts& counts) {
  for (size_t modifier = 0; modifier < modifier_names().size(); ++modifier) {
    if ((changed >> modifier & 1) == 0) continue;
    for (size_t side = 0; side < before.ids.size(); ++side) {
      auto& [plain, augmented] = counts[{modifier, side}];
      plain.add(before.ids[side]);
      augmented.add(after.ids[side]);
    }
  }
}

std::vector<std::string> warnings_of(const TokenCounts& counts,
                                     const std::vector<std::string>& sides) {
  constexpr double kMany = 0.02;
  std::vector<std::string> warnings;
  for (const auto& [key, own] : counts) {
    const auto& [plain, augmented] = own;
    if (augmented.share() < kMany + plain.share()) continue;
    const std::string& name = modifier_names()[key.first];
    warnings.push_back(fmt::format(
        "data.augment.{}: {:.0f}% of the tokens of the {} in its lines are outside the vocabulary, "
        "without it {:.0f}%; vocabularies are learned from the text as it is: use sentencepiece "
        "with `byte_fallback: true`, or leave {} out",
        name, 100 * augmented.share(), sides[key.second], 100 * plain.share(), name));
  }
  return warnings;
}

std::vector<PairId> pairs_at_equal_distances(const PairIndex& index) {
  constexpr int64_t kPairs = 4000;
  const int64_t step = std::max<int64_t>(1, index.size() / kPairs);
  std::vector<PairId> pairs;
  for (int64_t pair = 0; pair < index.size(); pair += step)
    pairs.push_back(static_cast<PairId>(pair));
  return pairs;
}

EpochSeed first_epoch(int64_t seed) { return {.seed = static_cast<uint64_t>(seed), .epoch = 0}; }

}  // namespace

AugmentedText survey_augmented(const ParallelCorpus& corpus, const PairEncoder& encoder,
                               const std::vector<std::string>& sides, int64_t seed) {
  const EpochSeed at = first_epoch(seed);
  const std::vector<PairId> pairs = pairs_at_equal_distances(corpus.index());
  const EpochLengths lengths = corpus.measure(at, pairs).lengths;
  const size_t read = std::max<size_t>(1, sides.size() - 1);
  AugmentedText text;
  TokenCounts counts;
  for (const PairId pair : pairs) {
    if (!lengths.is_augmented(pair)) continue;
    for (size_t side = 0; side < read; ++side)
      text.longest_read = std::max(text.longest_read, lengths.length(pair, side));
    if (encoder.copied) continue;  // which may have unknown tokens
    const Augmenter::Result result = corpus.augmented_text(pair, at);
    count_tokens(encoder.tokenize(corpus.text(pair).lines), encoder.tokenize(result.text.lines),
                 result.changed, counts);
  }
  text.warnings = warnings_of(counts, sides);
  return text;
}

void check_augmentation(const RunConfig& config, const Needs& needs, Problems& problems) {
  const DataConfig& data = config.data;
  if (!data.augment || data.train.empty()) return;
  check_text(config, problems);
  if (data.sources().empty() && data.augment->changes_sources_alone())
    problems.add(
        "data.augment",
        "drop, mask and typos change sources, which a language model lacks: leave them out");
  if (data.augment->tags > 0 && !data.has_alignments())
    problems.add("data.augment.tags",
                 "needs `alignment`, the file of a word alignment, in every corpus of data.train");
  if (needs.edges && data.has_edges())
    problems.add("data.augment",
                 "cannot change sentences with `edges`, which count their words: leave one of them "
                 "out");
  if (!data.factors().empty())
    problems.add("data.augment",
                 "cannot change sentences with `factors`, which label their words: leave one of "
                 "them out");
  if (!needs.entries.empty())
    problems.add("data.augment",
                 "cannot change sources with equally many entries, as this model reads them: leave "
                 "it out");
}

std::vector<std::string> augmented_samples(const ParallelCorpus& corpus, int64_t seed,
                                           size_t count) {
  std::vector<std::string> lines;
  const EpochSeed at = first_epoch(seed);
  for (PairId pair = 0; pair < corpus.index().size() && lines.size() < 2 * count; ++pair) {
    if (corpus.measure(at, std::span(&pair, 1)).count.augmented == 0) continue;
    const Augmenter::Result augmented = corpus.augmented_text(pair, at);
    std::vector<std::string> names;
    for (size_t i = 0; i < modifier_names().size(); ++i) {
      if (augmented.changed >> i & 1) names.push_back(modifier_names()[i]);
    }
    lines.push_back(fmt::format("data.augment, {}: {}", fmt::join(names, " + "),
                                fmt::join(corpus.text(pair).lines, " ||| ")));
    lines.push_back(
        fmt::format("  becomes {}", fmt::join(corpus.augmenter().shown(augmented.text), " ||| ")));
  }
  return lines;
}

}  // namespace heed
