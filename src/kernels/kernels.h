// Compute kernels without libtorch: functions over plain arrays, with one table of them for each
// instruction set. The table is chosen at run time.
//
// Own code because a matrix library packs the weights in each call, chooses a kernel by shape, and
// does not quantize activations row by row: with the few rows of a beam search step this takes as
// long as the product itself. In training, libtorch passes over the memory once for each operation
// of a loss or an attention. vector_loops.h and the headers of training are compiled for each
// instruction set; plain.cpp has the same functions without vectors. The tests compare all sets
// with formulas in double precision.
//
// Rows of a matrix are contiguous; `stride` is the distance between rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/training.h"

namespace heed {

// Number format of a product.
enum class Precision {
  kFloat,     // float32
  kBFloat16,  // weights and activations in bfloat16, sums in float32
  kInt8,      // weights in int8 with a scale per output, activations in uint8 with a scale per row,
              // sums in int32
  kInt16,     // weights and activations in int16 with such scales, sums in int32; the precision of
              // single products, not of a model
};

// Rows, and the weights of an output, become 0 in 8 and 16 bits if their largest magnitude is not
// above this value.
inline constexpr float kSmallestQuantized = 1e-30F;
// Largest number of inputs of an 8-bit product: its sums, up to 255 · 127 · I, are int32.
inline constexpr int64_t kWidestInt8 = 65'536;
// Largest norm of a row in 16 bits before rounding, which adds up to √I / 2. By the Cauchy-Schwarz
// inequality, the sum of the products of two such rows is below 2^31.
inline constexpr float kNormInt16 = 46'000;
// Largest number of inputs of a 16-bit product: (46,000 + √I / 2)² < 2^31.
inline constexpr int64_t kWidestInt16 = 65'536;

// View of a packed weight matrix [O,I], the arrays of a PackedMatrix (packed_matrix.h): panels of
// `columns` outputs, the last panel padded with zeros.
struct MatrixView {
  int64_t outputs = 0, inputs = 0;  // O, I
  int64_t depth = 0;  // I; for kInt8 padded to a multiple of 8, for kBFloat16 and kInt16 of 2
  const float* floats = nullptr;     // kFloat: [panel][I][columns]
  const uint16_t* halves = nullptr;  // kBFloat16: [panel][depth/2][columns][2]
  const int8_t* bytes = nullptr;     // kInt8: [panel][depth/4][columns][4]
  const int16_t* shorts = nullptr;   // kInt16: [panel][depth/2][columns][2]
  const float* scales = nullptr;     // kInt8, kInt16: [O], of the weights
  const int32_t* sums = nullptr;     // kInt8: [O], 128 · Σ of the weights of an output
  const float* bias = nullptr;       // [O] or none
};

// Activations in 8 bits with a scale per row: x = scale · (byte - 128).
struct QuantizedRows {
  uint8_t* bytes = nullptr;  // [rows, depth]
  float* scales = nullptr;   // [rows]
};

// Rows in 16 bits with a scale per row: x = scale · short.
struct Int16Rows {
  int16_t* shorts = nullptr;  // [rows, depth]
  float* scales = nullptr;    // [rows]
};

// Numbers in float32, or in bfloat16 if `halves` is set.
struct NumbersView {
  const float* floats = nullptr;
  const uint16_t* halves = nullptr;
};

// Largest number of queries of a head for which attend() holds scores at the same time.
inline constexpr int64_t kQueriesTogether = 4;

// Multi-head attention of queries over the keys of one sentence.
struct AttentionView {
  const float* queries = nullptr;  // [queries, H·D], times D^-1/2
  int64_t query_count = 0, query_stride = 0;
  // Both in the same format.
  NumbersView keys{};    // [H][D][padded]: transposed; `padded`: S padded to whole vectors
  NumbersView values{};  // [S, H·V]
  int64_t key_count = 0, padded = 0, value_stride = 0;
  int64_t heads = 0, width = 0, value_width = 0;  // H, D, V
  float* scores = nullptr;                        // [kQueriesTogether, padded], work space
  float* context = nullptr;                       // [queries, H·V], the result
  int64_t context_stride = 0;
  // Mean of the weights over the heads, [queries, S], which is added to this array; nullptr: not
  // computed.
  float* mean = nullptr;
  int64_t mean_stride = 0;
};

// Multi-head attention of one query over scattered keys and values: those of key i are at
// slots[i]·H·D.
struct PastView {
  const float* query = nullptr;    // [H·D], times D^-1/2
  NumbersView keys{}, values{};    // in the same format
  const int32_t* slots = nullptr;  // [count]
  int64_t count = 0, heads = 0, width = 0;
  float* scores = nullptr;   // [count padded to whole vectors], work space
  float* context = nullptr;  // [H·D], the result
};

// A GRU cell of rows (Cho et al. 2014) after its products, a = W x + b and s = U h + b':
// r, z = σ(a + s), n = tanh(a + r s), h' = (1 - z) n + z h; gates in the order r, z, n.
struct GruCellView {
  int64_t rows = 0, width = 0;                     // W
  const float *input = nullptr, *state = nullptr;  // a, s [rows,3W]
  const float* before = nullptr;                   // h [rows,W]
};

struct Kernels {
  const char* name;
  int64_t columns;             // of a panel
  int64_t lanes;               // AttentionView::padded is a multiple of this
  bool has_fast_int8 = false;  // product_int8() is at least twice as fast as product()
  bool amx = false;            // products of bfloat16 and int8 use AMX

