#include "text/vocabulary.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/error.h"
#include "base/file.h"
#include "base/floating_point.h"
#include "base/hash.h"
#include "base/small_file.h"
#include "base/utf8.h"

namespace heed {

namespace {

constexpr std::array<std::string_view, kSpecials> kSpecialPieces = {"<pad>", kUnknownPiece, "<s>",
                                                                    "</s>"};

// Reason why a piece cannot be added, or "".
std::string find_fault(const std::string& piece, bool is_known) {
  if (piece.empty()) return "is empty";
  if (piece.find('\n') != std::string::npos) return "holds a line break";
  if (is_special_piece(piece)) {
    return fmt::format("is '{}', one of the four special tokens that every vocabulary has", piece);
  }
  if (is_known) return fmt::format("is '{}', a duplicate", piece);
  return "";
}

bool is_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = floating_point_from(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// Forms of a token in lists of other programs: with its count, score or id, in JSON, or in columns.
enum class Form { kTokens, kTabs, kSpaces, kNumberFirst, kColons, kQuotes, kSpaceAtEnd };

bool has_number_first(std::string_view line) {
  const std::string_view text = trimmed(line, " ");  // uniq -c puts spaces before it
  const size_t at = text.find_first_of(" \t");
  return at != std::string_view::npos && is_number(text.substr(0, at));
}

Form form_of(std::string_view line) {
  constexpr size_t kShortest = 3;  // of a quoted token
  if (line.starts_with("{\"") && line.find("\":") != std::string_view::npos) return Form::kColons;
  const std::string_view own = trimmed(line, ",}[] ");  // of JSON
  if (own.size() >= kShortest && own.starts_with('"') && own.ends_with('"')) return Form::kQuotes;
  const size_t at = own.find_last_of(" \t");
  if (at == std::string_view::npos || at == 0 || !is_number(own.substr(at + 1))) {
    if (has_number_first(line)) return Form::kNumberFirst;
    return line.size() > 1 && line.ends_with(' ') ? Form::kSpaceAtEnd : Form::kTokens;
  }
  if (own[at] == '\t') return Form::kTabs;
  return own[at - 1] == ':' ? Form::kColons : Form::kSpaces;
}

struct FormText {
  const char* found;
  std::string advice;  // command or hint to get the bare tokens
};

FormText text_of(Form form, const std::string& path) {
  constexpr const char* kWithNumber = "a token with a number";
  switch (form) {
    case Form::kTabs:
      return {kWithNumber, fmt::format("take the first column: cut -f 1 {} > NEW", path)};
    case Form::kSpaces:
      return {kWithNumber, fmt::format("take the first column: cut -d ' ' -f 1 {} > NEW", path)};
    case Form::kNumberFirst:
      return {kWithNumber,
              fmt::format("take the second column: awk '{{print $2}}' {} > NEW", path)};
    case Form::kSpaceAtEnd:
      return {"a token with a space behind it",
              fmt::format("take the first column: cut -d ' ' -f 1 {} > NEW", path)};
    case Form::kQuotes:
      return {"tokens in quotation marks", "write the tokens of this JSON alone, one a line"};
    default:
      return {kWithNumber,
              "write the tokens of this YAML or JSON alone, in the order of their numbers"};
  }
}

// Refuses lists in other forms: no text has such tokens, so all words would be unknown.
void refuse_other_forms(const std::string& path, const std::vector<std::string>& lines) {
  constexpr std::string_view kBrackets[] = {"{", "}", "[", "]"};  // of JSON, alone in a line
  std::map<Form, std::vector<size_t>> forms;
  size_t count = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (std::ranges::count(kBrackets, lines[i]) > 0) continue;
    forms[form_of(lines[i])].push_back(i);
    ++count;
  }
  for (const auto& [form, found] : forms) {
    if (form == Form::kTokens || 2 * found.size() <= count) continue;
    const auto& [what, advice] = text_of(form, path);
    throw_error(ErrorKind::kData, "{}:{}: found '{}', {}, expected a token alone; {}", path,
                found.front() + 1, cut_to_width(lines[found.front()], 60), what, advice);
  }
}

void refuse_specials(const std::string& path, const std::vector<std::string>& lines) {
  std::vector<std::string> found;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (is_special_piece(lines[i])) found.push_back(fmt::format("{} (line {})", lines[i], i + 1));
  }
  if (found.size() < 2) return;
  throw_error(ErrorKind::kData,
              "{}: found {}, special tokens that every vocabulary has; remove these lines", path,
              fmt::join(found, ", "));
}

}  // namespace

