#include "data/parallel_corpus.h"

#include <algorithm>

#include "base/error.h"
#include "base/random.h"
#include "data/temperature.h"

namespace heed {

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
  if (temperature == 1) return;
  std::vector<DrawnCorpus> drawn;
  for (size_t i = 0; i < index_.parts().size(); ++i)
    drawn.push_back({index_.parts()[i].count, index_.parts()[i].weight, text_->parts()[i].tag});
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

Example ParallelCorpus::example(PairId pair) const {
  if (!encoded_.complete()) return finished(pair, encode(pair, read(pair)));
  Example example;
  const size_t sources = text_->sides() - 1;
  for (size_t side = 0; side < sources; ++side) example.sources.push_back(encoded_.ids(pair, side));
  example.target = encoded_.ids(pair, sources);
  return finished(pair, std::move(example));
}

Example ParallelCorpus::sampled(PairId pair, uint64_t key) const {
  const Text text = read(pair);
  Tokens best = tokenize(pair, text);
  Tokens drawn = sampling_encoder(key).tokenize(text.lines);
  const bool cuts = cleaning_.too_long == TooLong::kTruncate;
  if (cuts || is_short(drawn)) {
    Example example =
        encoder_.example(text.lines, std::move(drawn), text.annotations, length_limits(cleaning_));
    if (encoder_.can_be_written(example)) return finished(pair, std::move(example));
  }
  return finished(pair, encoder_.example(text.lines, std::move(best), text.annotations,
                                         length_limits(cleaning_)));
}

ParallelCorpus::Text ParallelCorpus::read(PairId pair) const {
  const TextPart& part = text_->parts()[index_.part_of(pair)];
  Text text;
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

Example ParallelCorpus::encode(PairId pair, const Text& text) const {
  return encoder_.example(text.lines, tokenize(pair, text), text.annotations,
                          length_limits(cleaning_));
}

Tokens ParallelCorpus::tokenize(PairId pair, const Text& text) const {
  Tokens tokens = encoder_.tokenize(text.lines);
  const size_t sides = text.lines.size();
  for (size_t side = 0; side < sides; ++side) {
    const int64_t length =
        std::min<int64_t>(std::ssize(tokens.ids[side]), cleaning_.longest(side, sides));
    if (length == index_.length(pair, side)) continue;
    const SideText& changed = text_->parts()[index_.part_of(pair)].sides[side];
    throw_error(ErrorKind::kData, "{}: changed during training; start the run again",
                changed.place(index_.line(pair)));
  }
  return tokens;
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

bool ParallelCorpus::is_short(const Tokens& tokens) const {
  for (size_t side = 0; side < text_->sides(); ++side) {
    if (std::ssize(tokens.ids[side]) > cleaning_.longest(side, text_->sides())) return false;
  }
  return true;
}

}  // namespace heed
