#include "cli/source_reader.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/compression/stored_text.h"
#include "base/descriptor.h"
#include "base/encoding.h"
#include "base/error.h"
#include "base/log.h"
#include "base/utf8.h"
#include "cli/source_object.h"
#include "data/markup.h"

namespace heed {

namespace {

// True if an input is the file of tags, `tag=FILE`.
bool is_of_tag(const std::string& input) { return input.starts_with(std::string(kTagInput) + "="); }

// ", found 'upp'" for an input that the model does not read; else "".
std::string unknown_name(const std::vector<std::string>& inputs,
                         const std::vector<std::string>& names) {
  for (const std::string& input : inputs) {
    const std::string name = input.substr(0, input.find('='));
    if (std::ranges::find(names, name) == names.end()) return fmt::format(", found '{}'", name);
  }
  return "";
}

// File of an input; a bare file name is enough for a model with one input.
std::string path_of(const std::string& name, const std::vector<std::string>& inputs,
                    const std::vector<std::string>& names) {
  const std::string prefix = name + "=";
  for (const std::string& input : inputs) {
    if (input.starts_with(prefix)) return input.substr(prefix.size());
  }
  if (names.size() == 1 && inputs.empty()) return "-";
  if (names.size() == 1 && inputs.size() == 1) return inputs.front();
  const bool has_tag = std::ranges::count(names, kTagInput) > 0;
  if (has_tag && std::ranges::none_of(inputs, is_of_tag)) {
    throw_error(ErrorKind::kUsage,
                "the tag is missing, which the model reads in addition to {}: give --tag NAME for "
                "all lines, or {}=FILE",
                names.front(), fmt::join(names, "=FILE, "));
  }
  throw_error(ErrorKind::kUsage, "input '{}' is missing{}; the model reads {}: give {}=FILE{}",
              name, unknown_name(inputs, names), fmt::join(names, ", "),
              fmt::join(names, "=FILE, "),
              has_tag ? ", or one tag for all lines by --tag NAME" : "");
}

}  // namespace

void check_tag(const TextModel& model, const std::optional<std::string>& tag) {
  if (!tag) return;
  if (model.tags.empty())
    throw_error(ErrorKind::kUsage, "--tag {}: the model has no tags; leave it out", *tag);
  if (!std::ranges::binary_search(model.tags, *tag))
    throw_error(ErrorKind::kUsage, "--tag: '{}' {}", *tag, no_such_tag(model.tags, *tag));
}

void refuse_source(const TextModel& model, const char* option,
                   const std::vector<std::string>& inputs, const std::optional<std::string>& tag) {
  check_tag(model, tag);
  if (inputs.empty()) return;
  throw_error(ErrorKind::kUsage, "{} {}: a language model has no source; leave it out", option,
              inputs.front());
}

namespace {

// The inputs to be read; without the tag if all lines have the same one.
std::vector<std::string> inputs_beside(const TextModel& model,
                                       const std::optional<std::string>& tag) {
  std::vector<std::string> names = model.inputs;
  check_tag(model, tag);
  if (tag) std::erase(names, kTagInput);
  return names;
}

// Refuses a file of tags together with one tag for all lines.
void refuse_two_tags(const std::vector<std::string>& inputs,
                     const std::optional<std::string>& tag) {
  for (const std::string& input : inputs) {
    if (tag && is_of_tag(input))
      throw_error(ErrorKind::kUsage, "{} and --tag {}: give one of them", input, *tag);
  }
}

void warn_of_text(const OtherText& text, const std::string& path) {
  spdlog::warn("{}: looks like {}, and is read line by line as it is; convert it: {}",
               input_name(path), text.found,
               source_command(text, is_stored_text(path) ? path : "-"));
}

// Warns if the beginning of a file is not UTF-8.
void warn_of_encoding(const std::string& path) {
  constexpr int64_t kLines = 10'000;
  const TextEncoding encoding = find_encoding(path, kLines);
  if (MalformedLines{.lines = kLines, .malformed = encoding.malformed}.are_many())
    spdlog::warn("{}: {} of the first lines are malformed UTF-8; {}", path,
                 format_count(encoding.malformed), conversion_advice(encoding, path));
}

}  // namespace

SourceReader::SourceReader(const TextModel& model, const std::vector<std::string>& inputs,
                           const std::optional<std::string>& tag, LineWarnings* warnings,
                           const std::vector<std::string>& beside)
    : names_(inputs_beside(model, tag)), tag_(tag), warnings_(warnings) {
  if (model.inputs.empty()) {
    throw_error(ErrorKind::kUsage,
                "a language model has no source, so there is nothing to translate; `heed "
                "generate` continues texts, `heed score` gives their log-probabilities");
  }
  refuse_two_tags(inputs, tag);
  const bool from_standard_input = inputs.empty() || (inputs.size() == 1 && inputs[0] == "-");
  objects_ = from_standard_input && names_.size() > 1;
  if (inputs.size() > std::max<size_t>(1, names_.size())) {
    throw_error(ErrorKind::kUsage, "{} inputs, but the model reads {}: {}", inputs.size(),
                names_.size(), fmt::join(names_, ", "));
  }
  if (objects_) paths_.push_back("-");
  for (const std::string& name : names_) {
    if (!objects_) paths_.push_back(path_of(name, inputs, names_));
  }
  std::vector<std::string> all = paths_;
  all.insert(all.end(), beside.begin(), beside.end());
  for (const std::string& path : paths_)
    readers_.push_back(std::make_unique<ColumnReader>(path, all));
}

SourceLine SourceReader::parse_object(const std::string& text) const {
  const auto fail = [&](const std::string& what) {
    throw_error(ErrorKind::kData,
                "standard input, line {}: {}; the model reads {}: each line is an object such as "
                "{{\"{}\": \"…\"}}, or give each as -i NAME=FILE{}",
                line_number(), what, fmt::join(names_, ", "), fmt::join(names_, "\": \"…\", \""),
                names_.back() == kTagInput ? ", or one tag for all lines by --tag NAME" : "");
  };
  const size_t malformed = find_malformed(text);
  if (malformed != std::string::npos && warnings_ == nullptr)
    fail(fmt::format("malformed UTF-8 at byte {}", malformed + 1));
  const std::string object = well_formed(text, line_number(), warnings_);
  SourceLine line;
  if (const auto fault = read_source_object(object, names_, line)) fail(*fault);
  return line;
}

bool SourceReader::next(SourceLine& line) {
  if (!read(line)) return false;
  if (tag_ && names_.size() == 1) refuse_object(line.front());
  if (line_number() == 1 && !objects_) warn_of_other_texts(line);
  if (tag_) line.push_back(*tag_);
  return true;
}

// Refuses JSON objects if one tag is given for all lines: they would be translated as plain text.
void SourceReader::refuse_object(const std::string& text) const {
  if (!text.starts_with('{')) return;
  const auto object = nlohmann::json::parse(text, nullptr, false);
  if (!object.is_object() || !object.contains(names_.front())) return;
  throw_error(ErrorKind::kData,
              "line {}: found a JSON object, expected plain text because --tag {} is given: leave "
              "--tag out, and give each object its \"{}\"",
              line_number(), *tag_, kTagInput);
}

bool SourceReader::read(SourceLine& line) {
  if (end_ && readers_.front()->lines().offset() >= *end_) return false;
  if (objects_) {
    std::string text;
    if (!readers_.front()->next(text)) return false;
    line = parse_object(text);
    return true;
  }
  line.resize(readers_.size());
  std::vector<size_t> ended;
  for (size_t i = 0; i < readers_.size(); ++i) {
    if (!readers_[i]->next(line[i])) ended.push_back(i);
  }
  if (!ended.empty() && ended.size() < readers_.size()) {
    throw_error(ErrorKind::kData, "{}: ends after {} lines, the other inputs have more",
                paths_[ended.front()], readers_[ended.front()]->lines().line_number());
  }
  return ended.empty();
}

void SourceReader::warn_of_other_texts(const SourceLine& first) const {
  for (size_t i = 0; i < paths_.size(); ++i) {
    if (readers_[i]->is_column()) continue;
    if (is_stored_text(paths_[i])) {
      if (const auto found = find_other_text(paths_[i], names_[i]); found && !has_markup_)
        warn_of_text(*found, paths_[i]);
      warn_of_encoding(paths_[i]);
    } else if (const auto found = find_other_text_in(first[i], names_[i]); found && !has_markup_) {
      warn_of_text(*found, paths_[i]);
    }
  }
}

std::optional<int64_t> SourceReader::count_lines() const {
  const fs::path& path = readers_.front()->path();
  if (path == "-" || !is_stored_text(path)) return std::nullopt;
  ColumnReader reader(paths_.front());
  int64_t count = 0;
  for (std::string line; reader.lines().next(line);) ++count;
  return count;
}

std::string SourceReader::name() const { return fmt::format("{}", fmt::join(paths_, ", ")); }

std::vector<LineFile> SourceReader::files() const {
  std::vector<LineFile> files;
  for (size_t i = 0; i < paths_.size(); ++i) {
    if (readers_[i]->is_column())
      throw_error(ErrorKind::kUsage,
                  "{}: shards are lines of a text, found a column of a table; take it out first "
                  "(cut)",
                  paths_[i]);
    files.push_back({"--input", paths_[i], &readers_[i]->lines()});
  }
  return files;
}

std::vector<NamedFile> input_files(const std::string& option,
                                   const std::vector<std::string>& inputs) {
  std::vector<NamedFile> files;
  for (const std::string& input : inputs) {
    files.push_back({option, text_of_argument(input).path});
    const size_t end = input.find('=');
    if (end != std::string::npos)
      files.push_back({option, text_of_argument(input.substr(end + 1)).path});
  }
  if (inputs.empty()) files.push_back({option, "-"});
  return files;
}

std::vector<SourceLine> read_all(SourceReader& reader) {
  std::vector<SourceLine> lines;
  for (SourceLine line; reader.next(line);) lines.push_back(line);
  return lines;
}

}  // namespace heed
