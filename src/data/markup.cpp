#include "data/markup.h"

#include <nlohmann/json.hpp>

#include "base/compression/stored_text.h"
#include "base/descriptor.h"
#include "base/encoding.h"
#include "base/error.h"
#include "base/shell.h"

namespace heed {

namespace {

constexpr const char* kTmx = "heed convert -o - --to tsv";
constexpr const char* kXml =
    R"(python3 -c "import sys, xml.etree.ElementTree as T; [print(' '.join(e.text.split())) for _, e )"
    R"(in T.iterparse(sys.argv[1]) if e.text and e.text.strip()]")";
constexpr const char* kHtml =
    R"~(python3 -c "import html.parser, sys; p = html.parser.HTMLParser(); p.handle_data = lambda t: )~"
    R"~(t.strip() and print(' '.join(t.split())); p.feed(open(sys.argv[1]).read())")~";
constexpr const char* kJsonList =
    R"(python3 -c "import json, sys; [print(json.dumps(x, ensure_ascii=False)) for x in )"
    R"(json.load(open(sys.argv[1]))]")";
constexpr const char* kElements =
    "a sentence a line; this writes each element's text as a line";  // of kXml and kHtml
// {0}: the key, in Python.
constexpr const char* kJsonLines =
    R"(python3 -c "import json, sys; [print(' '.join(json.loads(l){0}.split())) for l in )"
    R"(open(sys.argv[1])]")";
// {0}: the encoding, {1}: the delimiter, unless it is a comma.
constexpr const char* kCommas =
    R"(python3 -c "import csv, sys; [print(*(' '.join(c.split()) for c in r), sep='\t') for r in )"
    R"(csv.reader(open(sys.argv[1], newline='', encoding='{0}'){1})]")";

std::string without_space(const std::string& line) {
  return line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
}

bool starts_with_any(const std::string& line, std::initializer_list<const char*> starts) {
  return std::ranges::any_of(starts, [&](const char* start) { return line.starts_with(start); });
}

bool is_html(const std::string& line) {
  return starts_with_any(line,
                         {"<!DOCTYPE html", "<!doctype html", "<!DOCTYPE HTML", "<html", "<HTML"});
}

bool is_xml(const std::string& line) {
  return starts_with_any(line, {"<?xml", "<tmx", "<!DOCTYPE", "<!doctype"});
}

// reader: of the lines behind this one; nullptr: they are not looked at.
bool is_tmx(std::string line, LineReader* reader) {
  constexpr int kLines = 50;
  for (int i = 0; i < kLines; ++i) {
    if (line.find("<tmx") != std::string::npos) return true;
    if (reader == nullptr || !reader->next(line)) return false;
  }
  return false;
}

std::optional<OtherText> find_markup(const std::string& first_line, LineReader* reader) {
  const std::string line = without_space(first_line);
  if (is_html(line)) return OtherText{"HTML", kElements, kHtml, ".txt"};
  if (!is_xml(line)) return std::nullopt;
  if (is_tmx(line, reader))
    return OtherText{"a translation memory (TMX)",
                     "lines; name it by its own key, {tmx: FILE, source: en, target: de}, or one "
                     "language as FILE.tmx:en",
                     kTmx, ".tsv"};
  return OtherText{"XML", kElements, kXml, ".txt"};
}

// The path of the source in an object, as Python writes it: "['translation']['en']"; "" if no text
// is found.
std::string python_key(const nlohmann::ordered_json& object, const std::string& source) {
  const auto is_plain = [](const std::string& key) {
    return key.find_first_of("'\"\\$`!") == std::string::npos;
  };
  const auto text_of = [&](const std::string& key, const nlohmann::ordered_json& value) {
    if (!is_plain(key)) return std::string();
    if (value.is_string()) return "['" + key + "']";
    const std::string inside = value.is_object() ? python_key(value, source) : "";
    return inside.empty() ? "" : "['" + key + "']" + inside;
  };
  if (object.contains(source) && object[source].is_string() && is_plain(source))
    return "['" + source + "']";
  for (const auto& [key, value] : object.items())
    if (const std::string found = text_of(key, value); !found.empty()) return found;
  return "";
}

std::optional<OtherText> find_object(const std::string& line, const std::string& source) {
  if (!line.starts_with('{')) return std::nullopt;
  const auto object = nlohmann::ordered_json::parse(line, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  const std::string key = python_key(object, source);
  if (key.empty()) return std::nullopt;
  return OtherText{"lines of JSON objects", "a sentence a line",
                   fmt::format(fmt::runtime(kJsonLines), key), ".txt"};
}

// heed reads compressed files itself, and a translation memory from no pipe.
std::string command(const OtherText& text, const fs::path& file, const std::string& output,
                    const std::string& then = "") {
  if (text.program != kTmx) return filter_command(text.program, file, output, then);
  return fmt::format("{} {}{} > {}", kTmx, file == "-" ? "FILE" : shell_word(file.string()), then,
                     shell_word(output));
}

}  // namespace

void refuse(const OtherText& text, const fs::path& file) {
  throw_error(ErrorKind::kData, "{}: {}, expected {}; convert it: {}", input_name(file), text.found,
              text.expected, command(text, file, new_name(file, text.ending)));
}

std::string source_command(const OtherText& text, const fs::path& file) {
  const bool is_table = std::string_view(text.ending) == ".tsv";
  return command(text, file, new_name(file, ".txt"), is_table ? " | cut -f1" : "");
}

void refuse_markup(const TextFile& file, const std::string& first_line, LineReader& reader) {
  if (const auto found = find_markup(first_line, &reader)) refuse(*found, file.path);
  if (file.view.form == TextView::Form::kJsonLines && without_space(first_line).starts_with('['))
    refuse({"a JSON list", "one JSON object a line", kJsonList, ".jsonl"}, file.path);
}

std::optional<OtherText> find_comma_separated(const fs::path& file, int64_t rows) {
  const auto delimiter = find_delimiter(file, rows);
  if (!delimiter) return std::nullopt;
  const TextEncoding encoding = find_encoding(file);
  const std::string name =
      encoding.name.empty() || encoding.is_mixed() ? "utf-8-sig" : encoding.name;
  return OtherText{
      *delimiter == ',' ? "comma-separated values" : "semicolon-separated values",
      "tab-separated ones",
      fmt::format(fmt::runtime(kCommas), name,
                  *delimiter == ',' ? "" : fmt::format(", delimiter='{}'", *delimiter)),
      ".tsv"};
}

std::optional<OtherText> find_other_text(const fs::path& file, const std::string& source) {
  constexpr int64_t kRows = 10;  // sentences may have as many commas each
  if (!is_stored_text(file)) return std::nullopt;
  LineReader reader(file);
  std::string line;
  if (!reader.next(line)) return std::nullopt;
  if (auto found = find_object(line, source)) return found;
  if (auto found = find_markup(line, &reader)) return found;
  return find_comma_separated(file, kRows);
}

std::optional<OtherText> find_other_text_in(const std::string& first_line,
                                            const std::string& source) {
  if (auto found = find_object(first_line, source)) return found;
  return find_markup(first_line, nullptr);
}

}  // namespace heed
