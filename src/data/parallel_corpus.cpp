#include "data/parallel_corpus.h"

#include <algorithm>
#include <thread>

#include "base/error.h"
#include "base/log.h"
#include "base/random.h"
#include "data/temperature.h"

namespace heed {

namespace {

constexpr size_t kRowsAtOnce = 4096;

// Calls work(i) for every i below `count`, shared among threads. What one throws is thrown.
template <class Work>
void share_work(size_t count, int threads, Work work) {
  std::vector<std::exception_ptr> errors(static_cast<size_t>(threads));
  const auto run = [&](size_t first) {
    try {
      for (size_t i = first; i < count; i += errors.size()) work(i);
    } catch (...) {
      errors[first] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;  // joined even where the system allows no more of them
    for (size_t t = 1; t < errors.size(); ++t) others.emplace_back(run, t);
    run(0);
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

LengthLimits length_limits(const Cleaning& cleaning) {
  return {.source = cleaning.longest_source(), .target = cleaning.longest_target()};
}

}  // namespace

// A pair on its way into the index.
struct ParallelCorpus::Row {
  std::vector<std::string> lines;
  std::vector<std::string> annotations;  // a line of each
  std::vector<uint64_t> offsets;
  std::vector<int64_t> lengths;
  Tokens tokens;
  Verdict verdict;

  void measure(const PairEncoder& encoder, const Cleaning& cleaning) {
    verdict = clean_lines(lines, cleaning);
    lengths.assign(lines.size(), 0);
    tokens = {};
    tokens.ids.resize(lines.size());
    tokens.pieces.resize(lines.size());
    std::vector<bool> empty(lines.size(), false);
    for (size_t side = 0; side < lines.size() && verdict.fault == LineFault::kNone; ++side) {
      tokens.ids[side] = encoder.codecs[side]->encode(lines[side], &tokens.pieces[side]);
      lengths[side] = std::ssize(tokens.ids[side]);
      empty[side] = lengths[side] == 0;
      if (lengths[side] > cleaning.longest(side, lines.size()) &&
          cleaning.too_long != TooLong::kTruncate) {
        verdict = {LineFault::kTooLong, side, false};
      }
    }
    const std::optional<size_t> missing = missing_side(empty);
    if (missing && verdict.fault == LineFault::kNone)
      verdict = {LineFault::kEmpty, *missing, false};
    if (verdict.fault == LineFault::kNone && is_uneven(lengths, cleaning))
      verdict = {LineFault::kUneven, lines.size() - 1, false};
  }

  // That the annotations are those of its words, and that the target can be written; its tokens are
  // gone behind it.
  void check(const PairEncoder& encoder, const Cleaning& cleaning, const Annotations& own) {
    if (verdict.fault != LineFault::kNone) return;
    const Example example = encoder.example(lines, std::move(tokens), own, length_limits(cleaning));
    if (!encoder.can_be_written(example))
      verdict = {LineFault::kNotCopied, lines.size() - 1, false};
  }
};

namespace {

// What else to look at where no pair is left.
const char* advice_on(Writes writes) {
  switch (writes) {
    case Writes::kAnything:
      return "";
    case Writes::kCopies:
      return ", and that each token of a target occurs in its source";
    case Writes::kOneCopy:
      return ", and that each target is one token, which occurs in its source";
  }
  return "";
}

}  // namespace

ParallelCorpus::ParallelCorpus(std::shared_ptr<const TrainingText> text, PairEncoder encoder,
                               const Cleaning& cleaning, int threads, size_t most_ids)
    : text_(std::move(text)),
      encoder_(std::move(encoder)),
      cleaning_(cleaning),
      index_(text_->sides(), text_->lines(), text_->annotations()),
      // Annotations are of pieces, and what can be copied are pieces.
      encoded_(text_->sides(), text_->annotations() > 0 || encoder_.copied ? 0 : most_ids) {
  HEED_CHECK(encoder_.codecs.size() == text_->sides() && threads > 0);
  for (const TextPart& part : text_->parts()) index_part(part, threads);
  end_progress();
  if (index_.size() > 0) return;
  throw_error(ErrorKind::kData,
              "no training pair is left: {}; check the files and data.max_length{}",
              report_.lines().back(), advice_on(encoder_.writes));
}

void ParallelCorpus::index_part(const TextPart& part, int threads) {
  index_.begin_part(part.weight);
  CorpusCount& count = report_.corpora.emplace_back();
  count.name = part.name;
  count.weight = part.weight;
  // What is checked has no place in encoded_.
  const bool is_checked = text_->annotations() > 0 || encoder_.writes != Writes::kAnything;
  PairReader reader(part);
  std::vector<Row> rows(kRowsAtOnce);
  for (size_t filled = kRowsAtOnce; filled == kRowsAtOnce;) {
    const int64_t first_line = count.pairs;
    for (filled = 0; filled < kRowsAtOnce && reader.next(); ++filled) {
      rows[filled].lines.swap(reader.lines);
      rows[filled].annotations.swap(reader.annotations);
      reader.annotations.resize(text_->annotations());
      rows[filled].offsets = reader.offsets;
      reader.lines.resize(part.sides.size());
    }
    share_work(filled, threads, [&](size_t i) {
      rows[i].measure(encoder_, cleaning_);
      if (!is_checked) return;
      const Annotations own =
          part.annotate(std::move(rows[i].annotations), first_line + static_cast<int64_t>(i));
      rows[i].check(encoder_, cleaning_, own);
    });
    for (size_t i = 0; i < filled; ++i) {
      take(rows[i], count, first_line + static_cast<int64_t>(i));
    }
    show_progress(fmt::format("indexing {}: {} of {} pairs", part.name, format_count(count.pairs),
                              format_count(part.lines())));
  }
}

void ParallelCorpus::take(const Row& row, CorpusCount& count, int64_t line) {
  ++count.pairs;
  if (row.verdict.fault != LineFault::kNone) {
    const SideText& side = text_->parts()[report_.corpora.size() - 1].sides[row.verdict.side];
    enforce(row.verdict, cleaning_, row.lines.size(), side.place(line));
    count.leave_out(row.verdict.fault);
    return;
  }
  ++count.kept;
  count.repaired += row.verdict.repaired;
  std::vector<int64_t> lengths = row.lengths;
  for (size_t s = 0; s < lengths.size(); ++s)
    lengths[s] = std::min(lengths[s], cleaning_.longest(s, lengths.size()));
  count.truncated += lengths != row.lengths;
  index_.append(line, row.offsets, lengths);
  encoded_.append(row.tokens.ids, lengths);
}

void ParallelCorpus::temper(double temperature) {
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

void ParallelCorpus::regularize(const SubwordRegularization& how,
                                const std::vector<size_t>& sides) {
  sampling_ = {how, sides};
  encoded_ = EncodedText(text_->sides(), 0);
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
  if ((cuts || is_short(drawn)) && encoder_.has_words(text.lines, drawn, text.annotations)) {
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
    const int64_t length = std::min(std::ssize(tokens.ids[side]), cleaning_.longest(side, sides));
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
