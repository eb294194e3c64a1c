#include "data/augment/augmenter.h"

#include "base/error.h"
#include "base/utf8.h"
#include "base/word_pair.h"

namespace heed {

namespace {

constexpr const char* kJoin = "join";
constexpr ModifierBits kJoinBit = 1;

ModifierBits bit_of(size_t modifier) { return ModifierBits{2} << modifier; }

uint64_t pair_key(PairId pair, const EpochSeed& at) {
  return stream_key(at.seed, "augment", at.epoch, pair);
}

// The links of a line `i-j …` that was read before; nullopt if a word is missing.
std::optional<WordLinks> links_of(const std::string& line, size_t sources, size_t targets) {
  WordLinks links;
  for (const std::string& word : split_words(line)) {
    const auto pair = parse_word_pair(word);
    if (!pair) return std::nullopt;
    const auto source = static_cast<size_t>(pair->first),
               target = static_cast<size_t>(pair->second);
    if (source >= sources || target >= targets) return std::nullopt;
    links.emplace_back(source, target);
  }
  return links;
}

}  // namespace

const std::vector<std::string>& modifier_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = {kJoin};
    for (const Modifier& modifier : kModifiers) all.emplace_back(modifier.name);
    return all;
  }();
  return names;
}

Augmenter::Augmenter(const AugmentConfig& config, std::vector<std::shared_ptr<const Codec>> codecs,
                     size_t aligned, std::vector<Languages> languages)
    : config_(config),
      codecs_(std::move(codecs)),
      aligned_(aligned),
      languages_(std::move(languages)) {}

ModifierBits Augmenter::drawn(PairId pair, const EpochSeed& at) const {
  const uint64_t key = pair_key(pair, at);
  const auto is_drawn = [&](const char* name, double probability) {
    return probability > 0 && RandomStream(stream_key(key, name)).uniform() < probability;
  };
  ModifierBits bits = 0;
  if (config_.join && is_drawn(kJoin, config_.join->probability)) bits |= kJoinBit;
  for (size_t i = 0; i < kModifiers.size(); ++i) {
    if (is_drawn(kModifiers[i].name, kModifiers[i].probability(config_))) bits |= bit_of(i);
  }
  return bits;
}

Augmenter::Result Augmenter::augment(PairId pair, const EpochSeed& at, size_t number,
                                     const IndexPart& part, const Read& read) const {
  const ModifierBits bits = drawn(pair, at);
  Result result{.text = read(pair)};
  if (bits == 0) return result;
  std::optional<AugmentedPair> words = words_of(result.text, number);
  if (!words) return result;
  // The first number of each stream has drawn the modifier.
  const auto draws_of = [&](const char* name) {
    RandomStream draws(stream_key(pair_key(pair, at), name));
    draws.next();
    return draws;
  };
  ModifierBits changed = 0;
  if (bits & kJoinBit) {
    RandomStream draws = draws_of(kJoin);
    if (join(*words, pair, draws, number, part, read)) changed |= kJoinBit;
  }
  for (size_t i = 0; i < kModifiers.size(); ++i) {
    if ((bits & bit_of(i)) == 0) continue;
    RandomStream draws = draws_of(kModifiers[i].name);
    if (kModifiers[i].change(*words, config_, draws)) changed |= bit_of(i);
  }
  if (changed == 0) return result;
  for (size_t side = 0; side < words->sides.size(); ++side) {
    result.text.lines[side] = words->sides[side].text();
    result.text.masked.push_back(words->sides[side].masked_words());
  }
  if (words->links) result.text.annotations.alignment->line = words->links_line();
  result.changed = changed;
  return result;
}

std::optional<AugmentedPair> Augmenter::words_of(const PairLines& text, size_t part) const {
  AugmentedPair pair{.sides = {}, .aligned = aligned_};
  for (size_t side = 0; side < text.lines.size(); ++side)
    pair.sides.emplace_back(text.lines[side], codecs_[side]->tokenizer().word_unit(),
                            languages_.at(part).at(side));
  const auto& alignment = text.annotations.alignment;
  if (!alignment && !config_.mask) return pair;
  for (size_t side = 0; side < text.lines.size(); ++side) {
    const int64_t words = codecs_[side]->tokenizer().count_words(text.lines[side]);
    if (words != std::ssize(pair.sides[side].words)) return std::nullopt;
  }
  if (!alignment) return pair;
  pair.links =
      links_of(alignment->line, pair.sides[aligned_].words.size(), pair.sides.back().words.size());
  if (!pair.links) return std::nullopt;
  return pair;
}

std::vector<std::string> Augmenter::shown(const PairLines& text) const {
  std::vector<std::string> lines = text.lines;
  for (size_t side = 0; side < text.masked.size(); ++side) {
    WordLine line(lines[side], codecs_[side]->tokenizer().word_unit(), "");
    for (const size_t word : text.masked[side]) line.words.at(word).text = kUnknownPiece;
    lines[side] = line.text();
  }
  return lines;
}

bool Augmenter::join(AugmentedPair& pair, PairId id, RandomStream& draws, size_t number,
                     const IndexPart& part, const Read& read) const {
  if (part.count < 2) return false;
  const uint64_t others = 1 + draws.below(static_cast<uint64_t>(config_.join->sentences) - 1);
  bool changed = false;
  for (uint64_t i = 0; i < others; ++i) {
    PairId other = part.first + static_cast<PairId>(draws.below(part.count - 1));
    if (other >= id) ++other;
    const std::optional<AugmentedPair> next = words_of(read(other), number);
    if (next && join_pairs(pair, *next)) changed = true;
  }
  return changed;
}

}  // namespace heed
