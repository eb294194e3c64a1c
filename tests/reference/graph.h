// Graph attention networks by their definition.
#pragma once

#include "reference/scores.h"
#include "reference/terms.h"

namespace reference {

// Veličković et al. 2018, one layer over the states h [N,F] of the nodes with K heads: α^k_ij =
// softmax_j(LeakyReLU(a^kᵀ [W^k h_i ‖ W^k h_j])) over j = i and the edges (i, j) (equation 3), where
// W [K·F',F], a₁ and a₂ [K·F'] have the heads one after the other. The result is
// ELU(‖_k Σ_j α^k_ij W^k h_j) [N,K·F'] (equation 5), or averaged 1/K Σ_k Σ_j α^k_ij W^k h_j [N,F']
// (equation 6, without its last nonlinearity).
inline Matrix graph_layer(const Matrix& h, const Edges& edges, const Matrix& w, const Vector& a1,
                          const Vector& a2, size_t heads, bool averaged) {
  const size_t width = w.rows / heads;
  const Mask open = edge_mask(h.rows, h.rows, edges, true);
  Matrix result(h.rows, averaged ? width : w.rows);
  for (size_t k = 0; k < heads; ++k) {
    const auto own = [&](const Vector& all) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(k * width);
      return Vector(begin, begin + static_cast<std::ptrdiff_t>(width));
    };
    for (size_t i = 0; i < h.rows; ++i) {
      Vector weights(h.rows, 0.0);
      double all = 0;
      for (size_t j = 0; j < h.rows; ++j) {
        if (!open[i][j]) continue;
        const Vector of_i = own(product(w, h.row(i))), of_j = own(product(w, h.row(j)));
        weights[j] = std::exp(graph_score_of_nodes(of_i, of_j, own(a1), own(a2)));
        all += weights[j];
      }
      for (size_t d = 0; d < width; ++d) {
        double sum = 0;
        for (size_t j = 0; j < h.rows; ++j) sum += weights[j] / all * own(product(w, h.row(j)))[d];
        if (averaged) {
          result(i, d) += sum / static_cast<double>(heads);
        } else {
          result(i, k * width + d) = elu(sum);
        }
      }
    }
  }
  return result;
}

}  // namespace reference
