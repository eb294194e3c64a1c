#include "data/text_view.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/descriptor.h"
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

// The parts of `1+2`.
std::vector<std::string> joined_keys(const std::string& key) {
  std::vector<std::string> keys;
  for (size_t begin = 0; begin <= key.size();) {
    const size_t end = std::min(key.find('+', begin), key.size());
    keys.push_back(key.substr(begin, end - begin));
    begin = end + 1;
  }
  return keys;
}

// Index of the name; npos if there is none.
size_t index_of_name(const std::string& key, const std::vector<std::string>& names) {
  const auto found = std::ranges::find(names, key);
  return found == names.end() ? std::string::npos : static_cast<size_t>(found - names.begin());
}

size_t find_column(const std::string& key, const std::vector<std::string>& names,
                   const fs::path& file) {
  if (const auto number = column_number(key)) {
    if (*number == 0)
      throw_error(ErrorKind::kUsage, "{}: column 0: columns are counted from 1", file.string());
    return *number - 1;
  }
  const size_t found = index_of_name(key, names);
  if (found != std::string::npos) return found;
  throw_error(ErrorKind::kData,
              "{}:1: has no column '{}', found: {}{}; name one of them, or count columns from 1",
              file.string(), key, list_some(names), did_you_mean(key, names));
}

std::vector<size_t> find_columns(const TextView& view, std::string_view header,
                                 const fs::path& file) {
  std::vector<std::string> names;
  for (const std::string_view name : split_row(header)) names.emplace_back(name);
  if (std::ranges::count(names, view.key) > 0) return {find_column(view.key, names, file)};
  std::vector<size_t> columns;
  for (const std::string& key : joined_keys(view.key))
    columns.push_back(find_column(key, names, file));
  return columns;
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

LineNotes show_columns(std::string& line, const std::vector<size_t>& columns) {
  std::string text;
  for (const size_t& column : columns) {
    size_t cells = 0;
    const auto [begin, end] = cell_range(line, column, cells);
    if (begin == std::string::npos) {
      LineNotes notes{fmt::format("has {} column{}, expected column {}{}", cells,
                                  cells == 1 ? "" : "s", column + 1, hint_at_quotes(line))};
      line.clear();
      return notes;
    }
    if (&column != &columns.front()) text += '\t';
    text.append(line, begin, end - begin);
  }
  line.swap(text);
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

// Appends the text of a key. Returns notes on it.
LineNotes append_value(const Json& object, const std::string& key, std::string& text) {
  const Json* value = find_value(object, key);
  if (value == nullptr) return {missing_key(object, key)};
  if (!value->is_string())
    return {fmt::format("'{}' is of the type {}, expected a string", key, value->type_name())};
  const auto& own = value->get_ref<const std::string&>();
  const std::string line = on_one_line(own);
  text += line;
  return {"", line != own};
}

// Reads the text of a key, or of several, into `text`. Returns notes on it.
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
  if (find_value(object, key) != nullptr) return append_value(object, key, text);
  LineNotes all;
  const std::vector<std::string> keys = joined_keys(key);
  for (const std::string& one : keys) {
    if (&one != &keys.front()) text += '\t';
    const LineNotes notes = append_value(object, one, text);
    if (!notes.fault.empty()) return notes;
    all.joined = all.joined || notes.joined;
  }
  return all;
}

LineNotes show_value(std::string& line, const std::string& key) {
  std::string text;
  LineNotes notes = read_value(line, key, text);
  if (!notes.fault.empty()) text.clear();
  line.swap(text);
  return notes;
}

// "en-us" of en_US
std::string normal_code(std::string_view language) {
  std::string code = lower_case(language);
  std::ranges::replace(code, '_', '-');
  return code;
}

using Unit = nlohmann::ordered_json;

// The text of this language in a unit: that of the same code, or the first of a region of it.
const Unit* find_language(const Unit& unit, const std::string& language) {
  const std::string wanted = normal_code(language);
  const Unit* regional = nullptr;
  for (const auto& [name, text] : unit.items()) {
    const std::string code = normal_code(name);
    if (code == wanted) return &text;
    if (regional == nullptr && code.starts_with(wanted + "-")) regional = &text;
  }
  return regional;
}

LineNotes show_language(std::string& line, const std::string& language) {
  const Unit unit = Unit::parse(line, nullptr, /*allow_exceptions=*/false);
  line.clear();
  if (!unit.is_object()) return {"is no unit of a translation memory"};
  const Unit* text = find_language(unit, language);
  if (text == nullptr || !text->is_string()) {
    std::vector<std::string> found;
    for (const auto& [name, unused] : unit.items()) found.push_back(name);
    return {fmt::format("has no text in the language '{}', found: {}", language,
                        found.empty() ? "none" : list_some(found))};
  }
  const auto& own = text->get_ref<const std::string&>();
  line = on_one_line(own);
  return {"", line != own};
}

}  // namespace

bool TextView::has_header() const {
  const auto is_name = [](const std::string& one) { return !column_number(one).has_value(); };
  return form == Form::kTsv && (shares_header || std::ranges::any_of(joined_keys(key), is_name));
}

void share_header(const std::vector<TextView*>& views) {
  const bool has_header =
      std::ranges::any_of(views, [](const TextView* view) { return view->has_header(); });
  for (TextView* view : views)
    view->shares_header = has_header && view->form == TextView::Form::kTsv;
}

std::string TextView::identity() const {
  if (form == Form::kLines) return "";
  // A name tells by itself that the first line is names.
  const bool is_numbered = !TextView{form, key}.has_header();
  return fmt::format("{} '{}'{}", form_name(), key,
                     shares_header && is_numbered ? " below a header" : "");
}

const char* TextView::form_name() const {
  switch (form) {
    case Form::kLines:
      return "";
    case Form::kTsv:
      return "tsv";
    case Form::kJsonLines:
      return "jsonl";
    case Form::kTmx:
      return "tmx";
  }
  return "";
}

std::string TextView::place(const fs::path& file, int64_t line) const {
  return fmt::format("{}{}{}", input_name(file), form == Form::kTmx ? ", unit " : ":", line);
}

LineView::LineView(const TextView& view, std::string_view header, const std::filesystem::path& file)
    : view_(view) {
  if (view.form == TextView::Form::kTsv) columns_ = find_columns(view, header, file);
}

LineNotes LineView::show(std::string& line) const {
  switch (view_.form) {
    case TextView::Form::kLines:
      return {};
    case TextView::Form::kTsv:
      return show_columns(line, columns_);
    case TextView::Form::kJsonLines:
      return show_value(line, view_.key);
    case TextView::Form::kTmx:
      return show_language(line, view_.key);
  }
  return {};
}

std::string TextFile::name() const {
  return view.form == TextView::Form::kLines ? path.string()
                                             : fmt::format("{} ({})", path.string(), view.key);
}

size_t index_of_column(const std::string& key, const std::vector<std::string>& names) {
  const size_t found = index_of_name(key, names);
  if (found != std::string::npos) return found;
  const auto number = column_number(key);
  return number && *number > 0 && *number <= names.size() ? *number - 1 : std::string::npos;
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
