#include "cli/plot/tensors/map_axis.h"

#include "base/error.h"

namespace heed {

MapAxis token_axis(const std::vector<std::string>& tokens, const std::string& name) {
  MapAxis axis{.labels = tokens, .groups = {}, .name = name};
  for (size_t i = 0; i < tokens.size(); ++i) axis.groups.push_back(i);
  return axis;
}

MapAxis word_axis(const std::vector<std::string>& tokens, const PieceWords& words,
                  const Tokenizer& tokenizer, const std::string& name) {
  MapAxis axis{.labels = {}, .groups = {}, .name = name};
  std::vector<std::string> word;
  for (size_t i = 0; i < tokens.size(); ++i) {
    word.push_back(tokens[i]);
    axis.groups.push_back(axis.labels.size());
    if (i + 1 < tokens.size() && !words[i + 1].empty() && words[i + 1].begin < words[i].end)
      continue;
    const std::string text = tokenizer.decode(word);
    const size_t first = text.find_first_not_of(' ');  // a token of a space alone is none
    axis.labels.push_back(first == std::string::npos
                              ? text
                              : text.substr(first, text.find_last_not_of(' ') + 1 - first));
    word.clear();
  }
  return axis;
}

MapAxis numbered_axis(size_t size, const std::string& name) {
  std::vector<std::string> numbers;
  for (size_t i = 1; i <= size; ++i) numbers.push_back(std::to_string(i));
  return token_axis(numbers, name);
}

void push_back(MapAxis& axis, const std::string& label) {
  axis.groups.push_back(axis.labels.size());
  axis.labels.push_back(label);
}

void push_hidden(MapAxis& axis) { axis.groups.push_back(MapAxis::kHidden); }

void push_front(MapAxis& axis, const std::string& label) {
  for (size_t& group : axis.groups) group += group == MapAxis::kHidden ? 0 : 1;
  axis.groups.insert(axis.groups.begin(), 0);
  axis.labels.insert(axis.labels.begin(), label);
}

AttentionMap map_of_groups(const std::vector<std::vector<double>>& weights, const MapAxis& rows,
                           const MapAxis& columns) {
  HEED_CHECK(weights.size() == rows.groups.size());
  AttentionMap map{.title = "",
                   .source = columns.labels,
                   .target = rows.labels,
                   .weights = {},
                   .rows = rows.name,
                   .columns = columns.name};
  map.weights.assign(rows.labels.size(), std::vector<double>(columns.labels.size(), 0.0));
  std::vector<double> sizes(rows.labels.size(), 0.0);
  for (size_t t = 0; t < weights.size(); ++t) {
    if (rows.groups[t] == MapAxis::kHidden) continue;
    sizes[rows.groups[t]] += 1;
    for (size_t s = 0; s < weights[t].size(); ++s) {
      if (columns.groups[s] != MapAxis::kHidden)
        map.weights[rows.groups[t]][columns.groups[s]] += weights[t][s];
    }
  }
  for (size_t row = 0; row < sizes.size(); ++row) {
    for (double& weight : map.weights[row]) weight /= sizes[row];
  }
  return map;
}

}  // namespace heed
