// Arguments of the kernels of training (kernels.h).
#pragma once

#include <cstdint>

#include "kernels/dropout.h"

namespace heed {

// Cross-entropy with label smoothing ε, (1-ε)·(-log p(target)) + ε·mean over v of (-log p(v)), of
// one token (Szegedy et al. 2016).
struct CrossEntropyView {
  float* scores = nullptr;      // [count] of the vocabulary; replaced by the gradient
  const float* bias = nullptr;  // [count], added to the scores; nullptr: none
  int64_t count = 0, target = 0;
  float smoothing = 0;
  bool with_gradient = true;  // false: none; then the scores are left undefined
  // [count], the gradient in bfloat16; then the scores are left undefined. May begin where they
  // begin. nullptr: in `scores`.
  uint16_t* rounded = nullptr;
};

struct CrossEntropyRow {
  float loss;     // -log p(target)
  float mean;     // over v of -log p(v)
  bool is_first;  // whether the target is the most probable token, of equal ones the first
};

// Multi-head attention of all queries of a sentence over all its keys, for one sentence:
// softmax(scale · Q Kᵀ) V (Vaswani et al. 2017, equation 1). The rows of Q, K and V are those of
// all heads together, head h at h·D and h·V.
struct SentenceAttention {
  int64_t heads = 0, width = 0, value_width = 0;  // H, D, V
  int64_t query_count = 0;
  int64_t key_count = 0;  // those after the last readable one are left out
  const float *queries = nullptr, *keys = nullptr, *values = nullptr;
  int64_t query_stride = 0, key_stride = 0, value_stride = 0;
  float scale = 1;
  bool causal = false;             // query t reads the keys 0 … t
  const bool* readable = nullptr;  // [key_count]; nullptr: all
  DropoutRows dropout{};           // of the weights: rows [H, queries], an element for each key
  // [H, queries, weight_stride], the result before dropout; weight_stride is a multiple of
  // Kernels::lanes, at least key_count.
  float* weights = nullptr;
  int64_t weight_stride = 0;
  float* context = nullptr;  // [queries, H·V], the result
  int64_t context_stride = 0;
  float* work = nullptr;  // work space of work_size() floats
};

// Gradient of the same; rows of dK and dV from key_count on are not written.
struct SentenceAttentionGradient {
  const float* context = nullptr;                                // with context_stride
  float *queries = nullptr, *keys = nullptr, *values = nullptr;  // with the strides of these
};

// vᵀ tanh(q + k) of the queries and keys of one head (Bahdanau et al. 2015, appendix A.1.2).
struct AdditiveScores {
  int64_t width = 0, query_count = 0, key_count = 0;
  const float *queries = nullptr, *keys = nullptr;
  int64_t query_stride = 0, key_stride = 0;
  int64_t keys_of_query = 0;  // distance between the keys of one query and the next; 0: the same
  const float* v = nullptr;   // [width]
};

// Gradient of the same; all are added to, contiguous rows.
struct AdditiveScoresGradient {
  const float* scores = nullptr;  // [queries, keys]
  float *queries = nullptr, *keys = nullptr, *v = nullptr;
  int64_t keys_of_query = 0;
};

// Layer normalization of rows (Ba et al. 2016): y = (x - mean) · scale · gain + bias, with scale =
// 1/√(variance + 1e-5).
struct LayerNormView {
  int64_t rows = 0, width = 0;
  const float* x = nullptr;
  const float *gain = nullptr, *bias = nullptr;  // [width]
  float *mean = nullptr, *scale = nullptr;       // [rows], results; nullptr: not wanted
};

// Gradient of the same; those of gain and bias are added to.
struct LayerNormGradient {
  const float* y = nullptr;
  const float* more = nullptr;  // added to that of x; nullptr: nothing
  float *x = nullptr, *gain = nullptr, *bias = nullptr;
};

// An LSTM cell of rows (Hochreiter and Schmidhuber 1997) after its products:
// c' = σ(f) c + σ(i) tanh(g), h' = σ(o) tanh(c'). c' may be at c, and the gates at a part.
struct LstmCellView {
  static constexpr int kMostParts = 3;
  int64_t rows = 0, width = 0;          // W
  const float* parts[kMostParts] = {};  // [rows,4W], whose sum is (i,f,g,o); nullptr at the end
  const float* before = nullptr;        // c [rows,W]
  float *gates = nullptr, *after = nullptr;  // σ(i), σ(f), tanh(g), σ(o) [rows,4W] and c', results
};

// Gradient of the same; that of gates is the one of each part.
struct LstmCellGradient {
  const float *hidden = nullptr, *after = nullptr;  // of h' and c' [rows,W]; nullptr: 0
  float *gates = nullptr, *before = nullptr;        // [rows,4W], [rows,W]
};

// Floats of work space for a sentence, or for the largest counts of several.
int64_t work_size(const SentenceAttention& view);

}  // namespace heed