  // y = x Wᵀ + b.  x [rows,I] -> y [rows,O]
  void (*product)(const float* x, int64_t rows, int64_t stride, const MatrixView& w, float* y,
                  int64_t y_stride);
  // Same values as product(), bit for bit, for one row and some panels. x [I], finite -> y [count,
  // columns]; 0 after the last output
  void (*product_of_panels)(const float* x, const MatrixView& w, const int32_t* panels,
                            int64_t count, float* y);
  // x [rows,depth] in bfloat16.
  void (*product_bf16)(const uint16_t* x, int64_t rows, int64_t stride, const MatrixView& w,
                       float* y, int64_t y_stride);
  void (*product_int8)(const QuantizedRows& x, int64_t rows, const MatrixView& w, float* y,
                       int64_t y_stride);
  void (*product_int16)(const Int16Rows& x, int64_t rows, const MatrixView& w, float* y,
                        int64_t y_stride);
  // Rounds to the nearest bfloat16; pads each row to `depth` with zeros. NaN stays NaN.
  void (*round_bf16)(const float* x, int64_t rows, int64_t width, int64_t depth, uint16_t* to);
  // Rounds each row to 8 bits, its largest magnitude to 127; pads it to `depth` with zeros. A row
  // with a value that is not finite has the scale NaN.
  void (*quantize)(const float* x, int64_t rows, int64_t stride, int64_t width, int64_t depth,
                   const QuantizedRows& to);
  // The same for the weights of a product. Without VNNI the scale is larger, because the products
  // of some neighbours are added in 16 bits: by up to four times, and by 1.8 times for normally
  // distributed weights.
  void (*quantize_weights)(const float* x, int64_t rows, int64_t stride, int64_t width,
                           int64_t depth, const QuantizedRows& to);
  // Rounds each row, of weights as well, to 16 bits. Scales its norm to kNormInt16, or its largest
  // magnitude to 32,767 if that gives the larger scale. Pads it to `depth` with zeros. A row with a
  // value that is not finite has the scale NaN.
  void (*quantize_int16)(const float* x, int64_t rows, int64_t stride, int64_t width, int64_t depth,
                         const Int16Rows& to);
  // Packs rows [count,words] of four bytes, one row for each output, into panels (MatrixView). The
  // last panel is padded with zeros.
  void (*pack_rows)(const void* rows, int64_t count, int64_t words, void* to);
  // y = (x - mean) / √(variance + 1e-5) · gain + bias, row by row; y may be x.
  void (*layer_norm)(const float* x, int64_t rows, int64_t width, const float* gain,
                     const float* bias, float* y);
  void (*add)(const float* x, int64_t count, float* y);            // y += x
  void (*relu)(float* x, int64_t count);                           // in place
  void (*silu_times)(const float* gate, int64_t count, float* x);  // x *= gate · σ(gate)
  void (*tanh)(float* x, int64_t count);                           // in place
  void (*gru_cell)(const GruCellView& view, float* hidden);        // hidden: h' [rows,W]; may be h
  void (*attend)(const AttentionView& view);
  // Computes the softmax of `count` scores, in place in a buffer of whole vectors, and the sum of
  // the rows of `values`, `stride` apart, with these weights.  context [width]
  void (*weigh)(float* scores, int64_t count, const float* values, int64_t stride, int64_t width,
                float* context);
  void (*attend_past)(const PastView& view);
  // log Σ exp of a row.
  float (*log_sum_exp)(const float* x, int64_t count);
  // The largest value of each panel of `columns` values; the last panel may be shorter. No NaN.
  void (*greatest_of_panels)(const float* x, int64_t count, float* to);
  // The `wanted` largest values of a row without NaN and their indices, largest first; ties go to
  // the lower index. Values of -∞ have the index -1.
  void (*top_k)(const float* x, int64_t count, int64_t wanted, float* values, int32_t* ids);

