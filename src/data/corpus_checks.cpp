#include "data/corpus_checks.h"

#include <algorithm>

#include "base/encoding.h"
#include "base/error.h"
#include "base/log.h"
#include "base/utf8.h"
#include "data/checks/pair_check.h"
#include "data/column_names.h"

namespace heed {

namespace {

// A line has at least as many tokens as words between spaces.
bool is_too_long(const std::vector<std::string>& lines, const Cleaning& cleaning) {
  if (cleaning.too_long != TooLong::kDrop) return false;
  for (size_t side = 0; side < lines.size(); ++side) {
    if (std::ssize(split_words(lines[side])) > cleaning.longest(side, lines.size())) return true;
  }
  return false;
}

void warn_of_length(CorpusFindings& findings, const Cleaning& cleaning) {
  for (const CorpusCount& count : findings.certain.corpora) {
    if (2 * count.too_long <= count.pairs) continue;
    findings.warnings.push_back(fmt::format(
        "{}: {} of {} pairs have more words than {}, and are left out; raise it, or "
        "split the lines",
        count.name, format_count(count.too_long), format_count(count.pairs), limits_of(cleaning)));
  }
}

// Repairs the lines where that is the policy.
LineFault certain_fault(PairReader& reader, const Cleaning& cleaning) {
  const LineFault fault = reader.clean(cleaning).fault;
  if (fault != LineFault::kNone) return fault;
  return is_too_long(reader.lines, cleaning) ? LineFault::kTooLong : LineFault::kNone;
}

// A header that is read as a pair, because its columns are given by their numbers.
void warn_of_header(const PairReader& reader, const TextPart& part,
                    std::vector<std::string>& warnings) {
  if (part.sides.front().view().form != TextView::Form::kTsv ||
      part.sides.front().view().has_header() || !are_column_names(reader.lines))
    return;
  warnings.push_back(fmt::format(
      "{}: '{}' look like names of columns, and are read as a pair; if they are names, give the "
      "columns by them: source: {}, target: {}",
      reader.place(0), fmt::join(reader.lines, "', '"), reader.lines.front(), reader.lines.back()));
}

// Rows of a corpus without the text of a side, by the first of them.
struct BadRows {
  int64_t count = 0;
  std::string first{};
  void see(const PairReader& reader) {
    if (reader.bad_row.fault == LineFault::kNone) return;
    if (++count == 1)
      first = fmt::format("{}: {}", reader.place(reader.bad_row.side), reader.bad_row.what);
  }
  void report(int64_t pairs, std::vector<std::string>& warnings) const {
    if (count > 0)
      warnings.push_back(fmt::format("{}; such rows are left out, {} of {}", first,
                                     format_count(count), format_count(pairs)));
  }
};

// Annotations of all corpora that have nothing in any line.
class EmptyAnnotations {
 public:
  explicit EmptyAnnotations(const std::vector<TextPart>& parts) {
    add(parts, &TextPart::edges, "edges are read");
    add(parts, &TextPart::alignment, "word alignments are learned");
    add(parts, &TextPart::supporting_facts, "supporting facts are learned");
  }
  void see(const PairReader& reader) {
    ++lines_;
    for (size_t i = 0; i < kinds_.size(); ++i)
      kinds_[i].has_any = kinds_[i].has_any || !is_blank(reader.annotations[i]);
  }
  void report(std::vector<std::string>& warnings) const {
    for (const Kind& kind : kinds_) {
      if (!kind.has_any)
        warnings.push_back(
            fmt::format("{}: all {} lines are empty, so that no {}; give other "
                        "files, or leave them out",
                        fmt::join(kind.files, ", "), format_count(lines_), kind.use));
    }
  }

 private:
  struct Kind {
    const char* use;
    std::vector<std::string> files{};
    bool has_any = false;
  };
  // In the order of TextPart::annotations().
  void add(const std::vector<TextPart>& parts, std::optional<SideText> TextPart::*text,
           const char* use) {
    if (!(parts.front().*text)) return;
    Kind& kind = kinds_.emplace_back(Kind{use});
    for (const TextPart& part : parts) {
      const SideText& own = *(part.*text);
      for (size_t i = 0; i < own.files(); ++i)
        kind.files.push_back(TextFile{own.path(i), own.view()}.name());
    }
  }

  std::vector<Kind> kinds_;
  int64_t lines_ = 0;
};

// Lines that are malformed UTF-8, of each file of a corpus.
class MalformedFiles {
 public:
  explicit MalformedFiles(const TextPart& part) {
    for (const SideText& side : part.sides) {
      auto& files = sides_.emplace_back();
      for (size_t i = 0; i < side.files(); ++i)
        files.push_back({side.path(i), TextFile{side.path(i), side.view()}.name()});
    }
  }
  void see(const PairReader& reader) {
    for (size_t side = 0; side < sides_.size(); ++side)
      sides_[side]
          .at(reader.file(side))
          .add(reader.bad_row.fault == LineFault::kMalformed || !is_utf8(reader.lines[side]));
  }
  void report(std::vector<std::string>& warnings) const {
    for (const auto& files : sides_)
      for (const MalformedLines& file : files)
        if (file.are_many()) warnings.push_back(file.text());
  }

 private:
  std::vector<std::vector<MalformedLines>> sides_;
};

}  // namespace

CorpusFindings check_corpora(const TrainingText& text, const CorpusChecks& checks) {
  HEED_CHECK(checks.tabs_expected.size() == text.sides());
  const std::vector<TextPart>& parts = text.parts();
  std::vector<std::unique_ptr<PairCheck>> all;
  all.push_back(same_line_check(parts.size()));
  all.push_back(tab_check(parts.size(), checks.tabs_expected));
  all.push_back(shift_check(parts.size(), checks.sets));
  all.push_back(overlap_check(checks.sets));
  all.push_back(swap_check(checks.sets));
  constexpr int64_t kEvery = 100'000;
  CorpusFindings findings;
  EmptyAnnotations annotations(parts);
  for (size_t part = 0; part < parts.size(); ++part) {
    CorpusCount& count = findings.certain.corpora.emplace_back();
    count.name = parts[part].name;
    PairReader reader(parts[part]);
    BadRows bad_rows;
    MalformedFiles malformed(parts[part]);
    for (int64_t number = 1; reader.next(); ++number) {
      if (number == 1) warn_of_header(reader, parts[part], findings.warnings);
      bad_rows.see(reader);
      malformed.see(reader);
      annotations.see(reader);
      if (reader.bad_row.fault == LineFault::kNone)
        for (const auto& check : all) check->see(part, number, reader.lines);
      const LineFault fault = certain_fault(reader, checks.cleaning);
      count.pairs = number;
      count.kept += fault == LineFault::kNone;
      count.leave_out(fault);
      if (number % kEvery == 0)
        show_progress(fmt::format("checking {}: {} of {} pairs", parts[part].name,
                                  format_count(number), format_count(parts[part].lines())));
    }
    bad_rows.report(count.pairs, findings.warnings);
    malformed.report(findings.warnings);
  }
  end_progress();
  annotations.report(findings.warnings);
  for (const auto& check : all) check->report(parts, findings.warnings);
  warn_of_length(findings, checks.cleaning);
  return findings;
}

}  // namespace heed
