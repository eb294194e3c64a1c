#include "translate/split_line.h"

#include <algorithm>

#include "base/error.h"
#include "base/line_separators.h"
#include "base/sentences.h"
#include "base/utf8.h"
#include "markup/xml_fault.h"
#include "text/line_language.h"
#include "translate/directions.h"
#include "translate/line_checks.h"

namespace heed {

namespace {

using Sentence = SplitLine::Sentence;
using Views = std::vector<std::string_view>;

bool has_line_break(std::string_view text) { return text.find('\n') != std::string_view::npos; }

Views lines_in(std::string_view text) {
  Views lines;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = without_outer_space(text.substr(begin, end - begin));
    if (!line.empty()) lines.push_back(line);
    begin = end + 1;
  }
  return lines;
}

Views sentences_in(const TextModel& model, std::string_view text) {
  if (!reads_sentences(model)) return lines_in(text);
  static const std::vector<std::string> kNone;
  return split_sentences(text, model.source_language,
                         model.source_lines ? model.source_lines->abbreviations : kNone);
}

// ">>de<<" or ">>en<< >>de<<" if the line begins with such tokens (directions.h) and the vocabulary has
// the first; else "".
std::string language_of(const TextModel& model, std::string_view line) {
  const LineLanguages both = languages_in(model, std::string(line));
  if (!both.target.empty()) return both.source + " " + both.target;
  const size_t end = line.starts_with(">>") ? line.find("<<") : std::string_view::npos;
  if (end == std::string_view::npos) return {};
  const std::string_view piece = line.substr(0, end + 2);
  const bool is_one =
      is_language_piece(piece) && model.aligned_codec().vocabulary().id(piece) != kUnknown;
  return is_one ? std::string(piece) : std::string();
}

// The white space between two views into one text.
std::string between(std::string_view left, std::string_view right) {
  const char* begin = left.data() + left.size();
  return {begin, static_cast<size_t>(right.data() - begin)};
}

// Distributes the sentences of a prefix over the sentences of the line.
std::vector<std::string> divided(const TextModel& model, const std::string& prefix,
                                 size_t sentences) {
  std::vector<std::string> parts(sentences);
  const Views own = split_sentences(prefix, model.target_language);
  for (size_t i = 0; i < std::min(own.size(), sentences); ++i) parts[i] = own[i];
  if (own.size() > sentences)
    parts.back() = without_outer_space(std::string_view(prefix).substr(
        static_cast<size_t>(own[sentences - 1].data() - prefix.data())));
  const std::string language = target_language_in(model, prefix);
  for (size_t i = 1; i < sentences; ++i) parts[i].insert(0, language);
  return parts;
}

SplitLine whole(const SourceLine& line, const std::string& prefix) {
  SplitLine split;
  split.sentences.push_back({.line = line, .prefix = prefix});
  if (!line.empty()) split.sentences.front().text = line.front();
  return split;
}

LineWarning not_split(size_t sentences, const char* why) {
  return {WarningKind::kNotSplit, fmt::format("several sentences are translated as one, {}", why),
          fmt::format("{} sentences", sentences)};
}

// A line of several sentences.
SplitLine left_whole(SourceLine line, const std::string& prefix, size_t sentences) {
  line.front() = on_one_line(std::move(line.front()));
  SplitLine split = whole(line, prefix);
  split.warnings.push_back(
      not_split(sentences, "because phrases are required; give each sentence a separate line"));
  return split;
}

// The line as it is, with a warning if the model leaves out sentences of such a line.
SplitLine unsplit(const TextModel& model, const SourceLine& line, const std::string& prefix) {
  SplitLine split = whole(line, prefix);
  if (!can_split(model) || !model.source_lines || !model.source_lines->has_single_sentences())
    return split;
  if (const size_t count = sentences_in(model, line.front()).size(); count > 1)
    split.warnings.push_back(not_split(count,
                                       "as few lines of the training have several: some may be "
                                       "left out; --split translates each by itself"));
  return split;
}

SplitLine split_text(const TextModel& model, const LineOptions& options, const SourceLine& line,
                     const std::string& prefix, bool has_phrases) {
  if (!options.split || !can_split(model)) return unsplit(model, line, prefix);
  const Views texts = sentences_in(model, line.front());
  if (texts.size() < 2 && !has_line_break(line.front())) return whole(line, prefix);
  if (texts.empty()) return whole(line, prefix);
  if (texts.size() > 1 && has_phrases) return left_whole(line, prefix, texts.size());
  const std::string language = language_of(model, texts.front());
  const auto prefixes = divided(model, prefix, texts.size());
  const SourceLine behind(line.begin() + 1, line.end());  // the tag
  SplitLine split;
  std::string spaces;
  for (size_t i = 0; i < texts.size(); ++i) {
    const std::string text(texts[i]);
    Sentence& own =
        split.sentences.emplace_back(Sentence{.line = {text}, .prefix = prefixes[i], .text = text});
    own.line.insert(own.line.end(), behind.begin(), behind.end());
    if (i == 0) continue;
    own.space = between(texts[i - 1], texts[i]);
    spaces += own.space;
    if (language.empty()) continue;
    own.line.front() = language + " " + own.text;
    own.own_words = std::ranges::count(language, ' ') + 1;
  }
  check_tabs(spaces, split.warnings);
  return split;
}

void warn_of_markup(const std::string& text, const MarkupOptions& options, const MarkedLine& line,
                    WarningList& warnings) {
  const auto fault =
      options.format == MarkupFormat::kXml ? find_xml_fault(text) : std::optional<XmlFault>();
  if (fault)
    warnings.push_back(
        {WarningKind::kMarkup, "not well-formed XML, read as leniently as HTML: tags may be text",
         fmt::format("column {}: {}", count_code_points(text.substr(0, fault->byte)) + 1,
                     fault->message)});
  else if (!line.lone.empty())
    warnings.push_back({WarningKind::kMarkup,
                        "tags without the other one of their pair, which stay where the text "
                        "beside them goes",
                        fmt::format("{}", fmt::join(line.lone, " "))});
}

SplitLine split_marked(const TextModel& model, const LineOptions& options, const SourceLine& line,
                       const std::string& prefix, bool has_phrases) {
  SplitLine split;
  const std::string text = well_formed(line.front(), split.warnings);
  auto markup = std::make_shared<SplitLine::Markup>();
  markup->line = read_marked_line(text, options.markup);
  warn_of_markup(text, options.markup, markup->line, split.warnings);
  const std::vector<MarkedBlock>& blocks = markup->line.blocks;
  if (has_phrases && blocks.size() > 1)
    throw_error(ErrorKind::kData,
                "a line with required phrases has {} blocks of text, expected one, so that it is "
                "known which of them has a phrase; give each block a separate line: {}",
                blocks.size(), cut_to_width(text, 80));
  const auto prefixes = divided(model, prefix, std::max<size_t>(1, blocks.size()));
  SourceLine own = line;
  for (size_t b = 0; b < std::max<size_t>(1, blocks.size()); ++b) {
    own.front() = blocks.empty() ? std::string() : blocks[b].text;
    SplitLine block = split_text(model, options, own, prefixes[b], has_phrases);
    if (b > 0) block.sentences.front().space = " ";  // so that words of two blocks are two
    markup->first_sentences.push_back(split.sentences.size());
    std::ranges::move(block.sentences, std::back_inserter(split.sentences));
    std::ranges::move(block.warnings, std::back_inserter(split.warnings));
  }
  split.markup = std::move(markup);
  return split;
}

}  // namespace

bool can_split(const TextModel& model) {
  const size_t tag = model.tags.empty() ? 0 : 1;
  return model.sources.size() == 1 && model.inputs.size() == 1 + tag &&
         !model.aligned_codec().marker();
}

bool reads_sentences(const TextModel& model) {
  return can_split(model) && !(model.source_lines && model.source_lines->has_several_sentences());
}

SplitLine split_line(const TextModel& model, const LineOptions& options, const SourceLine& line,
                     const std::string& prefix, bool has_phrases) {
  const bool is_marked = options.has_markup() && can_split(model);
  return (is_marked ? split_marked : split_text)(model, options, line, prefix, has_phrases);
}

}  // namespace heed
