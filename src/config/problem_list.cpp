#include "config/problem_list.h"

#include <algorithm>

namespace heed {

namespace {

constexpr size_t kMostProblems = 1000;

// A scalar is at fault itself; for a map or a list, its key is the place to look at.
FilePlace place_of(const Found& found, const Node& root) {
  if (found.entry == nullptr) return root.place;
  const bool is_scalar = found.exact && found.node->is(Node::Form::kScalar);
  return is_scalar ? found.node->place : found.entry->place;
}

// Calls `visit` with "a", "a.b", "a.b[0]" for "a.b[0].c", until it returns true.
template <class Visit>
bool any_around(const std::string& path, Visit visit) {
  for (size_t end = path.find_last_of(".["); end != std::string::npos && end > 0;
       end = path.find_last_of(".[", end - 1)) {
    if (visit(path.substr(0, end))) return true;
  }
  return false;
}

}  // namespace

void ProblemList::add(const std::string& path, const std::string& message) {
  const auto has_problem = [this](const std::string& around) { return paths_.contains(around); };
  if (!has_problem(path) && !any_around(path, has_problem)) add_at_path(path, message);
}

bool ProblemList::is_set(const std::string& path) const { return find_path(root_, path).exact; }

bool ProblemList::is_whole(const std::string& path) const {
  const auto is_inside = [&path](const std::string& found) {
    return found == path || found.starts_with(path + ".") || found.starts_with(path + "[");
  };
  const auto has_problem = [this](const std::string& around) { return paths_.contains(around); };
  return std::ranges::none_of(paths_, is_inside) && !any_around(path, has_problem);
}

void ProblemList::add_at(const FilePlace& place, const std::string& path,
                         const std::string& message) {
  paths_.insert(path);  // is_whole() has to know of those, too, that are not shown
  if (problems_.size() >= kMostProblems) return;
  problems_.push_back(
      {place.origin.empty() ? file_ : place.origin, place.line, place.column, path, message});
}

void ProblemList::add_at_path(const std::string& path, const std::string& message) {
  add_at(place_of(find_path(root_, path), root_), path, message);
}

void ProblemList::settle_missing() {
  for (const auto& [path, message] : missing_) {
    if (!any_around(path,
                    [this](const std::string& around) { return missing_.contains(around); })) {
      add_at_path(path, message);
    }
  }
  missing_.clear();
}

std::vector<Problem> ProblemList::sorted() const {
  std::vector<Problem> result = problems_;
  sort_problems(result);
  return result;
}

}  // namespace heed
