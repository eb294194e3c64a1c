#include "glossary/glossary_file.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "base/unicode/unicode.h"
#include "base/utf8.h"
#include "glossary/tbx.h"

namespace heed {

namespace {

std::vector<std::string> parts_of(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(trimmed(text.substr(begin, end - begin), " \r"));
    begin = end + 1;
  }
  return parts;
}

// "source", "target", or the tags of two languages.
bool names_columns(const std::vector<std::string>& row) {
  static const std::vector<std::string> kNames = {
      "source", "source term", "src", "term", "target", "target term", "trg", "tgt", "translation"};
  const auto is_name = [](const std::string& text) {
    return std::ranges::count(kNames, lower_case(text)) > 0;
  };
  const auto is_language = [](const std::string& text) {
    const bool is_short = text.size() == 2 || (text.size() > 2 && text[2] == '-');
    return is_short && !language_of_tag(text).empty();
  };
  return row.size() > 1 && ((is_name(row[0]) && is_name(row[1])) ||
                            (is_language(row[0]) && is_language(row[1]) && row[0] != row[1]));
}

std::vector<std::string> forms_of(const std::string& text) {
  std::vector<std::string> forms = parts_of(text, '|');
  std::erase(forms, "");
  return forms;
}

std::vector<GlossaryTerm> read_table(const fs::path& file) {
  std::vector<GlossaryTerm> terms;
  LineReader reader(file);
  std::string line;
  bool is_first = true, is_wide = false;
  while (reader.next(line)) {
    const std::string place = fmt::format("{}:{}", file.string(), reader.line_number());
    if (!is_utf8(line))
      throw_error(ErrorKind::kData, "{}: malformed UTF-8; convert the file", place);
    if (trimmed(line, " \t\r").empty() || line.starts_with('#')) continue;
    const std::vector<std::string> row = parts_of(line, '\t');
    if (std::exchange(is_first, false) && names_columns(row)) {
      spdlog::info("{}: the first line names the columns ({}, {}) and is no term", file.string(),
                   row[0], row[1]);
      continue;
    }
    const size_t columns = row.size();
    GlossaryTerm term;
    if (columns > 1) term = {forms_of(row[0]), forms_of(row[1])};
    if (term.sources.empty() || term.targets.empty())
      throw_error(
          ErrorKind::kData,
          "{}: found {} column{} with text, expected a source term, a tab and a target term", place,
          columns > 1 ? "fewer than two" : "one", columns > 1 ? "s" : "");
    is_wide |= columns > 2;
    terms.push_back(std::move(term));
  }
  if (is_wide)
    spdlog::warn("{}: has more than two columns; only the first two are read, source and target",
                 file.string());
  return terms;
}

// The languages of a file that are this one: "en" and "en-US" are "en".
std::vector<std::string> names_of(const TbxFile& tbx, const std::string& language) {
  std::vector<std::string> names;
  for (const std::string& name : tbx.languages)
    if (!language.empty() && language_of_tag(name) == language_of_tag(language))
      names.push_back(name);
  return names;
}

std::vector<std::string> terms_in(const TbxEntry& entry,
                                  const std::vector<std::string>& languages) {
  std::vector<std::string> terms;
  for (const std::string& language : languages) {
    const auto found = entry.find(language);
    if (found != entry.end()) terms.insert(terms.end(), found->second.begin(), found->second.end());
  }
  return terms;
}

std::vector<GlossaryTerm> pairs_of(const fs::path& file, const TbxFile& tbx,
                                   const GlossaryLanguages& languages) {
  std::vector<std::string> source = names_of(tbx, languages.source),
                           target = names_of(tbx, languages.target);
  if ((source.empty() || target.empty()) && tbx.languages.size() == 2) {
    const bool is_turned =
        source == std::vector{tbx.languages[1]} || target == std::vector{tbx.languages[0]};
    source = {tbx.languages[is_turned ? 1 : 0]};
    target = {tbx.languages[is_turned ? 0 : 1]};
    spdlog::info("{}: read as {} → {}; the model's languages are not both known", file.string(),
                 source.front(), target.front());
  }
  if (source.empty() || target.empty())
    throw_error(ErrorKind::kData,
                "{}: has terms in {}, expected the languages of the model, {} and {}",
                file.string(), fmt::join(tbx.languages, ", "),
                languages.source.empty() ? "one that is not known" : languages.source,
                languages.target.empty() ? "one that is not known" : languages.target);
  std::vector<GlossaryTerm> terms;
  for (const TbxEntry& entry : tbx.entries) {
    GlossaryTerm term{terms_in(entry, source), terms_in(entry, target)};
    if (!term.sources.empty() && !term.targets.empty()) terms.push_back(std::move(term));
  }
  return terms;
}

bool begins_as_xml(const fs::path& file) {
  std::string line;
  LineReader reader(file);
  return reader.next(line) && trimmed(line, " \t").starts_with('<');
}

}  // namespace

std::vector<GlossaryTerm> read_glossary(const fs::path& file, const GlossaryLanguages& languages) {
  if (file == "-")
    throw_error(ErrorKind::kUsage, "a glossary is a file, found standard input; save it first");
  std::vector<GlossaryTerm> terms =
      begins_as_xml(file) ? pairs_of(file, read_tbx(file), languages) : read_table(file);
  if (terms.empty())
    throw_error(ErrorKind::kData, "{}: has no terms, expected a source and a target term a line",
                file.string());
  return terms;
}

}  // namespace heed
