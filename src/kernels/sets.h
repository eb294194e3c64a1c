// Tables of the instruction sets, each compiled in its own file.
#pragma once

#include "kernels/kernels.h"

namespace heed {

extern const Kernels kPlainKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels, kAvxVnniKernels, kAvx512Kernels, kAvx512VnniKernels,
    kAvx512Bf16Kernels;
const Kernels& amx_kernels();
#endif

// Initializer of a table from the functions product, product_int8, … in scope.
#define HEED_KERNELS(set_name, set_columns, set_lanes)                                            \
  {                                                                                               \
    .name = set_name, .columns = set_columns, .lanes = set_lanes, .has_fast_int8 = kHasFastInt8,  \
    .product = product, .product_of_panels = product_of_panels, .product_bf16 = product_bf16,     \
    .product_int8 = product_int8, .product_int16 = product_int16, .round_bf16 = round_bf16,       \
    .quantize = quantize, .quantize_weights = quantize_weights, .quantize_int16 = quantize_int16, \
    .pack_rows = pack_rows, .layer_norm = layer_norm, .add = add, .relu = relu,                   \
    .silu_times = silu_times, .tanh = tanh, .gru_cell = gru_cell, .attend = attend,               \
    .weigh = weigh, .attend_past = attend_past, .log_sum_exp = log_sum_exp,                       \
    .greatest_of_panels = greatest_of_panels, .top_k = top_k, .round_and_sum = round_and_sum,     \
    .normalize = normalize, .normalize_backward = normalize_backward, .fill_rows = fill_rows,     \
    .pack_bf16 = pack_bf16, .transpose_bf16 = transpose_bf16, .add_dropped = add_dropped,         \
    .drop = drop, .relu_dropped = relu_dropped, .relu_dropped_backward = relu_dropped_backward,   \
    .lstm_cell = lstm_cell, .lstm_cell_backward = lstm_cell_backward,                             \
    .cross_entropy = cross_entropy, .attend_sentence = attend_sentence,                           \
    .attend_sentence_backward = attend_sentence_backward, .additive_scores = additive_scores,     \
    .additive_scores_backward = additive_scores_backward                                          \
  }

}  // namespace heed
