// An axis of an attention map: tokens, or the words that they form.
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
  std::vector<size_t> groups;       // number of the group of each token, or kHidden
  std::string name;                 // "source tokens"
};

MapAxis token_axis(const std::vector<std::string>& tokens, const std::string& name);
// words: the words that each token is part of; tokens that share a word form one group.
MapAxis word_axis(const std::vector<std::string>& tokens, const PieceWords& words,
                  const Tokenizer& tokenizer, const std::string& name);
// Numbers rows or columns that are not tokens: 1, 2, 3 …
MapAxis numbered_axis(size_t size, const std::string& name);
// Appends a token in a separate group.
void push_back(MapAxis& axis, const std::string& label);
// Appends a token that the map leaves out.
void push_hidden(MapAxis& axis);
void push_front(MapAxis& axis, const std::string& label);

// Converts weights of tokens to a map of groups: the sum over the columns of a group, the mean over
// its rows.
AttentionMap map_of_groups(const std::vector<std::vector<double>>& weights, const MapAxis& rows,
                           const MapAxis& columns);

}  // namespace heed
