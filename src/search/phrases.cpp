#include "search/phrases.h"

#include <algorithm>
#include <limits>

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
  std::vector<const Form*> forms{};  // longest first
  size_t free = 0;                   // end of the last occurrence that counts
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
    for (const Form* form : forms) most = std::max(most, begun(target, end, form->ids));
    return most;
  }
  // Returns the form that ends here and counts most, the longest of equal ones; nullptr: none ends.
  const Form* ended(const Ids& target, size_t end) const {
    if (end < target.size() && joins.join(target[end - 1], target[end])) return nullptr;
    const Form* best = nullptr;
    for (const Form* form : forms) {
      if ((best == nullptr || form->least > best->least) &&
          occurs(target, end, form->ids, form->ids.size()))
        best = form;
    }
    return best;
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
  // Tokens that a phrase takes at least, in the form that takes the fewest.
  struct Cost {
    int64_t tokens = 0;     // whole
    int64_t left = kMost;   // of a form that has begun, or else whole
    int64_t later = kMost;  // whole, with a space before it
    int64_t next = kMost;   // if it is the next phrase
  };
  static constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  std::map<size_t, Cost> costs(const Ids& target) const {
    std::map<size_t, Cost> all;
    for (const Form* form : forms) {
      Cost& cost = all[form->phrase];
      const int64_t size = std::ssize(form->ids);
      const int64_t left = size - static_cast<int64_t>(begun(target, target.size(), form->ids));
      const bool takes_space =
          joins.space && WordJoins::is_open(joins.open_start, form->ids.front());
      cost.tokens = form->least;
      cost.left = std::min(cost.left, left);
      cost.later = std::min(cost.later, size + (takes_space ? 1 : 0));
      if (left < size || may_begin(target, form->ids)) cost.next = std::min(cost.next, left);
    }
    return all;
  }
  // Counts phrases that end up to here, each as soon as it ends.
  void meet_up_to(const Ids& target, size_t last) {
    for (size_t end = free + 1; end <= last; ++end) meet(target, end);
  }
  void meet(const Ids& target, size_t end) {
    const Form* found = ended(target, end);
    if (found == nullptr) return;
    note(end, found->ids.size());
    std::erase_if(forms, [found](const Form* form) { return form->phrase == found->phrase; });
    free = end;
  }
  // Reads the token before `end`.
  void read(const Ids& target, size_t end) {
    const Form* found = ended(target, end);
    // Tokens that another phrase has fewer to go because one of its forms has begun.
    int64_t saved = 0;
    size_t tokens = found == nullptr ? 0 : found->ids.size();
    for (const Form* form : forms) {
      if (found != nullptr && form->phrase == found->phrase) continue;
      const size_t own = begun(target, end, form->ids);
      const int64_t saves = form->least - static_cast<int64_t>(form->ids.size() - own);
      if (saves <= 0) continue;
      saved = std::max(saved, saves);
      tokens = std::max(tokens, own);
    }
    // Tokens before the longer one belong to no other phrase.
    meet_up_to(target, end - tokens);
    if (found != nullptr && found->least > saved) meet(target, end);
  }
  // Adds an occurrence of `tokens` tokens that ends here.
  void note(size_t end, size_t tokens) {
    occurrences.push_back({static_cast<int64_t>(end - tokens), static_cast<int64_t>(end)});
  }
};

int64_t RequiredPhrase::longest() const {
  return std::ssize(*std::ranges::max_element(forms, {}, &Ids::size));
}

std::vector<RequiredPhrase> required(const std::vector<Ids>& phrases) {
  return {phrases.begin(), phrases.end()};
}

Phrases::Phrases(std::vector<RequiredPhrase> phrases, std::shared_ptr<const WordJoins> joins)
    : joins_(joins ? std::move(joins) : std::make_shared<const WordJoins>()) {
  for (size_t number = 0; number < phrases.size(); ++number) {
    std::vector<Ids>& forms = phrases[number].forms;
    HEED_CHECK(!forms.empty(), "a phrase without forms");
    const int64_t least = std::ssize(*std::ranges::min_element(forms, {}, &Ids::size));
    tokens_ += least;
    for (Ids& form : forms) {
      HEED_CHECK(!form.empty(), "a phrase without tokens");
      forms_.push_back({std::move(form), number, least});
    }
  }
  std::ranges::stable_sort(forms_, std::greater(),
                           [](const Form& form) { return form.ids.size(); });
}

std::shared_ptr<const Phrases::Unmet> Phrases::before_last(const Ids& target) const {
  if (const auto found = read_.find(target); found != read_.end()) return found->second;
  std::erase_if(read_, [&](const auto& one) { return one.first.size() + 1 < target.size(); });
  auto unmet = std::make_shared<Unmet>(Unmet{.joins = *joins_});
  for (const Form& form : forms_) unmet->forms.push_back(&form);
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
  Progress progress{.met = tokens_, .occurrences = std::move(unmet.occurrences)};
  int64_t begun_saves = 0, next_saves = 0;
  for (const auto& [number, cost] : unmet.costs(target)) {
    progress.met -= cost.tokens;
    progress.missing += cost.later;
    begun_saves = std::max(begun_saves, cost.tokens - cost.left);
    next_saves = std::max(next_saves, cost.later - std::min(cost.later, cost.next));
  }
  progress.met += begun_saves;
  progress.missing -= next_saves;
  for (const Form* form : unmet.forms) {
    if (unmet.may_begin(target, form->ids))
      progress.next.push_back(form->ids.front());
    else if (joins_->space)
      progress.next.push_back(*joins_->space);
    const size_t count = unmet.begun(target, target.size(), form->ids);
    if (count > 0) progress.next.push_back(form->ids[count]);
  }
  return progress;
}

}  // namespace heed
