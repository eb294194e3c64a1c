// metrics.jsonl: a JSON object a line for each line of the log, each with its "kind" (train,
// validation, test) and "update"; epochs and updates are counted from 1.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>

#include "base/descriptor.h"
#include "train/parts.h"
#include "train/translated_text.h"

namespace heed {

class MetricsFile {
 public:
  // Continues the file from this progress: lines of later updates are removed.
  MetricsFile(std::filesystem::path path, const Progress& progress);

  void updates(const Progress& progress, const UpdateReport& report, double tokens_per_second);
  void validated(const Validation& validation, bool is_best, double seconds);
  // `checkpoint`: the update of the model that was tested.
  void tested(const std::string& name, const std::vector<TextScore>& scores, int64_t update,
              int64_t checkpoint);

  // The test sets that were scored after this update.
  std::set<std::string> tested(int64_t update) const;

 private:
  void append(const std::string& line);
  std::filesystem::path path_;
  Descriptor file_;
};

}  // namespace heed
