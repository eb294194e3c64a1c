#include "align/links.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "base/sorted.h"

namespace heed {

namespace {

using Link = Links::value_type;

// The alignment while it grows from the links that both directions have.
class Growth {
 public:
  explicit Growth(const Links& links) : links_(links) {
    for (const Link& link : links) cover(link);
  }

  bool covers_both(const Link& link) const {
    return has(sources_, link.first) && has(targets_, link.second);
  }
  bool covers_none(const Link& link) const {
    return !has(sources_, link.first) && !has(targets_, link.second);
  }
  bool has_neighbour(const Link& link) const {
    return std::ranges::any_of(links_, [&](const Link& other) {
      return std::abs(other.first - link.first) <= 1 && std::abs(other.second - link.second) <= 1;
    });
  }
  void add(const Link& link) {
    links_.push_back(link);
    cover(link);
  }
  Links sorted() const {
    Links links = links_;
    sort_unique(links);
    return links;
  }

 private:
  static bool has(const std::vector<bool>& words, int32_t word) {
    return static_cast<size_t>(word) < words.size() && words[static_cast<size_t>(word)];
  }
  static void cover(std::vector<bool>& words, int32_t word) {
    const auto at = static_cast<size_t>(word);
    if (at >= words.size()) words.resize(at + 1);
    words[at] = true;
  }
  void cover(const Link& link) {
    cover(sources_, link.first);
    cover(targets_, link.second);
  }

  Links links_;
  std::vector<bool> sources_{}, targets_{};  // words with links
};

// Adds links next to others, also diagonally, with a word that had none, as long as there are any.
void grow_diagonally(Growth& growth, Links waiting) {
  const auto take = [&](const Link& link) {
    const bool is_taken = !growth.covers_both(link) && growth.has_neighbour(link);
    if (is_taken) growth.add(link);
    return is_taken;
  };
  while (std::erase_if(waiting, take) > 0) {
  }
}

}  // namespace

Links symmetrize(Links forward, Links reverse, Symmetrization how) {
  sort_unique(forward);
  sort_unique(reverse);
  Links all, both;
  std::ranges::set_union(forward, reverse, std::back_inserter(all));
  if (how == Symmetrization::kUnion) return all;
  std::ranges::set_intersection(forward, reverse, std::back_inserter(both));
  if (how == Symmetrization::kIntersection) return both;
  Growth growth(both);
  grow_diagonally(growth, all);
  if (how == Symmetrization::kGrowDiag) return growth.sorted();
  for (const Links* direction : {&forward, &reverse}) {
    for (const Link& link : *direction) {
      const bool is_taken = how == Symmetrization::kGrowDiagFinalAnd ? growth.covers_none(link)
                                                                     : !growth.covers_both(link);
      if (is_taken) growth.add(link);
    }
  }
  return growth.sorted();
}

}  // namespace heed
