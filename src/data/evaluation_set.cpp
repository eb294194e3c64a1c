#include "data/evaluation_set.h"

#include <algorithm>

#include "base/encoding.h"
#include "base/error.h"
#include "base/log.h"
#include "base/utf8.h"
#include "data/cleaning.h"
#include "data/text_reader.h"

namespace heed {

namespace {

std::string list_paths(const TextFiles& files) {
  const auto& paths = files.paths;
  return paths.size() == 1 ? paths[0].string()
                           : fmt::format("{} and {} more", paths[0].string(), paths.size() - 1);
}

using Lines = std::vector<std::string>;

void check_count(const CorpusFiles& files, const Lines& first, const Lines& lines,
                 const TextFiles& paths) {
  if (lines.size() == first.size()) return;
  throw_error(ErrorKind::kData,
              "{}: {} lines, but {}: {} lines; line N of one must belong to line N of the other",
              list_paths(files.sides[0]), format_count(static_cast<int64_t>(first.size())),
              list_paths(paths), format_count(static_cast<int64_t>(lines.size())));
}

struct AnnotationLines {
  std::string files;  // in messages
  Lines lines;
  Annotation of(size_t i) const { return {lines[i], fmt::format("{}, line {}", files, i + 1)}; }
};

// Reads edges, then factors, if there are any: as many lines as the first side has.
std::vector<AnnotationLines> read_annotations(const CorpusFiles& files, const Lines& first) {
  std::vector<AnnotationLines> found;
  const auto read = [&](const TextFiles& paths) {
    found.push_back({list_paths(paths), read_lines(paths)});
    check_count(files, first, found.back().lines, paths);
  };
  if (!files.edges.empty()) read(files.edges);
  for (const auto& factor : files.factors) read(factor);
  return found;
}

// Annotations of line i.
Annotations annotations_of(const CorpusFiles& files, const std::vector<AnnotationLines>& lines,
                           size_t i) {
  Annotations own;
  const size_t edges = files.edges.empty() ? 0 : 1;
  if (edges == 1) own.edges = lines.front().of(i);
  for (size_t factor = edges; factor < lines.size(); ++factor)
    own.factors.push_back(lines[factor].of(i));
  return own;
}

void leave_out_unwritable(EvaluationSet& set, const CorpusFiles& files,
                          const PairEncoder& encoder) {
  const size_t count = std::erase_if(
      set.examples, [&](const Example& example) { return !encoder.can_be_written(example); });
  if (count == 0) return;
  if (set.examples.empty()) {
    throw_error(ErrorKind::kData,
                "{}, {}: no target can be copied from its source, and the model cannot generate "
                "other tokens; check the files",
                set.name, files.name);
  }
  spdlog::warn(
      "{}, {}: {} of {} targets cannot be copied from their source, and the model cannot generate "
      "other tokens: the loss is that of the others, metrics of translations are of all",
      set.name, files.name, format_count(static_cast<int64_t>(count)),
      format_count(static_cast<int64_t>(set.size())));
}

// Place of line i in the files of a side.
std::string place_of(const TextFiles& files, size_t i) {
  const size_t line = i + 1 + (files.view.has_header() ? 1 : 0);
  return files.paths.size() == 1 ? fmt::format("{}:{}", files.paths[0].string(), line)
                                 : fmt::format("{}, line {}", list_paths(files), i + 1);
}

// "; if many …", where the file has many malformed lines.
std::string advice_on_encoding(const std::filesystem::path& path) {
  const TextEncoding found = find_encoding(path);
  constexpr int64_t kMany = 10;
  return found.malformed < kMany
             ? ""
             : fmt::format("; so have {} lines: {}", format_count(found.malformed),
                           conversion_advice(found, path));
}

// Throws Error(kData) for a line that has no text or malformed UTF-8.
void refuse_bad_line(const TextReader& reader, const std::string& line,
                     const std::filesystem::path& path) {
  if (!reader.notes().fault.empty())
    throw_error(ErrorKind::kData, "{}: {}; correct the line", reader.place(), reader.notes().fault);
  if (!is_utf8(line))
    throw_error(ErrorKind::kData, "{}: malformed UTF-8 at byte {}; correct the line{}",
                reader.place(), find_malformed(line) + 1, advice_on_encoding(path));
}

void warn_of_empty_parts(const EvaluationSet& set, const TextFiles& files, const Lines& lines,
                         const Tokenizer& tokenizer) {
  const auto count = std::ranges::count_if(
      lines, [&](const std::string& line) { return tokenizer.empty_parts(line) > 0; });
  if (count > 0)
    spdlog::warn("{}, {}: {} of {} lines have empty parts between markers, which are left out",
                 set.name, list_paths(files), format_count(count), format_count(std::ssize(lines)));
}

LongestPair find_longest(const std::vector<Example>& examples, const CorpusFiles& files) {
  const auto longest = std::ranges::max_element(examples, {}, longer_side);
  LongestPair found{.tokens = longer_side(*longest), .example = *longest};
  size_t side = 0;
  while (side < longest->sources.size() && std::ssize(longest->sources[side]) < found.tokens)
    ++side;
  found.place = place_of(files.sides[side], static_cast<size_t>(longest->index));
  return found;
}

}  // namespace

CorpusFiles find_evaluation_files(const std::filesystem::path& root,
                                  const EvaluationConfig& config) {
  CorpusConfig corpus;
  corpus.tsv = config.tsv;
  corpus.jsonl = config.jsonl;
  corpus.tmx = config.tmx;
  corpus.source = config.source;
  corpus.target = config.target;
  corpus.edges = config.edges;
  corpus.factors = config.factors;
  corpus.tag = config.tag;
  return find_corpus_files(root, corpus);
}

std::vector<std::string> read_lines(const TextFiles& files) {
  std::vector<std::string> lines;
  int64_t joined = 0;
  for (const std::filesystem::path& path : files.paths) {
    TextReader reader({path, files.view});
    for (std::string line; reader.next(line);) {
      refuse_bad_line(reader, line, path);
      joined += reader.notes().joined;
      lines.push_back(line);
    }
  }
  if (joined > 0)
    spdlog::warn("{}: '{}' of {} lines has line breaks, which are read as spaces",
                 list_paths(files), files.view.key, format_count(joined));
  return lines;
}

std::vector<Lines> read_sides(const CorpusFiles& files) {
  std::vector<Lines> sides;
  for (const auto& side : files.sides) {
    sides.push_back(read_lines(side));
    check_count(files, sides[0], sides.back(), side);
  }
  if (sides[0].empty()) {
    throw_error(ErrorKind::kData, "{}: the file is empty", list_paths(files.sides[0]));
  }
  if (std::ranges::all_of(sides.back(), is_blank))
    throw_error(ErrorKind::kData, "{}: all lines are empty", list_paths(files.sides.back()));
  return sides;
}

EvaluationSet read_parallel(const std::string& name, const CorpusFiles& files,
                            const PairEncoder& encoder) {
  HEED_CHECK(encoder.codecs.size() == files.sides.size());
  std::vector<Lines> sides = read_sides(files);
  const std::vector<AnnotationLines> annotations = read_annotations(files, sides[0]);
  EvaluationSet set;
  set.name = name;
  for (size_t i = 0; i < sides[0].size(); ++i) {
    Lines lines;
    for (const Lines& side : sides) lines.push_back(side[i]);
    set.examples.push_back(encoder.encode(lines, annotations_of(files, annotations, i)));
    set.examples.back().index = static_cast<int64_t>(i);
    check_entries(encoder.entries, set.examples.back().sources, place_of(files.sides[0], i));
    if (files.tag) set.examples.back().tag = tag_number(encoder.tags, *files.tag, name);
  }
  for (size_t side = 0; side < sides.size(); ++side)
    warn_of_empty_parts(set, files.sides[side], sides[side], encoder.codecs[side]->tokenizer());
  const Tokenizer& target = encoder.codecs.back()->tokenizer();
  set.lower_case = target.lowers();
  for (const std::string& line : sides.back()) set.references.push_back(target.written(line));
  leave_out_unwritable(set, files, encoder);
  set.longest = find_longest(set.examples, files);
  sides.pop_back();
  set.sources = std::move(sides);
  for (const AnnotationLines& annotation : annotations) set.sources.push_back(annotation.lines);
  if (files.tag) set.sources.emplace_back(set.size(), *files.tag);
  return set;
}

EvaluationSet text_of(const EvaluationSet& set, const std::optional<int64_t>& most) {
  const size_t count = most ? std::min(set.size(), static_cast<size_t>(*most)) : set.size();
  const auto spread = [&](const Lines& all) {
    Lines some;
    for (size_t i = 0; i < count; ++i) some.push_back(all[i * set.size() / count]);
    return some;
  };
  EvaluationSet text{.name = set.name,
                     .sources = {},
                     .references = spread(set.references),
                     .lower_case = set.lower_case,
                     .examples = {}};
  for (const Lines& source : set.sources) text.sources.push_back(spread(source));
  return text;
}

void append(EvaluationSet& set, EvaluationSet more) {
  const auto take = [](auto& all, auto& some) {
    all.insert(all.end(), std::make_move_iterator(some.begin()),
               std::make_move_iterator(some.end()));
  };
  HEED_CHECK(set.sources.size() == more.sources.size(), "{} and {}", set.name, more.name);
  for (Example& example : more.examples) example.index += static_cast<int64_t>(set.size());
  if (more.longest.tokens > set.longest.tokens) set.longest = std::move(more.longest);
  for (size_t i = 0; i < set.sources.size(); ++i) take(set.sources[i], more.sources[i]);
  take(set.references, more.references);
  take(set.examples, more.examples);
}

}  // namespace heed
