#include "serve/glossary_store.h"

#include <algorithm>
#include <random>
#include <set>

#include "base/utf8.h"
#include "request/http_error.h"

namespace heed {

namespace {

using Entry = ServedGlossary::Entry;

template <class... Args>
[[noreturn]] void refuse_glossary(fmt::format_string<Args...> format, Args&&... args) {
  throw_http_error(HttpStatus::kBadRequest, format, std::forward<Args>(args)...);
}

HttpError no_such_glossary(const std::string& id) {
  return {HttpStatus::kNotFound, fmt::format("Glossary {} not found", id.substr(0, 40))};
}

// Memory of a glossary, about: a term takes more than its text.
size_t bytes_in(const StoredGlossary& glossary) {
  constexpr size_t kOfTerm = 400, kOfByte = 4;
  size_t bytes = glossary.name.size();
  for (const auto& [term, translation] : glossary.terms->entries())
    bytes += kOfTerm + kOfByte * (term.size() + translation.size());
  return bytes;
}

// A random UUID (RFC 9562, version 4).
std::string make_id() {
  std::random_device device;
  std::string id;
  for (const int digits : {8, 4, 4, 4, 12}) {
    if (!id.empty()) id += '-';
    for (int i = 0; i < digits; ++i) id += "0123456789abcdef"[device() % 16];
  }
  constexpr size_t kVersion = 14, kVariant = 19;
  id[kVersion] = '4';
  id[kVariant] = "89ab"[device() % 4];
  return id;
}

// Adds a line to entries after the checks of both forms.
class EntryReader {
 public:
  void add(std::string_view term, std::string_view translation, int64_t line) {
    constexpr std::string_view kSpaces = " \t\r\n";
    const std::string source(trimmed(term, kSpaces)), target(trimmed(translation, kSpaces));
    if (source.empty() || target.empty())
      refuse_glossary("entries: line {} has an empty term; expected a term and its translation",
                      line);
    if (!is_utf8(source) || !is_utf8(target))
      refuse_glossary("entries: line {} is not UTF-8", line);
    if (!terms_.insert(source).second)
      refuse_glossary("entries: line {} has a term that is there already: {}", line,
                      source.substr(0, 40));
    entries_.emplace_back(source, target);
  }
  std::vector<Entry> take() {
    if (entries_.empty()) refuse_glossary("entries: expected one entry or more, found none");
    return std::move(entries_);
  }

 private:
  std::set<std::string> terms_;
  std::vector<Entry> entries_;
};

// The columns of the next line of a CSV text, whose quotes may hold line breaks.
std::vector<std::string> next_row(std::string_view text, size_t& offset, int64_t line) {
  std::vector<std::string> columns(1);
  bool is_quoted = false;
  for (; offset < text.size(); ++offset) {
    const char c = text[offset];
    if (c == '"' && is_quoted && text.substr(offset + 1).starts_with('"')) {
      columns.back() += c;
      ++offset;
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (c == ',' && !is_quoted) {
      columns.emplace_back();
    } else if (c == '\n' && !is_quoted) {
      ++offset;
      return columns;
    } else {
      columns.back() += c;
    }
  }
  if (is_quoted) refuse_glossary("entries: line {} has a quotation mark that is not closed", line);
  return columns;
}

}  // namespace

StoredGlossary GlossaryStore::add(StoredGlossary glossary) {
  glossary.id = make_id();
  const size_t bytes = bytes_in(glossary);
  const std::lock_guard lock(mutex_);
  if (glossaries_.size() == kGlossaries || bytes_ + bytes > kBytes)
    throw_http_error(HttpStatus::kQuotaExceeded,
                     "the server keeps {} glossaries of {} bytes in all; delete others first",
                     kGlossaries, kBytes);
  bytes_ += bytes;
  glossaries_[glossary.id] = glossary;
  return glossary;
}

StoredGlossary GlossaryStore::find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = glossaries_.find(id);
  if (found == glossaries_.end()) throw no_such_glossary(id);
  return found->second;
}

void GlossaryStore::remove(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = glossaries_.find(id);
  if (found == glossaries_.end()) throw no_such_glossary(id);
  bytes_ -= bytes_in(found->second);
  glossaries_.erase(found);
}

std::vector<StoredGlossary> GlossaryStore::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<StoredGlossary> all;
  for (const auto& [id, glossary] : glossaries_) all.push_back(glossary);
  std::ranges::stable_sort(all, {}, &StoredGlossary::created);
  return all;
}

std::vector<Entry> entries_of_tsv(const std::string& text) {
  EntryReader entries;
  int64_t number = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = trimmed(std::string_view(text).substr(begin, end - begin), "\r");
    begin = end + 1;
    ++number;
    if (line.empty()) continue;
    const size_t tab = line.find('\t');
    if (tab == std::string_view::npos || line.find('\t', tab + 1) != std::string_view::npos)
      refuse_glossary("entries: line {} has no two columns between a tab", number);
    entries.add(line.substr(0, tab), line.substr(tab + 1), number);
  }
  return entries.take();
}

std::vector<Entry> entries_of_csv(const std::string& text) {
  EntryReader entries;
  int64_t number = 0;
  for (size_t offset = 0; offset < text.size();) {
    const std::vector<std::string> columns = next_row(text, offset, ++number);
    if (columns.size() == 1 && trimmed(columns.front(), " \r").empty()) continue;
    if (columns.size() < 2) refuse_glossary("entries: line {} has no two columns", number);
    entries.add(columns[0], columns[1], number);
  }
  return entries.take();
}

std::string tsv_of(const std::vector<Entry>& entries) {
  std::string text;
  for (const auto& [term, translation] : entries) {
    if (!text.empty()) text += '\n';
    text += term + "\t" + translation;
  }
  return text;
}

}  // namespace heed
