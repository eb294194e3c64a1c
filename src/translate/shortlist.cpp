#include "translate/shortlist.h"

#include <algorithm>
#include <numeric>

#include "base/sorted.h"

namespace heed {

namespace {

// The target tokens of the highest sums of probabilities over all source tokens, none of 0.
Ids frequent_tokens(const Lexicon& lexicon, int64_t count) {
  std::vector<double> sums(static_cast<size_t>(lexicon.targets()), 0);
  for (int32_t s = 0; s < lexicon.sources(); ++s) {
    for (const auto& [target, probability] : lexicon.of(s))
      sums[static_cast<size_t>(target)] += probability;
  }
  Ids tokens(sums.size());
  std::iota(tokens.begin(), tokens.end(), 0);
  std::ranges::stable_sort(tokens, std::ranges::greater(),
                           [&sums](int32_t token) { return sums[static_cast<size_t>(token)]; });
  const auto is_one = [&sums](int32_t token) { return sums[static_cast<size_t>(token)] > 0; };
  tokens.resize(std::min(static_cast<size_t>(std::ranges::count_if(tokens, is_one)),
                         static_cast<size_t>(count)));
  return tokens;
}

void append(Ids& ids, const Ids& more) { ids.insert(ids.end(), more.begin(), more.end()); }

}  // namespace

Shortlist::Shortlist(const Lexicon& lexicon, const ShortlistSizes& sizes, const Vocabulary& source,
                     const Vocabulary& target)
    : always_(frequent_tokens(lexicon, sizes.frequent)), of_each_(lexicon.sources()) {
  append(always_, {kEnd, kUnknown});
  for (int32_t s = 0; s < lexicon.sources(); ++s) {
    Ids& own = of_each_[static_cast<size_t>(s)];
    for (const auto& [token, unused] : lexicon.of(s)) {
      if (std::ssize(own) == sizes.best) break;
      own.push_back(token);
    }
    if (s >= kSpecials) own.push_back(target.id(source.piece(s)));  // itself, or kUnknown
  }
}

Candidates Shortlist::candidates(const Ids& source, const std::vector<Ids>& more) const {
  Ids all = always_;
  for (const int32_t s : source) append(all, of_each_.at(static_cast<size_t>(s)));
  for (const Ids& ids : more) append(all, ids);
  sort_unique(all);
  return std::make_shared<const Ids>(std::move(all));
}

}  // namespace heed
