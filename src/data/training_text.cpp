#include "data/training_text.h"

#include "base/error.h"
#include "base/log.h"
#include "data/cleaning.h"

namespace heed {

namespace {

void check_lines(const SideText& first, const SideText& side) {
  for (size_t i = 0; i < side.files(); ++i) {
    if (side.lines(i) == first.lines(i)) continue;
    throw_error(ErrorKind::kData,
                "{}: {} lines, but {}: {} lines; line N of one must belong to line N of the other",
                first.path(i).string(), format_count(first.lines(i)), side.path(i).string(),
                format_count(side.lines(i)));
  }
}

TextPart open_part(const CorpusFiles& files, DataCache& cache) {
  TextPart part{.name = files.name,
                .weight = files.weight,
                .sides = {},
                .tag = files.tag,
                .share = files.share,
                .augment = files.augment};
  for (const auto& side : files.sides) part.sides.emplace_back(side, cache);
  for (const SideText& side : part.sides) check_lines(part.sides.front(), side);
  if (!files.edges.empty()) part.edges.emplace(files.edges, cache);
  if (!files.alignment.empty()) part.alignment.emplace(files.alignment, cache);
  if (!files.supporting_facts.empty()) part.supporting_facts.emplace(files.supporting_facts, cache);
  for (const auto& factor : files.factors) part.factors.emplace_back(factor, cache);
  for (const SideText* annotation : part.annotations())
    check_lines(part.sides.front(), *annotation);
  return part;
}

}  // namespace

std::vector<const SideText*> TextPart::annotations() const {
  std::vector<const SideText*> found;
  for (const auto* annotation : {&edges, &alignment, &supporting_facts}) {
    if (*annotation) found.push_back(&**annotation);
  }
  for (const SideText& factor : factors) found.push_back(&factor);
  return found;
}

Annotations TextPart::annotate(std::vector<std::string> lines, int64_t line) const {
  HEED_CHECK(lines.size() == annotations().size(), "{}", name);
  Annotations result;
  size_t next = 0;
  const auto take = [&](const SideText& text) {
    return Annotation{std::move(lines[next++]), text.place(line)};
  };
  if (edges) result.edges = take(*edges);
  if (alignment) result.alignment = take(*alignment);
  if (supporting_facts) result.supporting_facts = take(*supporting_facts);
  for (const SideText& factor : factors) result.factors.push_back(take(factor));
  return result;
}

TrainingText::TrainingText(const std::vector<CorpusFiles>& corpora)
    : TrainingText(corpora, *std::make_unique<DataCache>()) {}

TrainingText::TrainingText(const std::vector<CorpusFiles>& corpora, DataCache& cache) {
  HEED_CHECK(!corpora.empty(), "no training corpus");
  for (const CorpusFiles& files : corpora) parts_.push_back(open_part(files, cache));
  for (const TextPart& part : parts_) {
    HEED_CHECK(part.sides.size() == sides(), "{}: {} sides", part.name, part.sides.size());
    HEED_CHECK(part.annotations().size() == annotations(), "{}", part.name);
    if (part.lines() == 0) {
      throw_error(ErrorKind::kData, "{}: the file is empty", part.sides[0].path(0).string());
    }
  }
}

int64_t TrainingText::lines() const {
  int64_t total = 0;
  for (const TextPart& part : parts_) total += part.lines();
  return total;
}

LineSource TrainingText::side_lines(size_t side, const Cleaning& cleaning) const {
  return clean_lines_of(cleaning, [side](const PairReader& reader) -> const std::string& {
    return reader.lines[side];
  });
}

LineSource TrainingText::factor_lines(size_t factor, const Cleaning& cleaning) const {
  const size_t number = annotations() - parts_.front().factors.size() + factor;
  return clean_lines_of(cleaning, [number](const PairReader& reader) -> const std::string& {
    return reader.annotations[number];
  });
}

LineSource TrainingText::clean_lines_of(
    const Cleaning& cleaning, std::function<const std::string&(const PairReader&)> line) const {
  return [this, cleaning, line](const std::function<void(std::string_view)>& take) {
    for (const TextPart& part : parts_) {
      PairReader reader(part);
      while (reader.next()) {
        const Verdict verdict = reader.clean(cleaning);
        enforce(verdict, cleaning, reader.lines.size(), reader.place(verdict.side));
        if (verdict.fault == LineFault::kNone) take(line(reader));
      }
    }
  };
}

PairReader::PairReader(const TextPart& part)
    : lines(part.sides.size()),
      annotations(part.annotations().size()),
      offsets(part.sides.size() + annotations.size()) {
  for (const SideText& side : part.sides) readers_.emplace_back(side);
  for (const SideText* annotation : part.annotations()) readers_.emplace_back(*annotation);
}

bool PairReader::next() {
  size_t found = 0;
  bad_row = {};
  joined = false;
  for (size_t side = 0; side < readers_.size(); ++side) {
    std::string& line = side < lines.size() ? lines[side] : annotations[side - lines.size()];
    found += readers_[side].next(line, offsets[side]);
    if (found > side) note(side);
  }
  HEED_CHECK(found == 0 || found == readers_.size(), "sides of different length");
  return found > 0;
}

// Takes over the notes on the line of a side. Annotations lie in the file of the first side.
void PairReader::note(size_t side) {
  const LineNotes& notes = readers_[side].notes();
  joined = joined || notes.joined;
  if (notes.fault.empty() || !bad_row.what.empty()) return;
  bad_row = {.fault = notes.malformed ? LineFault::kMalformed : LineFault::kBadRow,
             .side = side < lines.size() ? side : 0,
             .what = notes.fault};
}

Verdict PairReader::clean(const Cleaning& cleaning) {
  return bad_row.fault == LineFault::kNone ? clean_lines(lines, cleaning) : bad_row;
}

}  // namespace heed
