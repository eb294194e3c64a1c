// The problems of one reading: each finds its place in the tree by its path.
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

  // From validate(): not shown if this path, or what it is part of, has a problem already.
  void add(const std::string& path, const std::string& message) override;
  bool is_set(const std::string& path) const override;
  bool is_whole(const std::string& path) const override;

  void add_at(const FilePlace& place, const std::string& path, const std::string& message);
  // At the place of what stands at the path, or else of the nearest thing around it that was
  // written.
  void add_at_path(const std::string& path, const std::string& message);
  // A field that has to be given and is not. Said by settle_missing(), when it is known what else
  // is missing: the parts of something that is missing are not named.
  void add_missing(const std::string& path, const std::string& message) {
    missing_.emplace(path, message);
  }
  void settle_missing();

  // Everything, sorted by place; what --set gave comes last.
  std::vector<Problem> sorted() const;

 private:
  const Node& root_;
  std::string file_;
  std::vector<Problem> problems_;
  std::set<std::string> paths_;                 // that have a problem
  std::map<std::string, std::string> missing_;  // path, message
};

}  // namespace heed