bool is_special_piece(std::string_view piece) {
  return std::ranges::find(kSpecialPieces, piece) != kSpecialPieces.end();
}

Vocabulary::Vocabulary() : Vocabulary(std::vector<std::string>()) {}

Vocabulary::Vocabulary(const std::vector<std::string>& pieces) {
  constexpr size_t kMost = std::numeric_limits<int32_t>::max() - kSpecials;
  if (pieces.size() > kMost) {
    throw_error(ErrorKind::kData, "a vocabulary of {} tokens is too large, at most {} are possible",
                pieces.size(), kMost);
  }
  pieces_.assign(kSpecialPieces.begin(), kSpecialPieces.end());
  pieces_.reserve(kSpecials + pieces.size());
  ids_.reserve(kSpecials + pieces.size());
  for (int32_t id = 0; id < kSpecials; ++id) ids_.emplace(pieces_[id], id);
  for (size_t i = 0; i < pieces.size(); ++i) {
    const std::string fault = find_fault(pieces[i], ids_.contains(pieces[i]));
    if (!fault.empty()) {
      throw_error(ErrorKind::kData, "vocabulary, line {}: the token {}; remove it", i + 1, fault);
    }
    ids_.emplace(pieces[i], static_cast<int32_t>(pieces_.size()));
    pieces_.push_back(pieces[i]);
  }
}

Vocabulary Vocabulary::from_counts(const std::map<std::string, int64_t>& counts, int64_t max_size,
                                   int64_t min_count) {
  std::vector<std::pair<int64_t, const std::string*>> order;
  for (const auto& [piece, count] : counts) {
    if (count >= min_count && find_fault(piece, false).empty()) order.emplace_back(count, &piece);
  }
  std::ranges::sort(order, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : *a.second < *b.second;
  });
  if (max_size > 0 && order.size() > static_cast<size_t>(max_size)) order.resize(max_size);
  std::vector<std::string> pieces;
  pieces.reserve(order.size());
  for (const auto& [count, piece] : order) pieces.push_back(*piece);
  return Vocabulary(pieces);
}

Vocabulary Vocabulary::load(const std::filesystem::path& path) {
  expect_regular_file(path);
  std::vector<std::string> pieces;
  LineReader reader(path);
  for (std::string line; reader.next(line);) pieces.push_back(line);
  if (pieces.empty())
    throw_error(ErrorKind::kData, "{}: is empty, expected a token in each line", path.string());
  refuse_other_forms(path.string(), pieces);
  refuse_specials(path.string(), pieces);
  return of_file(pieces, path);
}

Vocabulary Vocabulary::load_saved(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  std::vector<std::string> pieces;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    pieces.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return of_file(pieces, path);
}

Vocabulary Vocabulary::of_file(const std::vector<std::string>& pieces,
                               const std::filesystem::path& path) {
  try {
    return Vocabulary(pieces);
  } catch (const Error& error) {
    throw_error(error.kind(), "{}: {}", path.string(), error.what());
  }
}

void Vocabulary::save(const std::filesystem::path& path) const { write_file(path, file_form()); }

int32_t Vocabulary::id(std::string_view piece) const {
  const auto found = ids_.find(piece);
  return found == ids_.end() ? kUnknown : found->second;
}

const std::string& Vocabulary::piece(int32_t id) const {
  HEED_CHECK(id >= 0 && id < size(), "id {} of {}", id, size());
  return pieces_[id];
}

std::string Vocabulary::hash() const { return hash_bytes(file_form()); }

std::string Vocabulary::file_form() const {
  std::string text;
  for (size_t id = kSpecials; id < pieces_.size(); ++id) text.append(pieces_[id]).push_back('\n');
  return text;
}

}  // namespace heed
