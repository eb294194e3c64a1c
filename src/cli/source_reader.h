// The source lines that a command reads, from the files that its options name.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/line_warnings.h"
#include "base/same_file.h"
#include "data/column_reader.h"
#include "translate/shards/line_file.h"
#include "translate/text_model.h"

namespace heed {

// Throws Error(kUsage) for a tag that the model does not have.
void check_tag(const TextModel& model, const std::optional<std::string>& tag);

// Throws Error(kUsage) if `option` gives a language model a source, which it does not read, and for
// a tag.
void refuse_source(const TextModel& model, const char* option,
                   const std::vector<std::string>& inputs, const std::optional<std::string>& tag);

// Reads the inputs of a model line by line, side by side, from one file each.
class SourceReader {
 public:
  // inputs: FILE, or NAME=FILE for each of several inputs of the model, each a text of
  // data/column_reader.h. None: standard input, where a line of several inputs is a JSON object
  // {"NAME": "text", …}. tag: of every line; the tag is then not read as an input. warnings: receives
  // malformed bytes of an object, which are then read as U+FFFD; nullptr: they are an error. beside:
  // further texts of the command (column_reader.h). Throws Error(kUsage) for inputs that do not fit
  // the model, Error(kIo) for a file that cannot be read.
  SourceReader(const TextModel& model, const std::vector<std::string>& inputs,
               const std::optional<std::string>& tag, LineWarnings* warnings,
               const std::vector<std::string>& beside = {});
  // False at the end. Throws Error(kData) if one file is shorter than another, and for a line that
  // is not such an object. With the first line, warns of XML, CSV, JSON and another encoding.
  bool next(SourceLine& line);
  // Number of lines read so far.
  int64_t line_number() const { return readers_.front()->lines().line_number(); }
  // Number of lines; nullopt for an input that can be read only once.
  std::optional<int64_t> count_lines() const;
  // Names of the files: "a.en" or "a.en, a.de".
  std::string name() const;
  // The files, in the order of the texts of a line. Throws Error(kUsage) for columns of a table.
  std::vector<LineFile> files() const;
  // Lines have markup: next() does not warn of XML and HTML.
  void expect_markup() { has_markup_ = true; }
  // Ends the input before the first line that begins at or after this offset of the first file.
  void end_at(int64_t offset) { end_ = offset; }

 private:
  SourceLine parse_object(const std::string& text) const;

  bool read(SourceLine& line);
  // first: the line read first, all that is seen of a pipe.
  void warn_of_other_texts(const SourceLine& first) const;
  void refuse_object(const std::string& text) const;

  std::vector<std::string> names_;  // of the inputs
  std::optional<std::string> tag_;
  LineWarnings* warnings_;
  bool objects_ = false;  // whether each line is an object of all inputs
  std::vector<std::string> paths_;
  std::vector<std::unique_ptr<ColumnReader>> readers_;
  bool has_markup_ = false;
  std::optional<int64_t> end_;  // of the first file
};

// The files that inputs may name, each FILE or NAME=FILE, for refuse_same_files().
std::vector<NamedFile> input_files(const std::string& option,
                                   const std::vector<std::string>& inputs);

// All lines of a reader.
std::vector<SourceLine> read_all(SourceReader& reader);

}  // namespace heed
