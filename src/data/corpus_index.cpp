#include "data/corpus_index.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "data/pair_index_builder.h"
#include "data/share_work.h"

namespace heed {

namespace {

constexpr size_t kRowsAtOnce = 4096;

// Pair that is being indexed.
struct Row {
  std::vector<std::string> lines;
  std::vector<std::string> annotations;  // a line of each
  std::vector<uint64_t> offsets;
  std::vector<int64_t> lengths;
  Tokens tokens;
  bool joined = false;     // line breaks inside of a text became spaces
  bool unmarked = false;   // empty parts between markers are left out
  bool facts_cut = false;  // a supporting fact was cut off
  Verdict verdict;         // of the reader, then the final one

  void measure(const PairEncoder& encoder, const Cleaning& cleaning) {
    if (verdict.fault == LineFault::kNone) verdict = clean_lines(lines, cleaning);
    lengths.assign(lines.size(), 0);
    tokens = {};
    tokens.ids.resize(lines.size());
    tokens.pieces.resize(lines.size());
    unmarked = facts_cut = false;
    std::vector<bool> empty(lines.size(), false);
    for (size_t side = 0; side < lines.size() && verdict.fault == LineFault::kNone; ++side) {
      tokens.ids[side] = encoder.codecs[side]->encode(lines[side], &tokens.pieces[side]);
      lengths[side] = std::ssize(tokens.ids[side]);
      empty[side] = lengths[side] == 0;
      unmarked = unmarked || encoder.codecs[side]->tokenizer().empty_parts(lines[side]) > 0;
      if (lengths[side] > cleaning.longest(side, lines.size()) &&
          cleaning.too_long != TooLong::kTruncate) {
        verdict = {.fault = LineFault::kTooLong, .side = side};
      }
    }
    const std::optional<size_t> missing = missing_side(empty);
    if (missing && verdict.fault == LineFault::kNone)
      verdict = {.fault = LineFault::kEmpty, .side = *missing};
    if (verdict.fault == LineFault::kNone && is_uneven(lengths, cleaning))
      verdict = {.fault = LineFault::kUneven, .side = lines.size() - 1};
  }

  // Checks the entries of the sources, which are cut to these lengths.
  void check_source_entries(const PairEncoder& encoder, const Cleaning& cleaning,
                            const std::string& place) const {
    if (verdict.fault != LineFault::kNone) return;
    std::vector<Ids> sources(tokens.ids.begin(), tokens.ids.end() - 1);
    for (Ids& ids : sources)
      ids.resize(std::min(ids.size(), static_cast<size_t>(cleaning.longest_source())));
    check_entries(encoder.entries, sources, place);
  }

  // Checks that the annotations fit the words and that the target can be written. Moves the tokens
  // away.
  void check(const PairEncoder& encoder, const Cleaning& cleaning, const Annotations& own) {
    if (verdict.fault != LineFault::kNone) return;
    const Example example = encoder.example(lines, std::move(tokens), own, length_limits(cleaning));
    facts_cut = example.supporting_facts && example.supporting_facts->lack_some();
    if (!encoder.can_be_written(example))
      verdict = {.fault = LineFault::kNotCopied, .side = lines.size() - 1};
  }
};

// Further advice if no pair is left.
const char* advice_on(WritableTargets writes) {
  switch (writes) {
    case WritableTargets::kAnything:
      return "";
    case WritableTargets::kCopies:
      return ", and that each token of a target occurs in its source";
    case WritableTargets::kOneCopy:
      return ", and that each target is one token, which occurs in its source";
    case WritableTargets::kOneToken:
      return ", and that each target is one token";
  }
  return "";
}

class Indexer {
 public:
  explicit Indexer(const Indexing& all)
      : all_(all),
        pairs_(all.text.sides(), all.text.lines(), all.text.annotations()),
        // Keeps no ids if pairs are checked, which takes the tokens, or if copying needs the pieces.
        ids_(all.text.sides(), checks_pairs() || all.encoder.copied ? 0 : all.most_ids) {}

