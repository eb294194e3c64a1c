// Matrix products in float32, or in bfloat16 with sums in float32 (mixed precision, Micikevicius et
// al. 2018; bfloat16, Kalamkar et al. 2019). Parameters, activations between the products, their
// gradients and the sums of all products remain float32.
//
// Uses the product of MKL that reads bfloat16 and writes float32, because that of libtorch rounds
// its result to bfloat16; on a GPU, or without MKL, it is libtorch's.
#pragma once

#include <vector>

#include "kernels/kernels.h"
#include "nn/tensor.h"

namespace heed {

// While the scope lives, float32 operations of this thread that check in_bf16() use bfloat16. Their
// backward passes do the same, also after the scope has ended.
class Bf16Scope {
 public:
  explicit Bf16Scope(bool on);
  ~Bf16Scope();
  Bf16Scope(const Bf16Scope&) = delete;
  Bf16Scope& operator=(const Bf16Scope&) = delete;

 private:
  bool outer_;
};

// True if products of x are computed in bfloat16.
bool in_bf16(const Tensor& x);
// Rounds x, of float32, to the nearest bfloat16; contiguous, without gradient.
Tensor to_bf16(const Tensor& x);
// x as a factor: rounded if in_bf16(x), else x itself.
Tensor factor(const Tensor& x);
// The same for x [n,m], with the sums of its columns before rounding, [m].
struct RoundedAndSum {
  Tensor rounded, sum;
};
RoundedAndSum to_bf16_and_sum(const Tensor& x);
// Elements of a bfloat16 tensor in the type that kernels use.
uint16_t* halves_of(const Tensor& x);
// `x` in the number format of `other`: rounded if that is bfloat16, else x itself.
Tensor operand(const Tensor& x, const Tensor& other);

// a·b for a [n,k] and b [k,m] of the same format, transposed views included -> float32 [n,m], or
// the type of a and b if it is not bfloat16. Without gradient.
Tensor product(const Tensor& a, const Tensor& b);
// a·b + bias; bias [m] of the type of the result, undefined or empty: none.
Tensor product(const Tensor& a, const Tensor& b, const Tensor& bias);
// Blocks of rows whose products [count,columns] fit into the cache of a core, for operations that
// pass over them before or after the product.
struct RowBlock {
  int64_t begin, count;
};
std::vector<RowBlock> row_blocks(int64_t rows, int64_t columns);
// A right factor [k,m] of several products, in the same format as a factor() of product(). In
// bfloat16, if a thread computes alone, it is packed once for a kernel (kernels/kernels.h). MKL
// packs it in each call, which takes as long as the product of a few rows.
class PackedFactor {
 public:
  PackedFactor() = default;
  explicit PackedFactor(const Tensor& b);
  // For a product of `rows` rows. Packed only if there are many rows and the kernels use AMX: MKL
  // is faster than the other kernels, and packing takes longer than the product of few rows. On
  // Zen 5 an update took as long with packed weights: in bfloat16 MKL reaches 475 GFLOP/s a core,
  // its packing included, the kernels 430. In float32 with AVX2 they are 0.76 to 1.13 times as fast
  // as MKL.
  static PackedFactor for_rows(int64_t rows, const Tensor& b);

 private:
  friend Tensor product(const Tensor& a, const PackedFactor& b, const Tensor& bias);
  friend void set_product(Tensor& result, const Tensor& a, const PackedFactor& b);
  friend void add_product_by_kernel(Tensor& sum, const Tensor& a, const Tensor& b);
  MatrixView view() const;
  void multiply(const Tensor& a, const Tensor& bias, Tensor& result) const;

  Tensor b_;
  Tensor panels_;  // without the last row if the number of rows is odd; undefined: not packed
};
Tensor product(const Tensor& a, const PackedFactor& b, const Tensor& bias = {});
// result = a·b, contiguous and of the type of a product
void set_product(Tensor& result, const Tensor& a, const Tensor& b);
void set_product(Tensor& result, const Tensor& a, const PackedFactor& b);
// sum += a·b
void add_product(Tensor& sum, const Tensor& a, const Tensor& b);
// The same with the kernels of PackedFactor, for a [n,k] of bfloat16 that is the transpose of a
// matrix with rows, as in the gradient of a weight. Blocks of its rows are transposed and
// multiplied while they are in the cache. add_product() uses it if the kernels use AMX and both
// matrices are large, because it is faster than MKL only there. Requires has_bf16_products(), a
// thread that computes alone, and no HEED_PLAIN=1; sum has rows of adjacent elements.
void add_product_by_kernel(Tensor& sum, const Tensor& a, const Tensor& b);

// The sums of the columns of x [n,m], [m], in the type of a product.
Tensor sum_of_rows(const Tensor& x);

// True if this processor has instructions for products of bfloat16, which make them faster than
// products of float32.
bool has_bf16_products();

}  // namespace heed
