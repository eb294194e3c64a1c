// Problems that are found while a config is read. The position of each is looked up in the tree by
// its path.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "config/reader.h"
#include "config/settings.h"
#include "config/tree.h"

namespace heed {

class ProblemList final : public Problems {
 public:
  ProblemList(const Node& root, std::string file) : root_(root), file_(std::move(file)) {}

  // Called by validate(). The problem is dropped if its path, or a path that contains it, has one
  // already.
  void add(const std::string& path, const std::string& message) override;
  bool is_set(const std::string& path) const override;
  bool is_whole(const std::string& path) const override;

  void add_at(const FilePlace& place, const std::string& path, const std::string& message);
  // Adds a problem at the position of the value at `path`, or of the nearest enclosing value that
  // was written.
  void add_at_path(const std::string& path, const std::string& message);
  // Adds a required field that is missing. settle_missing() reports it once all missing fields are
  // known: parts of a missing value are not reported.
  void add_missing(const std::string& path, const std::string& message) {
    missing_.emplace(path, message);
  }
  void settle_missing();

  // All problems, sorted by position; problems of --set are last.
  std::vector<Problem> sorted() const;

 private:
  const Node& root_;
  std::string file_;
  std::vector<Problem> problems_;
  std::set<std::string> paths_;                 // that have a problem
  std::map<std::string, std::string> missing_;  // path, message
};

}  // namespace heed
