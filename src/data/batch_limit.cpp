#include "data/batch_limit.h"

#include <algorithm>
#include <numeric>

#include "config/sizes.h"

namespace heed {

void BatchConfig::fields(Fields& f) {
  f.field("sentences", sentences, kSentences, "sentence pairs per batch, instead of tokens");
  f.complete([this] {
    if (sentences) tokens.reset();  // the default gives way; what is read below does not
  });
  constexpr IntRange kTokens{1, 100'000'000};
  f.field("tokens", tokens, kTokens,
          "tokens per batch: pairs × length of the longer of source and target, including padding; "
          "a pair that is longer is a batch by itself");
  f.peers("sentences", {.joeynmt = "batch_type: sentence, batch_size",
                        .opennmt = "batch_type: sents, batch_size",
                        .marian = "mini-batch"});
  f.peers("tokens", {.joeynmt = "batch_type: token, batch_size",
                     .opennmt = "batch_type: tokens, batch_size",
                     .marian = "mini-batch-words"});
}

void BatchConfig::validate(Problems& problems) const {
  if (tokens && sentences) problems.add("", "allows tokens or sentences, not both");
  if (!tokens && !sentences) problems.add("", "needs tokens or sentences");
}

std::vector<std::vector<size_t>> sorted_batches(const std::vector<int64_t>& lengths,
                                                const BatchLimit& limit) {
  std::vector<size_t> order(lengths.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) { return lengths[a] > lengths[b]; });
  std::vector<std::vector<size_t>> batches;
  for (const size_t sentence : order) {
    const bool fits =
        !batches.empty() && limit.allows(static_cast<int64_t>(batches.back().size()) + 1,
                                         lengths[batches.back().front()] + 1);
    if (!fits) batches.emplace_back();
    batches.back().push_back(sentence);
  }
  return batches;
}

}  // namespace heed