  CorpusIndex run() {
    for (const TextPart& part : all_.text.parts()) add(part);
    end_progress();
    if (pairs_.size() == 0) {
      throw_error(ErrorKind::kData,
                  "no training pair is left: {}; check the files and data.max_length{}",
                  report_.lines().back(), advice_on(all_.encoder.writes));
    }
    return {pairs_.finish(), ids_.finish(), std::move(report_)};
  }

 private:
  void add(const TextPart& part) {
    pairs_.begin_part(part.weight);
    CorpusCount& count = report_.corpora.emplace_back();
    count.name = part.name;
    count.weight = part.weight;
    PairReader reader(part);
    std::vector<Row> rows(kRowsAtOnce);
    for (size_t filled = kRowsAtOnce; filled == kRowsAtOnce;) {
      const int64_t first_line = count.pairs;
      filled = fill(rows, reader);
      share_work(filled, all_.threads,
                 [&](size_t i) { measure(rows[i], part, first_line + static_cast<int64_t>(i)); });
      for (size_t i = 0; i < filled; ++i) take(rows[i], part, first_line + static_cast<int64_t>(i));
      show_progress(fmt::format("indexing {}: {} of {} pairs", part.name, format_count(count.pairs),
                                format_count(part.lines())));
    }
  }

  // Returns the number of rows that were filled: fewer than all only at the end.
  size_t fill(std::vector<Row>& rows, PairReader& reader) const {
    size_t filled = 0;
    for (; filled < rows.size() && reader.next(); ++filled) {
      rows[filled].lines.swap(reader.lines);
      rows[filled].annotations.swap(reader.annotations);
      rows[filled].offsets = reader.offsets;
      rows[filled].joined = reader.joined;
      rows[filled].verdict = reader.bad_row;
      reader.annotations.resize(all_.text.annotations());
      reader.lines.resize(all_.text.sides());
    }
    return filled;
  }

  void measure(Row& row, const TextPart& part, int64_t line) const {
    row.measure(all_.encoder, all_.cleaning);
    if (!all_.encoder.entries.empty())
      row.check_source_entries(all_.encoder, all_.cleaning, part.sides[0].place(line));
    if (checks_pairs())
      row.check(all_.encoder, all_.cleaning, part.annotate(std::move(row.annotations), line));
  }

  void take(const Row& row, const TextPart& part, int64_t line) {
    CorpusCount& count = report_.corpora.back();
    ++count.pairs;
    if (row.verdict.fault != LineFault::kNone) {
      enforce(row.verdict, all_.cleaning, row.lines.size(),
              part.sides[row.verdict.side].place(line));
      count.leave_out(row.verdict.fault);
      return;
    }
    ++count.kept;
    count.repaired += row.verdict.repaired;
    count.joined += row.joined;
    count.unmarked += row.unmarked;
    count.facts_cut += row.facts_cut;
    std::vector<int64_t> lengths = row.lengths;
    for (size_t s = 0; s < lengths.size(); ++s)
      lengths[s] = std::min(lengths[s], all_.cleaning.longest(s, lengths.size()));
    count.truncated += lengths != row.lengths;
    pairs_.append(line, row.offsets, lengths);
    ids_.append(row.tokens.ids, lengths);
  }

  bool checks_pairs() const {
    return all_.text.annotations() > 0 || all_.encoder.writes != WritableTargets::kAnything;
  }

  const Indexing& all_;
  PairIndexBuilder pairs_;
  EncodedTextBuilder ids_;
  CorpusReport report_;
};

}  // namespace

LengthLimits length_limits(const Cleaning& cleaning) {
  return {.source = cleaning.longest_source(), .target = cleaning.longest_target()};
}

CorpusIndex index_text(const Indexing& all) {
  HEED_CHECK(all.encoder.codecs.size() == all.text.sides() && all.threads > 0);
  return Indexer(all).run();
}

}  // namespace heed
