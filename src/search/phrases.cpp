#include "search/phrases.h"

#include <algorithm>

#include "base/error.h"

namespace heed {

namespace {

bool ends_at(const Ids& target, size_t end, size_t free, const Ids& phrase, size_t count) {
  return end - free >= count &&
         std::equal(phrase.begin(), phrase.begin() + static_cast<ptrdiff_t>(count),
                    target.begin() + static_cast<ptrdiff_t>(end - count));
}

}  // namespace

// Unmet phrases of a target that is read from left to right.
struct Phrases::Unmet {
  const WordJoins& joins;
  std::vector<const Ids*> phrases{};  // longest first
  size_t free = 0;                    // end of the last occurrence that counts
  std::vector<Phrases::Occurrence> occurrences{};

  // Returns the largest number of tokens, fewer than all, at the beginning of a phrase that end
  // here.
  size_t begun(const Ids& target, size_t end, const Ids& phrase) const {
    size_t count = std::min(phrase.size() - 1, end - free);
    while (count > 0 && !occurs(target, end, phrase, count)) --count;
    return count;
  }
  size_t most_begun(const Ids& target, size_t end) const {
    size_t most = 0;
    for (const Ids* phrase : phrases) most = std::max(most, begun(target, end, *phrase));
    return most;
  }
  // Returns the longest phrase that ends here, or the end of the list.
  auto ended(const Ids& target, size_t end) const {
    if (end < target.size() && joins.join(target[end - 1], target[end])) return phrases.end();
    return std::ranges::find_if(
        phrases, [&](const Ids* phrase) { return occurs(target, end, *phrase, phrase->size()); });
  }
  // True if the first `count` tokens of the phrase end here and begin with a word.
  bool occurs(const Ids& target, size_t end, const Ids& phrase, size_t count) const {
    if (!ends_at(target, end, free, phrase, count)) return false;
    const size_t begin = end - count;
    return begin == 0 || !joins.join(target[begin - 1], target[begin]);
  }
  // True if the phrase can begin after the target.
  bool may_begin(const Ids& target, const Ids& phrase) const {
    return target.empty() || !joins.join(target.back(), phrase.front());
  }
  // Largest number of spaces before the phrases: one for each phrase that begins with a word,
  // except the phrase that has begun or begins next.
  int64_t spaces(const Ids& target) const {
    if (!joins.space) return 0;
    const size_t begun_most = most_begun(target, target.size());
    const auto takes_none = [&](const Ids* phrase) {
      return begun_most > 0 ? begun(target, target.size(), *phrase) == begun_most
                            : may_begin(target, *phrase);
    };
    int64_t count = 0;
    bool is_first = true;  // true until a phrase took no space
    for (const Ids* phrase : phrases) {
      const bool takes_one = !is_first || !takes_none(phrase);
      if (!takes_one) is_first = false;
      count += takes_one && WordJoins::is_open(joins.open_start, phrase->front()) ? 1 : 0;
    }
    return count;
  }
  // Counts phrases that end up to here, each as soon as it ends.
  void meet_up_to(const Ids& target, size_t last) {
    for (size_t end = free + 1; end <= last; ++end) meet(target, end);
  }
  void meet(const Ids& target, size_t end) {
    const auto found = ended(target, end);
    if (found == phrases.end()) return;
    note(end, (*found)->size());
    phrases.erase(found);
    free = end;
  }
  // Reads the token before `end`.
  void read(const Ids& target, size_t end) {
    const size_t most = most_begun(target, end);
    const auto found = ended(target, end);
    const size_t size = found == phrases.end() ? 0 : (*found)->size();
    // Tokens before the longer one belong to no other phrase.
    meet_up_to(target, end - std::max(most, size));
    if (size > most) meet(target, end);
  }
  // Adds an occurrence of `tokens` tokens that ends here.
  void note(size_t end, size_t tokens) {
    occurrences.push_back({static_cast<int64_t>(end - tokens), static_cast<int64_t>(end)});
  }
};

Phrases::Phrases(std::vector<Ids> phrases, std::shared_ptr<const WordJoins> joins)
    : phrases_(std::move(phrases)),
      joins_(joins ? std::move(joins) : std::make_shared<const WordJoins>()) {
  std::ranges::stable_sort(phrases_, std::greater(), &Ids::size);
  for (const Ids& phrase : phrases_) {
    HEED_CHECK(!phrase.empty(), "a phrase without tokens");
    tokens_ += std::ssize(phrase);
  }
}

std::shared_ptr<const Phrases::Unmet> Phrases::before_last(const Ids& target) const {
  if (const auto found = read_.find(target); found != read_.end()) return found->second;
  std::erase_if(read_, [&](const auto& one) { return one.first.size() + 1 < target.size(); });
  auto unmet = std::make_shared<Unmet>(Unmet{.joins = *joins_});
  for (const Ids& phrase : phrases_) unmet->phrases.push_back(&phrase);
  size_t end = 1;
  if (!target.empty()) {
    const auto shorter = read_.find(Ids(target.begin(), target.end() - 1));
    if (shorter != read_.end()) {
      unmet = std::make_shared<Unmet>(*shorter->second);
      end = std::max<size_t>(1, target.size() - 1);
    }
  }
  for (; end < target.size(); ++end) unmet->read(target, end);
  return read_[target] = unmet;
}

Phrases::Progress Phrases::of(const Ids& target) const {
  const Ids shorter(target.begin(), target.end() - (target.empty() ? 0 : 1));
  Unmet unmet = *before_last(shorter);
  for (size_t end = std::max<size_t>(1, shorter.size()); end <= target.size(); ++end)
    unmet.read(target, end);
  const size_t begun = unmet.most_begun(target, target.size());
  if (begun > 0) unmet.note(target.size(), begun);
  Progress progress{.met = tokens_ + static_cast<int64_t>(begun),
                    .occurrences = std::move(unmet.occurrences)};
  for (const Ids* phrase : unmet.phrases) {
    progress.met -= std::ssize(*phrase);
    if (unmet.may_begin(target, *phrase))
      progress.next.push_back(phrase->front());
    else if (joins_->space)
      progress.next.push_back(*joins_->space);
    const size_t count = unmet.begun(target, target.size(), *phrase);
    if (count > 0) progress.next.push_back((*phrase)[count]);
  }
  progress.missing = tokens_ - progress.met + unmet.spaces(target);
  return progress;
}

}  // namespace heed
