#include "data/pair_encoder.h"

#include <algorithm>

#include "base/error.h"

namespace heed {

Example PairEncoder::encode(const std::vector<std::string>& lines,
                            const std::optional<EdgesLine>& edges, int64_t longest) const {
  HEED_CHECK(lines.size() == codecs.size() && lines.size() > 1);
  Example example;
  const Vocabulary& target = codecs.back()->vocabulary();
  std::vector<std::string> pieces;
  const auto cut = [longest](auto& list) {
    list.resize(std::min(list.size(), static_cast<size_t>(longest)));
  };
  for (size_t side = 0; side < lines.size(); ++side) {
    Ids ids = codecs[side]->encode(lines[side], &pieces);
    if (side == 0 && edges) {
      example.edges =
          read_edges(edges->line, lines[0], pieces, codecs[0]->tokenizer(), edges->place);
    }
    cut(ids);
    cut(pieces);
    if (side == 0 && copies) example.copyable = copyable(pieces, target);
    if (side + 1 < lines.size()) {
      example.sources.push_back(std::move(ids));
    } else {
      example.target =
          copies ? with_copied(std::move(ids), pieces, *example.copyable, target) : std::move(ids);
    }
  }
  return example;
}

}  // namespace heed
