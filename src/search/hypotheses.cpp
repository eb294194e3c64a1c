#include "search/hypotheses.h"

#include <algorithm>

namespace heed {

HypothesisTree::HypothesisTree(const SearchConfig& config, int64_t max_length,
                               Constraints constraints, bool keep_attention)
    : config_(config),
      max_length_(max_length),
      constraints_(std::move(constraints)),
      keep_attention_(keep_attention) {}

double HypothesisTree::score(const Live& live) const {
  return config_.score(live.log_probability, length_, live.coverage.value());
}

void HypothesisTree::limit(int64_t first_row, Limits& limits) const {
  for (size_t i = 0; i < live_.size(); ++i) {
    const auto row = first_row + static_cast<int64_t>(i);
    const NextToken next = next_token(constraints_, ids_up_to(live_[i].node));
    for (const int32_t id : next.banned) limits.banned.push_back({row, id});
    if (next.forced) limits.forced.push_back({row, *next.forced});
  }
}

int64_t HypothesisTree::add_node(int64_t parent, int32_t id, double log_probability,
                                 int64_t first_row, const Attention& attention) {
  nodes_.push_back({live_[parent].node, id, log_probability, {}});
  if (keep_attention_) {
    if (const auto weights = attention(first_row + parent))
      nodes_.back().attention.emplace(weights->begin(), weights->end());
  }
  return std::ssize(nodes_) - 1;
}

Ids HypothesisTree::ids_up_to(int64_t node) const {
  Ids ids;
  for (; node >= 0; node = nodes_[node].parent) ids.push_back(nodes_[node].id);
  std::reverse(ids.begin(), ids.end());
  return ids;
}

Hypothesis HypothesisTree::trace(const End& end) const {
  Hypothesis result;
  for (int64_t node = end.node; node >= 0; node = nodes_[node].parent) {
    const int64_t parent = nodes_[node].parent;
    if (nodes_[node].id != kEnd) result.ids.push_back(nodes_[node].id);
    result.log_probabilities.push_back(nodes_[node].log_probability -
                                       (parent < 0 ? 0 : nodes_[parent].log_probability));
    if (nodes_[node].attention) result.attention.push_back(*nodes_[node].attention);
  }
  std::reverse(result.ids.begin(), result.ids.end());
  std::reverse(result.log_probabilities.begin(), result.log_probabilities.end());
  std::reverse(result.attention.begin(), result.attention.end());
  result.log_probability = end.log_probability;
  result.score = end.score;
  result.finished = end.whole && std::ssize(result.ids) < max_length_;
  return result;
}

}  // namespace heed
