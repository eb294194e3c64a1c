// The loops over numbers in which translation without libtorch spends its time: plain functions over
// arrays, one table of them for each instruction set, chosen when the program runs.
//
// Own code because a library that multiplies matrices decides by the shape of each call, packs the
// weights again and knows no rows that are quantized one by one: at the few rows of a step of
// beam search that takes as long as the product. The functions that are written once, in vector_loops.h,
// are compiled for each set; plain.cpp has the same without vectors, and the tests hold them equal.
//
// Rows of a matrix are contiguous; `stride` is the distance of two rows.
#pragma once

#include <cstdint>
#include <vector>

namespace heed {

// How the weights of a product are kept and multiplied.
enum class Precision {
  kFloat,  // float32
  kInt8,   // weights: int8, a scale for each output; rows: int8, a scale for each; sums: int32
};

// A weight matrix [O,I] as the kernels read it: panels of `columns` outputs, the last one filled up with
// zeros. A view: PackedMatrix (packed_matrix.h) owns the arrays.
struct MatrixView {
  int64_t outputs = 0, inputs = 0;  // O, I
  int64_t depth = 0;                // I, for kInt8 filled up to a multiple of 4
  const float* floats = nullptr;    // kFloat: [panel][I][columns]
  const int8_t* bytes = nullptr;    // kInt8: [panel][depth/4][columns][4]
  const float* scales = nullptr;    // kInt8: [O], of the weights
  const int32_t* sums = nullptr;    // kInt8: [O], 128 · Σ of the weights of an output
  const float* bias = nullptr;      // [O] or none
};

// Rows as unsigned bytes with a scale each: x = scale · (byte - 128).
struct QuantizedRows {
  uint8_t* bytes = nullptr;  // [rows, depth]
  float* scales = nullptr;   // [rows]
};

// Attention of queries over the keys of one sentence, head by head.
struct AttentionView {
  const float* queries = nullptr;  // [queries, H·D], multiplied by the scale of the scores
  int64_t query_count = 0, query_stride = 0;
  const float* keys = nullptr;    // [H][D][padded]: transposed, rows of `padded` keys
  const float* values = nullptr;  // [S, H·D]
  int64_t key_count = 0, padded = 0, value_stride = 0;
  int64_t heads = 0, width = 0;  // H, D
  float* scores = nullptr;       // [padded], room to compute in
  float* context = nullptr;      // [queries, H·D]
  int64_t context_stride = 0;
  // Mean of the weights over the heads [queries, S], added to what is there; none: not wanted.
  float* mean = nullptr;
  int64_t mean_stride = 0;
};

// Attention of one query over keys and values that lie apart: at slots[i]·H·D.
struct PastView {
  const float* query = nullptr;  // [H·D], multiplied by the scale of the scores
  const float *keys = nullptr, *values = nullptr;
  const int32_t* slots = nullptr;  // [count]
  int64_t count = 0, heads = 0, width = 0;
  float* scores = nullptr;   // [count], room to compute in
  float* context = nullptr;  // [H·D]
};

struct Kernels {
  const char* name;
  int64_t columns;  // of a panel
  int64_t lanes;    // AttentionView::padded is a multiple of it

  // y = x Wᵀ + b.  x [rows,I] -> y [rows,O]
  void (*product)(const float* x, int64_t rows, int64_t stride, const MatrixView& w, float* y,
                  int64_t y_stride);
  void (*product_int8)(const QuantizedRows& x, int64_t rows, const MatrixView& w, float* y,
                       int64_t y_stride);
  // Rounds each row to 8 bits, its largest magnitude to 127; fills up to `depth` with zeros.
  void (*quantize)(const float* x, int64_t rows, int64_t stride, int64_t width, int64_t depth,
                   const QuantizedRows& to);
  // y = (x - mean) / √(variance + 1e-5) · gain + bias, row by row; y may be x.
  void (*layer_norm)(const float* x, int64_t rows, int64_t width, const float* gain,
                     const float* bias, float* y);
  void (*add)(const float* x, int64_t count, float* y);            // y += x
  void (*relu)(float* x, int64_t count);                           // in place
  void (*silu_times)(const float* gate, int64_t count, float* x);  // x *= gate · σ(gate)
  void (*attend)(const AttentionView& view);
  void (*attend_past)(const PastView& view);
  // log Σ exp of a row.
  float (*log_sum_exp)(const float* x, int64_t count);
  // The `wanted` greatest of a row, greatest first, ties by the lower index; behind the last one above
  // -∞: -∞ and -1. Of numbers: NaN is not noticed.
  void (*top_k)(const float* x, int64_t count, int64_t wanted, float* values, int32_t* ids);
};

// Of the best set that this processor has.
const Kernels& kernels();
// Every set that this processor has, the plain one first.
std::vector<const Kernels*> all_kernels();

}  // namespace heed
