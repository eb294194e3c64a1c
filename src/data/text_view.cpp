#include "data/text_view.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/line_separators.h"
#include "base/suggest.h"
#include "base/utf8.h"

namespace heed {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr size_t kMostListed = 12;  // names in a message

// Number of a column, from 1.
std::optional<size_t> column_number(const std::string& key) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), number);
  if (error != std::errc() || end != key.data() + key.size()) return std::nullopt;
  return number;
}

std::string list_some(std::vector<std::string> names) {
  const size_t count = names.size();
  names.resize(std::min(count, kMostListed));
  return fmt::format("{}{}", fmt::join(names, ", "), count > kMostListed ? ", …" : "");
}

size_t find_column(const TextView& view, std::string_view header, const fs::path& file) {
  if (const auto number = column_number(view.key)) {
    if (*number == 0)
      throw_error(ErrorKind::kUsage, "{}: column 0: columns are counted from 1", file.string());
    return *number - 1;
  }
  std::vector<std::string> names;
  for (const std::string_view name : split_row(header)) names.emplace_back(name);
  const auto found = std::ranges::find(names, view.key);
  if (found != names.end()) return static_cast<size_t>(found - names.begin());
  throw_error(ErrorKind::kData,
              "{}:1: has no column '{}', found: {}{}; name one of them, or count columns from 1",
              file.string(), view.key, list_some(names), did_you_mean(view.key, names));
}

// Range of a cell; npos if the line has fewer cells. Sets `cells` to their number then.
std::pair<size_t, size_t> cell_range(std::string_view line, size_t column, size_t& cells) {
  size_t begin = 0;
  for (cells = 1; cells <= column; ++cells) {
    const size_t tab = line.find('\t', begin);
    if (tab == std::string_view::npos) return {tab, tab};
    begin = tab + 1;
  }
  return {begin, std::min(line.find('\t', begin), line.size())};
}

// Both parts of a cell that a line break divides have an odd number of quotation marks.
const char* hint_at_quotes(std::string_view line) {
  return std::ranges::count(line, '"') % 2 == 0
             ? ""
             : ", and a quotation mark is open: a line break within quotes ends the row, since "
               "quotes are text here";
}

LineNotes show_column(std::string& line, size_t column) {
  size_t cells = 0;
  const auto [begin, end] = cell_range(line, column, cells);
  if (begin == std::string::npos) {
    LineNotes notes{fmt::format("has {} column{}, expected column {}{}", cells,
                                cells == 1 ? "" : "s", column + 1, hint_at_quotes(line))};
    line.clear();
    return notes;
  }
  line.erase(end);
  line.erase(0, begin);
  return {};
}

const Json* find_value(const Json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  if (const auto whole = object.find(key); whole != object.end()) return &*whole;
  const size_t dot = key.find('.');
  if (dot == std::string_view::npos) return nullptr;
  const auto first = object.find(key.substr(0, dot));
  return first == object.end() ? nullptr : find_value(*first, key.substr(dot + 1));
}

// Adds the keys of all texts: "translation.de".
void add_text_keys(const Json& object, const std::string& prefix, std::vector<std::string>& keys) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_string()) keys.push_back(prefix + key);
    if (value.is_object() && prefix.empty()) add_text_keys(value, key + ".", keys);
  }
}

std::string missing_key(const Json& object, const std::string& key) {
  std::vector<std::string> keys;
  add_text_keys(object, "", keys);
  return fmt::format("has no key '{}', found: {}{}", key,
                     keys.empty() ? "no texts" : list_some(keys), did_you_mean(key, keys));
}

// Reads the text of a key into `text`. Returns notes on it.
LineNotes read_value(const std::string& line, const std::string& key, std::string& text) {
  Json object;
  try {
    object = Json::parse(line);
  } catch (const Json::parse_error& error) {
    if (is_utf8(line))
      return {fmt::format("is not valid JSON at byte {}, expected an object {{…}}", error.byte)};
    return {.fault = fmt::format("malformed UTF-8 at byte {}", find_malformed(line) + 1),
            .malformed = true};
  }
  if (!object.is_object())
    return {fmt::format("holds JSON of the type {}, expected an object {{…}}", object.type_name())};
  const Json* value = find_value(object, key);
  if (value == nullptr) return {missing_key(object, key)};
  if (!value->is_string())
    return {fmt::format("'{}' is of the type {}, expected a string", key, value->type_name())};
  text = on_one_line(value->get_ref<const std::string&>());
  return {"", text != value->get_ref<const std::string&>()};
}

LineNotes show_value(std::string& line, const std::string& key) {
  std::string text;
  LineNotes notes = read_value(line, key, text);
  line.swap(text);
  return notes;
}

}  // namespace

bool TextView::has_header() const { return form == Form::kTsv && !column_number(key); }

std::string TextView::identity() const {
  if (form == Form::kLines) return "";
  return fmt::format("{} '{}'", form == Form::kTsv ? "tsv" : "jsonl", key);
}

LineView::LineView(const TextView& view, std::string_view header, const std::filesystem::path& file)
    : view_(view) {
  if (view.form == TextView::Form::kTsv) column_ = find_column(view, header, file);
}

LineNotes LineView::show(std::string& line) const {
  switch (view_.form) {
    case TextView::Form::kLines:
      return {};
    case TextView::Form::kTsv:
      return show_column(line, column_);
    case TextView::Form::kJsonLines:
      return show_value(line, view_.key);
  }
  return {};
}

std::string TextFile::name() const {
  return view.form == TextView::Form::kLines ? path.string()
                                             : fmt::format("{} ({})", path.string(), view.key);
}

std::vector<std::string_view> split_row(std::string_view line) {
  std::vector<std::string_view> cells;
  for (size_t begin = 0;;) {
    const size_t end = std::min(line.find('\t', begin), line.size());
    cells.push_back(line.substr(begin, end - begin));
    if (end == line.size()) return cells;
    begin = end + 1;
  }
}

}  // namespace heed
