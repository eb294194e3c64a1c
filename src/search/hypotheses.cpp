#include "search/hypotheses.h"

#include <algorithm>

namespace heed {

HypothesisTree::HypothesisTree(const SearchConfig& config, const SearchLengths& lengths,
                               Constraints constraints, bool keep_attention)
    : config_(config),
      lengths_(lengths),
      constraints_(std::move(constraints)),
      keep_attention_(keep_attention) {}

double HypothesisTree::score(int64_t node, double log_probability, int64_t tokens,
                             double coverage) const {
  return config_.score(log_probability - prefix_of(node), tokens, coverage);
}

double HypothesisTree::score(const Live& live) const {
  return score(live.node, live.log_probability, length_, live.coverage.value());
}

// The log-probability only decreases, the length is at most the maximum, the coverage at most 0.
double HypothesisTree::bound(double log_probability) const {
  return config_.score(log_probability, lengths_.longest + 1);
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
                                 int64_t first_row, const AttentionOfRow& attention) {
  const int64_t before = live_[parent].node;
  nodes_.push_back({before, id, log_probability, prefix_of(before), {}});
  if (length_ >= lengths_.given && length_ < lengths_.given + lengths_.prefix)
    nodes_.back().prefix += log_probability_of(std::ssize(nodes_) - 1);
  if (keep_attention_) {
    if (const auto weights = attention(first_row + parent))
      nodes_.back().attention.emplace(weights->begin(), weights->end());
  }
  return std::ssize(nodes_) - 1;
}

std::vector<int64_t> HypothesisTree::path_to(int64_t node) const {
  std::vector<int64_t> path;
  for (; node >= 0; node = nodes_[node].parent) path.push_back(node);
  std::reverse(path.begin(), path.end());
  return path;
}

Ids HypothesisTree::ids_up_to(int64_t node) const {
  Ids ids;
  for (; node >= 0; node = nodes_[node].parent) ids.push_back(nodes_[node].id);
  std::ranges::reverse(ids);
  return ids;
}

double HypothesisTree::log_probability_of(int64_t node) const {
  const int64_t parent = nodes_[node].parent;
  return nodes_[node].log_probability - (parent < 0 ? 0 : nodes_[parent].log_probability);
}

Hypothesis HypothesisTree::trace(const End& end) const {
  Hypothesis result;
  for (const int64_t node : path_to(end.node)) {
    if (nodes_[node].id != kEnd) result.ids.push_back(nodes_[node].id);
    result.log_probabilities.push_back(log_probability_of(node));
    if (nodes_[node].attention) result.attention.push_back(*nodes_[node].attention);
  }
  result.log_probability = end.log_probability;
  result.score = end.score;
  result.stuck = end.stuck;
  result.finished = end.whole && std::ssize(result.ids) < lengths_.longest;
  return result;
}

}  // namespace heed
