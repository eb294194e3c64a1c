#include "run/augmentation.h"

#include <algorithm>
#include <bit>
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

// Adds problems at the keys that do not fit, so that each of them is shown.
void check_text(const RunConfig& config, Problems& problems) {
  for (const std::string& side : config.data.sides()) {
    const TokenizerConfig* tokenizer = tokenizer_of_side(config.text, side);
    if (tokenizer == nullptr) continue;
    const std::string key = "text." + owner_of(config.text, side);
    if (tokenizer->marker)
      problems.add(key + ".marker",
                   "data.augment cannot change lines with a marker between sentences: leave one of "
                   "them out");
    if (tokenizer->features)
      problems.add(key + ".features",
                   "data.augment cannot change words with features: leave one of them out");
    if (!tokenizer->lower) continue;
    for (const auto& [name, probability] :
         {std::pair{"upper_case", config.data.augment->upper_case},
          std::pair{"title_case", config.data.augment->title_case}}) {
      if (probability > 0)
        problems.add(fmt::format("data.augment.{}", name),
                     fmt::format("writes capital letters, but {} is lower-cased: leave one of them "
                                 "out",
                                 key));
    }
  }
}

// Refuses changes of sources if there are none.
void check_sources(const DataConfig& data, Problems& problems) {
  if (!data.sources().empty()) return;
  const AugmentConfig& augment = *data.augment;
  for (const auto& [name, change] :
       {std::pair{"drop", &augment.drop}, std::pair{"mask", &augment.mask},
        std::pair{"typos", &augment.typos}}) {
    if (*change)
      problems.add(fmt::format("data.augment.{}", name),
                   "changes sources, which a language model lacks: leave it out");
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

// Before the changes and after them.
struct ChangedTokens {
  TokenCount plain, augmented;
};
// Counts by the modifiers that changed a line, then by side.
using TokenCounts = std::map<ModifierBits, std::vector<ChangedTokens>>;

std::string names_of(ModifierBits changed) {
  std::vector<std::string> names;
  for (size_t i = 0; i < modifier_names().size(); ++i) {
    if (changed >> i & 1) names.push_back(modifier_names()[i]);
  }
  return fmt::format("{}", fmt::join(names, " + "));
}

// Names modifiers together only if each of them by itself writes known tokens.
std::vector<std::string> warnings_of(const TokenCounts& counts,
                                     const std::vector<std::string>& sides) {
  constexpr double kMany = 0.02;
  std::vector<ModifierBits> order, warned;
  for (const auto& [changed, unused] : counts) order.push_back(changed);
  std::ranges::stable_sort(order, {}, [](ModifierBits bits) { return std::popcount(bits); });
  std::vector<std::string> warnings;
  for (const ModifierBits changed : order) {
    const auto is_named = [&](ModifierBits known) { return (known & changed) == known; };
    if (std::ranges::any_of(warned, is_named)) continue;
    std::vector<std::string> shares;
    for (size_t side = 0; side < sides.size(); ++side) {
      const auto& [plain, augmented] = counts.at(changed)[side];
      if (augmented.share() >= kMany + plain.share())
        shares.push_back(fmt::format("{:.0f}% of the {}, {:.0f}% without it",
                                     100 * augmented.share(), sides[side], 100 * plain.share()));
    }
    if (shares.empty()) continue;
    warned.push_back(changed);
    warnings.push_back(fmt::format(
        "data.augment, {}: tokens of its lines are outside the vocabulary ({}); vocabularies are "
        "learned from the text as it is: use sentencepiece with `byte_fallback: true`, or leave it "
        "out",
        names_of(changed), fmt::join(shares, "; ")));
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
    const Tokens before = encoder.tokenize(corpus.text(pair).lines);
    const Tokens after = encoder.tokenize(result.text.lines);
    std::vector<ChangedTokens>& own = counts[result.changed];
    own.resize(sides.size());
    for (size_t side = 0; side < sides.size(); ++side) {
      own[side].plain.add(before.ids[side]);
      own[side].augmented.add(after.ids[side]);
    }
  }
  text.warnings = warnings_of(counts, sides);
  return text;
}

void check_augmentation(const RunConfig& config, const Needs& needs, Problems& problems) {
  const DataConfig& data = config.data;
  if (!data.augment || data.train.empty()) return;
  check_text(config, problems);
  check_sources(data, problems);
  if (data.augment->tags > 0 && !data.has_alignments())
    problems.add("data.augment.tags",
                 "needs `alignment`, the file of a word alignment, in every corpus of data.train");
  if (needs.edges && data.has_edges())
    problems.add("data.train[0].edges",
                 "data.augment cannot change sentences whose words have edges: leave one of them "
                 "out");
  if (!data.factors().empty())
    problems.add("data.train[0].factors",
                 "data.augment cannot change sentences whose words have labels: leave one of them "
                 "out");
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
    lines.push_back(fmt::format("data.augment, {}: {}", names_of(augmented.changed),
                                fmt::join(corpus.text(pair).lines, " ||| ")));
    lines.push_back(
        fmt::format("  becomes {}", fmt::join(corpus.augmenter().shown(augmented.text), " ||| ")));
  }
  return lines;
}

}  // namespace heed
