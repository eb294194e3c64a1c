#include "data/parallel_corpus.h"

#include <algorithm>

#include "base/error.h"
#include "base/language_code.h"
#include "base/random.h"
#include "data/share_work.h"
#include "data/source_facts.h"
#include "data/temperature.h"

namespace heed {

namespace {

// Language of each side: that of its name or files, or the tag of a target.
Augmenter::Languages languages_of(const TextPart& part, const std::vector<std::string>& sides) {
  Augmenter::Languages languages;
  for (size_t side = 0; side < sides.size(); ++side)
    languages.push_back(language_of_side(part, side, sides[side]));
  if (languages.back().empty() && part.tag) languages.back() = language_code(*part.tag);
  return languages;
}

// Makes each token of masked words unknown. A token of other words, too, stays.
void apply_mask(const PairEncoder& encoder, const PairLines& text, Tokens& tokens) {
  for (size_t side = 0; side < text.masked.size(); ++side) {
    const std::vector<size_t>& masked = text.masked[side];
    if (masked.empty()) continue;
    const PieceWords words =
        encoder.codecs[side]->tokenizer().piece_words(text.lines[side], tokens.pieces[side]);
    for (size_t p = 0; p < words.size(); ++p) {
      bool all = !words[p].empty();
      for (int64_t word = words[p].begin; word < words[p].end; ++word)
        all = all && std::ranges::binary_search(masked, static_cast<size_t>(word));
      if (all) tokens.ids[side][p] = kUnknown;
    }
  }
}

}  // namespace

ParallelCorpus::ParallelCorpus(std::shared_ptr<const TrainingText> text, PairEncoder encoder,
                               const Cleaning& cleaning, CorpusIndex index)
    : text_(std::move(text)),
      encoder_(std::move(encoder)),
      cleaning_(cleaning),
      index_(std::move(index.pairs)),
      encoded_(std::move(index.ids)),
      report_(std::move(index.report)) {
  HEED_CHECK(encoder_.codecs.size() == text_->sides());
}

ParallelCorpus::ParallelCorpus(const std::shared_ptr<const TrainingText>& text,
                               const PairEncoder& encoder, const Cleaning& cleaning)
    : ParallelCorpus(text, encoder, cleaning,
                     index_text({.text = *text, .encoder = encoder, .cleaning = cleaning})) {}

void ParallelCorpus::sample_by_temperature(double temperature) {
  std::vector<DrawnCorpus> drawn;
  bool has_shares = false;
  for (size_t i = 0; i < index_.parts().size(); ++i) {
    const TextPart& text = text_->parts()[i];
    drawn.push_back({index_.parts()[i].count, index_.parts()[i].weight, text.tag, text.share});
    has_shares = has_shares || text.share;
  }
  if (temperature == 1 && !has_shares) return;
  const std::vector<double> weights = tempered_weights(drawn, temperature);
  index_.reweigh(weights);
  double epoch = 0;  // in pairs
  for (size_t i = 0; i < weights.size(); ++i)
    epoch += weights[i] * static_cast<double>(drawn[i].pairs);
  for (size_t i = 0; i < weights.size(); ++i) {
    report_.corpora[i].weight = weights[i];
    report_.corpora[i].fraction = weights[i] * static_cast<double>(drawn[i].pairs) / epoch;
  }
}

void ParallelCorpus::regularize(const SubwordRegularizationConfig& how,
                                const std::vector<size_t>& sides) {
  sampling_ = {how, sides};
  encoded_ = {};
}

void ParallelCorpus::augment(const AugmentConfig& how, const std::vector<std::string>& sides,
                             int threads) {
  std::vector<Augmenter::Languages> languages;
  for (const TextPart& part : text_->parts()) languages.push_back(languages_of(part, sides));
  augmenter_.emplace(how, encoder_.codecs, encoder_.aligned, std::move(languages));
  threads_ = threads;
}

Example ParallelCorpus::example(PairId pair) const {
  if (!encoded_.complete()) {
    const PairLines lines = text(pair);
    Tokens tokens = tokenize(pair, lines, EpochLengths(index_));
    return finished(pair, encode(lines, std::move(tokens)));
  }
  Example example;
  const size_t sources = text_->sides() - 1;
  for (size_t side = 0; side < sources; ++side) example.sources.push_back(encoded_.ids(pair, side));
  example.target = encoded_.ids(pair, sources);
  return finished(pair, std::move(example));
}

Example ParallelCorpus::sampled(PairId pair, uint64_t key) const {
  const PairLines lines = text(pair);
  return finished(pair, segmented(lines, tokenize(pair, lines, EpochLengths(index_)), key));
}

AugmentedEpoch ParallelCorpus::measure(const EpochSeed& at, std::span<const PairId> pairs) const {
  AugmentedEpoch epoch{.lengths = EpochLengths(index_)};
  std::vector<PairId> drawn;
  std::ranges::copy_if(pairs, std::back_inserter(drawn), [&](PairId pair) {
    return text_->parts()[index_.part_of(pair)].augment && augmenter_->drawn(pair, at) != 0;
  });
  std::ranges::sort(drawn);
  struct Measured {
    ModifierBits changed = 0;
    std::vector<int64_t> lengths{};  // empty: does not fit
  };
  std::vector<Measured> measured(drawn.size());
  const auto is_first = [&](size_t i) { return i == 0 || drawn[i - 1] != drawn[i]; };
  share_work(drawn.size(), threads_, [&](size_t i) {
    if (!is_first(i)) return;
    const Augmenter::Result result = augmented_text(drawn[i], at);
    measured[i].changed = result.changed;
    if (result.changed != 0) measured[i].lengths = lengths_of(result.text);
  });
  epoch.count.pairs = std::ssize(pairs);
  epoch.count.by_modifier.resize(modifier_names().size());
  for (size_t i = 0; i < drawn.size(); ++i) {
    if (!is_first(i)) measured[i] = measured[i - 1];
    const auto& [changed, lengths] = measured[i];
    if (changed == 0) continue;
    if (lengths.empty()) {
      ++epoch.count.unfit;
      continue;
    }
    if (is_first(i)) epoch.lengths.add(drawn[i], lengths);
    ++epoch.count.augmented;
    for (size_t m = 0; m < epoch.count.by_modifier.size(); ++m)
      epoch.count.by_modifier[m] += changed >> m & 1;
  }
  return epoch;
}

Example ParallelCorpus::augmented(PairId pair, const EpochSeed& at, const EpochLengths& lengths,
                                  uint64_t key) const {
  const PairLines lines = augmented_text(pair, at).text;
  Tokens tokens = tokenize(pair, lines, lengths);
  if (is_sampled()) return finished(pair, segmented(lines, std::move(tokens), key));
  return finished(pair, encode(lines, std::move(tokens)));
}

Augmenter::Result ParallelCorpus::augmented_text(PairId pair, const EpochSeed& at) const {
  const size_t part = index_.part_of(pair);
  return augmenter_.value().augment(pair, at, part, index_.parts()[part],
                                    [this](PairId other) { return text(other); });
}

PairLines ParallelCorpus::text(PairId pair) const {
  const TextPart& part = text_->parts()[index_.part_of(pair)];
  PairLines text;
  for (size_t side = 0; side < part.sides.size(); ++side) {
    text.lines.push_back(part.sides[side].line(index_.offset(pair, side)));
    repair(text.lines.back());
  }
  std::vector<std::string> lines;
  for (const SideText* annotation : part.annotations())
    lines.push_back(annotation->line(index_.annotation(pair, lines.size())));
  text.annotations = part.annotate(std::move(lines), index_.line(pair));
  return text;
}

Tokens ParallelCorpus::tokenize(PairId pair, const PairLines& text,
                                const EpochLengths& lengths) const {
  Tokens tokens = encoder_.tokenize(text.lines);
  const size_t sides = text.lines.size();
  for (size_t side = 0; side < sides; ++side) {
    const int64_t length =
        std::min<int64_t>(std::ssize(tokens.ids[side]), cleaning_.longest(side, sides));
    if (length == lengths.length(pair, side)) continue;
    const SideText& changed = text_->parts()[index_.part_of(pair)].sides[side];
    throw_error(ErrorKind::kData, "{}: changed during training; start the run again",
                changed.place(index_.line(pair)));
  }
  return tokens;
}

Example ParallelCorpus::encode(const PairLines& text, Tokens tokens) const {
  apply_mask(encoder_, text, tokens);
  return encoder_.example(text.lines, std::move(tokens), text.annotations,
                          length_limits(cleaning_));
}

Example ParallelCorpus::segmented(const PairLines& text, Tokens best, uint64_t key) const {
  Tokens drawn = sampling_encoder(key).tokenize(text.lines);
  const bool cuts = cleaning_.too_long == TooLong::kTruncate;
  if (cuts || is_short(drawn)) {
    Example example = encode(text, std::move(drawn));
    if (encoder_.can_be_written(example)) return example;
  }
  return encode(text, std::move(best));
}

Example ParallelCorpus::finished(PairId pair, Example example) const {
  const TextPart& part = text_->parts()[index_.part_of(pair)];
  example.index = index_.line(pair);
  if (!encoder_.entries.empty())
    check_entries(encoder_.entries, example.sources, part.sides[0].place(example.index));
  if (part.tag) example.tag = tag_number(encoder_.tags, *part.tag, part.name);
  return example;
}

PairEncoder ParallelCorpus::sampling_encoder(uint64_t key) const {
  PairEncoder encoder = encoder_;
  for (const size_t side : sampling_->sides)
    encoder.codecs[side] = heed::sampled(encoder_.codecs[side], sampling_->how,
                                         stream_key(key, "subword regularization", side));
  return encoder;
}

std::vector<int64_t> ParallelCorpus::lengths_of(const PairLines& text) const {
  Tokens tokens = encoder_.tokenize(text.lines);
  std::vector<int64_t> lengths;
  std::vector<bool> empty;
  for (const Ids& ids : tokens.ids) {
    lengths.push_back(std::ssize(ids));
    empty.push_back(ids.empty());
  }
  if (!is_short(tokens) || missing_side(empty) || is_uneven(lengths, cleaning_)) return {};
  if (encoder_.writes == WritableTargets::kAnything) return lengths;
  return encoder_.can_be_written(encode(text, std::move(tokens))) ? lengths
                                                                  : std::vector<int64_t>();
}

bool ParallelCorpus::is_short(const Tokens& tokens) const {
  for (size_t side = 0; side < text_->sides(); ++side) {
    if (std::ssize(tokens.ids[side]) > cleaning_.longest(side, text_->sides())) return false;
  }
  return true;
}

}  // namespace heed
