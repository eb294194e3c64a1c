#include "cli/plot/tensors/sentence_map.h"

#include <algorithm>
#include <numeric>

#include "text/marker.h"

namespace heed {

std::optional<AttentionMap> sentence_map(const AttentionMap& words, const Tokenizer& tokenizer) {
  if (std::ranges::count(words.source, kMarkerPiece) == 0) return std::nullopt;
  AttentionMap map{.title = "",
                   .source = words.target,
                   .target = {},
                   .weights = {},
                   .rows = "sentences",
                   .columns = words.rows,
                   .name = words.name + ", by sentences"};
  const auto end = words.source.end() - 1;  // kEnd, which is in the last sentence
  for (auto first = words.source.begin(); first <= end;) {
    const auto marker = std::find(first, end, kMarkerPiece);
    map.target.push_back(tokenizer.decode({first, marker}));
    const auto from = first - words.source.begin();
    first = marker + 1;  // behind the marker of this sentence, or kEnd
    const auto to = first - words.source.begin();
    std::vector<double>& sums = map.weights.emplace_back();
    for (const auto& row : words.weights)
      sums.push_back(std::accumulate(row.begin() + from, row.begin() + to, 0.0));
  }
  return map;
}

}  // namespace heed
