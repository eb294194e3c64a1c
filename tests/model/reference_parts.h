// Parameters of a model as parts of the references.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "nn/compare.h"
#include "reference/recurrent.h"

namespace heed {

using Rows = std::vector<reference::Vector>;
using Parameters = std::map<std::string, Tensor>;

inline reference::Cell cell_of(const Parameters& p, const std::string& name,
                               const std::string& kind) {
  const auto vector = [&](const char* part) {
    const auto found = p.find(name + part);
    return found == p.end() ? reference::Vector() : vector_of(found->second);
  };
  return {.kind = kind,
          .input = p.contains(name + ".weight_input") ? matrix_of(p.at(name + ".weight_input"))
                                                      : reference::Matrix(),
          .hidden = matrix_of(p.at(name + ".weight_hidden")),
          .input_bias = vector(".bias_input"),
          .hidden_bias = vector(".bias_hidden"),
          .input_gain = vector(".norm_input"),
          .hidden_gain = vector(".norm_hidden"),
          .cell_gain = vector(".norm_cell"),
          .cell_shift = vector(".norm_cell_bias")};
}

// Cells of a layer, from number `from` on: the first has the name of the layer, the others are
// called name_cell_2, …
inline std::vector<reference::Cell> cells_of(const Parameters& p, const std::string& name,
                                             const std::string& kind, int from = 1) {
  std::vector<reference::Cell> cells;
  for (int i = from;; ++i) {
    const std::string cell = i == 1 ? name : name + "_cell_" + std::to_string(i);
    if (!p.contains(cell + ".weight_hidden")) return cells;
    cells.push_back(cell_of(p, cell, kind));
  }
}

// The linear layer of this name, with its bias if it has one.
inline reference::Vector linear_of(const Parameters& p, const std::string& name,
                                   const reference::Vector& x) {
  const auto bias = p.find(name + ".bias");
  return reference::affine(matrix_of(p.at(name + ".weight")),
                           bias == p.end() ? reference::Vector() : vector_of(bias->second), x);
}

inline reference::Matrix matrix_of_rows(const Rows& rows) {
  reference::Matrix x(rows.size(), rows.at(0).size());
  for (size_t i = 0; i < rows.size(); ++i) x.set_row(i, rows[i]);
  return x;
}
inline reference::Vector joined(const Rows& parts) {
  reference::Vector all;
  for (const reference::Vector& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}
inline reference::Vector tanh_of(reference::Vector x) {
  for (double& v : x) v = std::tanh(v);
  return x;
}

}  // namespace heed
