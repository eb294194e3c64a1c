// Compute kernels without libtorch: functions over plain arrays, with one table of them for each
// instruction set. The table is chosen at run time.
//
// Own code because a matrix library packs the weights in each call, chooses a kernel by shape, and
// does not quantize activations row by row: with the few rows of a beam search step this takes as
// long as the product itself. In training, libtorch passes over the memory once for each operation
// of a loss or an attention. kernels.def lists the kernels; their loops, in the vector extension of
// the compiler, are compiled for each instruction set (loops.h). The tests compare all sets with
// formulas in double precision.
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

// "fp32", "bf16", "int8", "int16"
const char* precision_word(Precision precision);

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

// Outputs of a panel of weights, for every set.
inline constexpr int64_t kPanelColumns = 32;
// Lanes of a sum of many elements, for every set. Sums of all sets that fuse multiplication and
// addition are equal, bit for bit, and so are their products of fp32 and int8.
inline constexpr int64_t kSumLanes = 16;

// View of a packed weight matrix [O,I], the arrays of a PackedMatrix (packed_matrix.h): panels of
// kPanelColumns outputs, the last panel padded with zeros.
struct MatrixView {
  int64_t outputs = 0, inputs = 0;  // O, I
  int64_t depth = 0;  // I; for kInt8 padded to a multiple of 8, for kBFloat16 and kInt16 of 2
  const float* floats = nullptr;     // kFloat: [panel][I][kPanelColumns]
  const uint16_t* halves = nullptr;  // kBFloat16: [panel][depth/2][kPanelColumns][2]
  const int8_t* bytes = nullptr;     // kInt8: [panel][depth/4][kPanelColumns][4]
  const int16_t* shorts = nullptr;   // kInt16: [panel][depth/2][kPanelColumns][2]
  // Filled up to whole panels:
  const float* scales = nullptr;  // kInt8, kInt16: [O], of the weights
  const int32_t* sums = nullptr;  // kInt8: [O], 128 · Σ of the weights of an output
  const float* bias = nullptr;    // [O] or none
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
  NumbersView keys{};    // [H][D][padded]: transposed; `padded`: a multiple of kSumLanes
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
  float* scores = nullptr;   // [count padded to a multiple of kSumLanes], work space
  float* context = nullptr;  // [H·D], the result
};

// Multi-head attention of one query over rows of keys and values, with heads of keys and values that
// heads of queries share, and numbers that are added to the scores.
struct RowsView {
  const float* query = nullptr;   // [H·D], times its scale
  NumbersView keys{}, values{};   // rows of G·D and of G·V numbers, in the same format
  const int32_t* rows = nullptr;  // [count], the row of key i; nullptr: row i
  int64_t count = 0, key_stride = 0, value_stride = 0;
  // H, G, D, V; head h reads the keys and values of head ⌊h G / H⌋
  int64_t heads = 0, key_value_heads = 0, width = 0, value_width = 0;
  const float* bias = nullptr;  // [H, count], added to the scores; nullptr: nothing
  int64_t bias_stride = 0;
  float* weights = nullptr;  // [H, count padded to a multiple of kSumLanes], a result
  int64_t weight_stride = 0;
  float* context = nullptr;  // [H·V], the result
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
  bool has_fast_int8 = false;  // product_int8() is at least twice as fast as product()
  bool amx = false;            // products of bfloat16 and int8 use AMX

#define KERNEL(result, name, parameters) result(*name) parameters;
#include "kernels/kernels.def"
#undef KERNEL
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
