// What stands along a side of an attention map: tokens, or the words that they make.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "report/attention_map.h"
#include "text/tokenizer.h"

namespace heed {

struct MapAxis {
  static constexpr size_t kHidden = std::numeric_limits<size_t>::max();
  std::vector<std::string> labels;  // of the groups
  std::vector<size_t> groups;       // of each token, the number of its group, or kHidden
  std::string name;                 // "source tokens"
};

MapAxis token_axis(const std::vector<std::string>& tokens, const std::string& name);
// words: which each token is part of; tokens that share a word are one group.
MapAxis word_axis(const std::vector<std::string>& tokens, const PieceWords& words,
                  const Tokenizer& tokenizer, const std::string& name);
// Names of rows or columns that are no tokens: 1, 2, 3 …
MapAxis numbered_axis(size_t size, const std::string& name);
// One more, alone in its group.
void push_back(MapAxis& axis, const std::string& label);
// One that a map leaves out.
void push_hidden(MapAxis& axis);
void push_front(MapAxis& axis, const std::string& label);

// Weights of tokens as a map of groups: summed over the columns of a group, averaged over its rows.
AttentionMap map_of_groups(const std::vector<std::vector<double>>& weights, const MapAxis& rows,
                           const MapAxis& columns);

}  // namespace heed