  // For training. Rounds contiguous rows as round_bf16() does, and adds each column to `sums`
  // [width].
  void (*round_and_sum)(const float* x, int64_t rows, int64_t width, uint16_t* to, float* sums);
  // Writes y, and the same in bfloat16 to `rounded`; nullptr: not wanted.
  void (*normalize)(const LayerNormView& view, float* y, uint16_t* rounded);
  void (*normalize_backward)(const LayerNormView& view, const LayerNormGradient& gradient);
  // Copies a row to each of `rows` rows.
  void (*fill_rows)(const float* row, int64_t rows, int64_t width, float* y);
  // Packs b [depth,columns] of bfloat16 as MatrixView::halves, panels padded with zeros. The
  // element (i,c) is at i·row + c·column, one of which is 1; depth is even.
  void (*pack_bf16)(const uint16_t* b, int64_t depth, int64_t columns, int64_t row, int64_t column,
                    uint16_t* to);
  // x [rows,columns] of bfloat16, `stride` apart -> [columns,rows]; the number of rows is even.
  void (*transpose_bf16)(const uint16_t* x, int64_t rows, int64_t columns, int64_t stride,
                         uint16_t* to);
  // y = x + m ⊙ f, with the factors m of dropout; contiguous rows.
  void (*add_dropped)(const float* x, const float* f, int64_t rows, int64_t width,
                      const DropoutRows& dropout, float* y);
  // y = m ⊙ x. Writes the same in bfloat16 to `rounded`, and adds each column to `sums` [width];
  // nullptr for both: not wanted.
  void (*drop)(const float* x, int64_t rows, int64_t width, const DropoutRows& dropout, float* y,
               uint16_t* rounded, float* sums);
  // y = m ⊙ relu(x + bias) in bfloat16, with bias [width].
  void (*relu_dropped)(const float* x, const float* bias, int64_t rows, int64_t width,
                       const DropoutRows& dropout, uint16_t* y);
  // by_x = by_y · kept where y is not 0, in bfloat16; each column is added to `sums` [width].
  void (*relu_dropped_backward)(const float* by_y, const uint16_t* y, int64_t rows, int64_t width,
                                float kept, uint16_t* by_x, float* sums);
  void (*lstm_cell)(const LstmCellView& view, float* hidden);  // hidden: h' [rows,W]
  void (*lstm_cell_backward)(const LstmCellView& view, const LstmCellGradient& gradient);
  // -log p(target) under a softmax over the scores of a row, with its gradient.
  CrossEntropyRow (*cross_entropy)(const CrossEntropyView& view);
  void (*attend_sentence)(const SentenceAttention& view);
  void (*attend_sentence_backward)(const SentenceAttention& view,
                                   const SentenceAttentionGradient& gradient);
  void (*additive_scores)(const AdditiveScores& view, float* scores);  // [queries, keys]
  void (*additive_scores_backward)(const AdditiveScores& view,
                                   const AdditiveScoresGradient& gradient);
};

// The table for the best instruction set of this processor, or for the one named by
// HEED_INSTRUCTIONS in the environment, which gives the same numbers on several processors or
// compares sets.
const Kernels& kernels();
// The tables for all instruction sets of this processor, the plain one first.
std::vector<const Kernels*> all_kernels();
// "plain, avx2, …" if HEED_INSTRUCTIONS is not one of them; else empty.
std::string instead_of_instructions();

}  // namespace heed
