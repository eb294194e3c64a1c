// From what the command line names to models, search settings and source lines.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "cli/options.h"
#include "search/search.h"
#include "search/text_model.h"

namespace heed {

// Runs, checkpoints or model folders; several become an ensemble. Throws Error(kModel).
TextModel load_text_model(const std::vector<std::string>& paths, const std::string& device);

// As many as were asked for, else one a core, or one on a GPU.
int64_t worker_count(std::optional<int64_t> workers, const TextModel& model);

// What the model says, but where the options say otherwise. Throws Error(kUsage) where the settings do
// not go together.
SearchConfig search_config(const SearchOptions& options, std::optional<int64_t> nbest,
                           const TextModel& model);

// The sources of a model side by side, from one file each.
class SourceReader {
 public:
  // inputs: FILE, or NAME=FILE for each of several sources; none: standard input. Throws
  // Error(kUsage) where they do not fit the model, Error(kIo) for a file that cannot be read.
  SourceReader(const TextModel& model, const std::vector<std::string>& inputs);
  // False at the end. Throws Error(kData) if one file is shorter than another.
  bool next(SourceLine& line);
  // How many lines there are; nullopt for what can be read only once.
  std::optional<int64_t> count_lines() const;
  // What is read: "a.en" or "a.en, a.de".
  std::string name() const;

 private:
  std::vector<std::string> paths_;
  std::vector<std::unique_ptr<LineReader>> readers_;
};

// All lines of a reader.
std::vector<SourceLine> read_all(SourceReader& reader);

}  // namespace heed
