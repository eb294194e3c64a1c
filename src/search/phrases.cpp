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
  // Returns the longest form that ends here, or the end of the list.
  auto ended(const Ids& target, size_t end) const {
    if (end < target.size() && joins.join(target[end - 1], target[end])) return forms.end();
    return std::ranges::find_if(
        forms, [&](const Form* form) { return occurs(target, end, form->ids, form->ids.size()); });
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
  // Calls `take` with the forms of each phrase.
  template <class Take>
  void for_each_phrase(Take take) const {
    std::map<size_t, std::vector<const Form*>> phrases;
    for (const Form* form : forms) phrases[form->phrase].push_back(form);
    for (const auto& [number, own] : phrases) take(own);
  }
  // Largest number of spaces before the phrases: one for each phrase that begins with a word,
  // except the phrase that has begun or begins next.
  int64_t spaces(const Ids& target) const {
    if (!joins.space) return 0;
    const size_t begun_most = most_begun(target, target.size());
    const auto takes_none = [&](const Form* form) {
      return begun_most > 0 ? begun(target, target.size(), form->ids) == begun_most
                            : may_begin(target, form->ids);
    };
    const auto is_word = [&](const Form* form) {
      return WordJoins::is_open(joins.open_start, form->ids.front());
    };
    int64_t count = 0;
    bool is_first = true;  // true until a phrase took no space
    for_each_phrase([&](const std::vector<const Form*>& own) {
      const bool takes_one = !is_first || !std::ranges::any_of(own, takes_none);
      if (!takes_one) is_first = false;
      count += takes_one && std::ranges::any_of(own, is_word) ? 1 : 0;
    });
    return count;
  }
  // The most tokens that a phrase has fewer to go than its shortest form, because one of its forms
  // has begun.
  int64_t saved(const Ids& target, const std::vector<int64_t>& least) const {
    int64_t most = 0;
    for (const Form* form : forms) {
      const auto left = form->ids.size() - begun(target, target.size(), form->ids);
      most = std::max(most, least[form->phrase] - static_cast<int64_t>(left));
    }
    return most;
  }
  // Counts phrases that end up to here, each as soon as it ends.
  void meet_up_to(const Ids& target, size_t last) {
    for (size_t end = free + 1; end <= last; ++end) meet(target, end);
  }
  void meet(const Ids& target, size_t end) {
    const auto found = ended(target, end);
    if (found == forms.end()) return;
    note(end, (*found)->ids.size());
    std::erase_if(forms,
                  [phrase = (*found)->phrase](const Form* form) { return form->phrase == phrase; });
    free = end;
  }
  // Reads the token before `end`.
  void read(const Ids& target, size_t end) {
    const auto found = ended(target, end);
    const size_t size = found == forms.end() ? 0 : (*found)->ids.size();
    size_t most = 0;  // of other phrases
    for (const Form* form : forms) {
      if (found == forms.end() || form->phrase != (*found)->phrase)
        most = std::max(most, begun(target, end, form->ids));
    }
    // Tokens before the longer one belong to no other phrase.
    meet_up_to(target, end - std::max(most, size));
    if (size > most) meet(target, end);
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
  for (RequiredPhrase& phrase : phrases) {
    HEED_CHECK(!phrase.forms.empty(), "a phrase without forms");
    for (Ids& form : phrase.forms) {
      HEED_CHECK(!form.empty(), "a phrase without tokens");
      forms_.push_back({std::move(form), least_.size()});
    }
    const auto first = forms_.end() - std::ssize(phrase.forms);
    least_.push_back(
        std::ssize(std::min_element(first, forms_.end(), [](const Form& a, const Form& b) {
                     return a.ids.size() < b.ids.size();
                   })->ids));
    tokens_ += least_.back();
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
  Progress progress{.occurrences = std::move(unmet.occurrences)};
  int64_t left = -unmet.saved(target, least_);  // tokens
  unmet.for_each_phrase([&](const auto& own) { left += least_[own.front()->phrase]; });
  for (const Form* form : unmet.forms) {
    if (unmet.may_begin(target, form->ids))
      progress.next.push_back(form->ids.front());
    else if (joins_->space)
      progress.next.push_back(*joins_->space);
    const size_t count = unmet.begun(target, target.size(), form->ids);
    if (count > 0) progress.next.push_back(form->ids[count]);
  }
  progress.met = tokens_ - left;
  progress.missing = left + unmet.spaces(target);
  return progress;
}

}  // namespace heed
