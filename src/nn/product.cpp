#include "nn/product.h"

#include <algorithm>
#include <utility>

#include "nn/torch.h"

#include "base/error.h"
#include "base/fast_paths.h"
#include "kernels/aligned.h"
#include "kernels/kernels.h"
#include "nn/int8_training.h"

// sum = alpha·op(a)·op(b) + beta·sum in column-major order; null in a libtorch without MKL.
extern "C" __attribute__((weak)) void gemm_bf16bf16f32_(
    const char* transpose_a, const char* transpose_b, const int* rows, const int* columns,
    const int* depth, const float* alpha, const void* a, const int* a_stride, const void* b,
    const int* b_stride, const float* beta, float* sum, const int* sum_stride);

namespace heed {

namespace {

thread_local bool bf16_in_use = false;

// True if x has rows of adjacent elements, with or without gaps between the rows.
bool has_rows(const Tensor& x) {
  return x.stride(1) == 1 && (x.size(0) <= 1 || x.stride(0) >= x.size(1));
}

// A matrix as MKL reads it, in column-major order.
struct Factor {
  Tensor matrix;
  char transpose;
  int stride;

  explicit Factor(const Tensor& x) {
    const bool is_transposed = x.stride(0) == 1 && x.stride(1) >= std::max<int64_t>(1, x.size(0));
    matrix = is_transposed || has_rows(x) ? x : x.contiguous();
    transpose = is_transposed && x.size(1) > 1 ? 'T' : 'N';
    const int64_t columns = transpose == 'T' ? matrix.size(0) : matrix.size(1);
    const int64_t between = matrix.stride(transpose == 'T' ? 1 : 0);
    stride = static_cast<int>(std::max({between, columns, int64_t{1}}));
  }
};

// Row-major a·b is column-major bᵀ·aᵀ.
void multiply(Tensor& sum, const Tensor& a, const Tensor& b, float beta) {
  const Factor left(b), right(a);
  const int rows = static_cast<int>(b.size(1)), columns = static_cast<int>(a.size(0)),
            depth = static_cast<int>(a.size(1)),
            stride = std::max(rows, static_cast<int>(sum.stride(0)));
  const float alpha = 1;
  gemm_bf16bf16f32_(&left.transpose, &right.transpose, &rows, &columns, &depth, &alpha,
                    left.matrix.const_data_ptr(), &left.stride, right.matrix.const_data_ptr(),
                    &right.stride, &beta, sum.mutable_data_ptr<float>(), &stride);
}

bool by_mkl(const Tensor& a, const Tensor& b) {
  return gemm_bf16bf16f32_ != nullptr && a.device().is_cpu() && a.numel() > 0 && b.numel() > 0;
}

}  // namespace

Bf16Scope::Bf16Scope(bool on) : outer_(std::exchange(bf16_in_use, on)) {}

Bf16Scope::~Bf16Scope() { bf16_in_use = outer_; }

bool in_bf16(const Tensor& x) {
  return bf16_in_use && x.scalar_type() == torch::kFloat && !in_int8(x);
}

uint16_t* halves_of(const Tensor& x) {
  return reinterpret_cast<uint16_t*>(x.data_ptr<at::BFloat16>());
}

Tensor to_bf16(const Tensor& x) {
  if (!x.device().is_cpu()) return x.detach().to(torch::kBFloat16).contiguous();
  const Tensor from = x.contiguous();
  Tensor rounded =
      torch::empty(x.sizes(), from.options().dtype(torch::kBFloat16).requires_grad(false));
  kernels().round_bf16(from.const_data_ptr<float>(), 1, from.numel(), from.numel(),
                       halves_of(rounded));
  return rounded;
}

Tensor factor(const Tensor& x) { return in_bf16(x) ? to_bf16(x) : x; }

RoundedAndSum to_bf16_and_sum(const Tensor& x) {
  if (!x.device().is_cpu()) return {to_bf16(x), x.sum(0)};
  const Tensor from = x.contiguous();
  RoundedAndSum result{torch::empty(x.sizes(), x.options().dtype(torch::kBFloat16)),
                       torch::zeros({x.size(1)}, x.options())};
  kernels().round_and_sum(from.const_data_ptr<float>(), from.size(0), from.size(1),
                          halves_of(result.rounded), result.sum.mutable_data_ptr<float>());
  return result;
}

Tensor operand(const Tensor& x, const Tensor& other) {
  return other.scalar_type() == torch::kBFloat16 ? to_bf16(x) : x;
}

Tensor product(const Tensor& a, const Tensor& b) {
  if (a.scalar_type() != torch::kBFloat16) return a.mm(b);
  if (!by_mkl(a, b)) return a.mm(b).to(torch::kFloat);
  Tensor result = torch::empty({a.size(0), b.size(1)}, a.options().dtype(torch::kFloat));
  multiply(result, a, b, 0);
  return result;
}

Tensor product(const Tensor& a, const Tensor& b, const Tensor& bias) {
  if (!bias.defined() || bias.numel() == 0) return product(a, b);
  if (a.scalar_type() != torch::kBFloat16) return torch::addmm(bias, a, b);
  Tensor result = torch::empty({a.size(0), b.size(1)}, bias.options().requires_grad(false));
  if (!by_mkl(a, b) || at::get_num_threads() > 1) {
    result.copy_(bias);
    add_product(result, a, b);
    return result;
  }
  const Tensor row = bias.contiguous();
  for (const auto& [begin, count] : row_blocks(a.size(0), b.size(1))) {
    Tensor block = result.narrow(0, begin, count);
    kernels().fill_rows(row.const_data_ptr<float>(), count, block.size(1),
                        block.mutable_data_ptr<float>());
    add_product(block, a.narrow(0, begin, count), b);
  }
  return result;
}

std::vector<RowBlock> row_blocks(int64_t rows, int64_t columns) {
  constexpr int64_t kCached = 128 * 1024;  // floats, in the L2 cache together with the factors
  constexpr int64_t kFewest = 256;         // the right factor is packed once for each block
  const int64_t size = std::max(kFewest, kCached / std::max<int64_t>(1, columns));
  std::vector<RowBlock> blocks;
  for (int64_t begin = 0; begin < rows; begin += size)
    blocks.push_back({begin, std::min(size, rows - begin)});
  return blocks;
}

void set_product(Tensor& result, const Tensor& a, const Tensor& b) {
  if (a.scalar_type() != torch::kBFloat16) {
    torch::mm_out(result, a, b);
  } else if (by_mkl(a, b)) {
    multiply(result, a, b, 0);
  } else {
    result.copy_(product(a, b));
  }
}

namespace {

constexpr int64_t kManyRows = 64;  // packing takes longer than the product of fewer rows

bool is_packed(const Tensor& b) {
  return b.scalar_type() == torch::kBFloat16 && b.device().is_cpu() && has_bf16_products() &&
         fast_paths() && at::get_num_threads() == 1 && b.size(0) > 1 && b.numel() > 0 &&
         (b.stride(0) == 1 || b.stride(1) == 1);
}

}  // namespace

PackedFactor::PackedFactor(const Tensor& b) : b_(b) {
  if (!is_packed(b)) return;
  const int64_t columns = filled_up(b.size(1), kPanelColumns), depth = b.size(0) / 2 * 2;
  panels_ = torch::empty({columns, depth}, b.options());
  kernels().pack_bf16(halves_of(b), depth, b.size(1), b.stride(0), b.stride(1), halves_of(panels_));
}

PackedFactor PackedFactor::for_rows(int64_t rows, const Tensor& b) {
  if (kernels().amx && rows >= kManyRows) return PackedFactor(b);
  PackedFactor plain;
  plain.b_ = b;
  return plain;
}

MatrixView PackedFactor::view() const {
  const int64_t depth = panels_.size(1);
  return {.outputs = b_.size(1), .inputs = depth, .depth = depth, .halves = halves_of(panels_)};
}

void PackedFactor::multiply(const Tensor& a, const Tensor& bias, Tensor& result) const {
  const Tensor rows = a.stride(1) == 1 ? a : a.contiguous();
  const Tensor row = bias.defined() ? bias.contiguous() : bias;
  MatrixView own = view();
  if (row.defined() && row.numel() > 0) own.bias = row.const_data_ptr<float>();
  kernels().product_bf16(halves_of(rows), rows.size(0), rows.stride(0), own,
                         result.mutable_data_ptr<float>(), own.outputs);
  if (own.depth < b_.size(0))
    add_product(result, a.narrow(1, own.depth, 1), b_.narrow(0, own.depth, 1));
}

void add_product_by_kernel(Tensor& sum, const Tensor& a, const Tensor& b) {
  const PackedFactor factor(b);
  HEED_CHECK(factor.panels_.defined() && a.stride(0) == 1 && has_rows(sum), "not for kernels");
  const MatrixView right = factor.view();
  const int64_t width = right.outputs, depth = right.depth;
  // Number of sums in a block, and half the number of elements in its left factor: both stay in the
  // L2 cache while the right factor is streamed.
  constexpr int64_t kCached = 64 * 1024, kFewest = 128;
  const int64_t size = std::max(kFewest, kCached / std::max(width, depth / 2));
  const Tensor left = torch::empty({size, depth}, a.options()),
               sums = torch::empty({size, width}, sum.options());
  auto* of_sums = sums.mutable_data_ptr<float>();
  for (int64_t begin = 0; begin < a.size(0); begin += size) {
    const int64_t count = std::min(size, a.size(0) - begin);
    kernels().transpose_bf16(halves_of(a) + begin, depth, count, a.stride(1), halves_of(left));
    kernels().product_bf16(halves_of(left), count, depth, right, of_sums, width);
    float* to = sum.mutable_data_ptr<float>() + begin * sum.stride(0);
    for (int64_t r = 0; r < count; ++r)
      kernels().add(of_sums + r * width, width, to + r * sum.stride(0));
  }
  if (depth < b.size(0)) multiply(sum, a.narrow(1, depth, 1), b.narrow(0, depth, 1), 1);
}

namespace {

bool is_by_kernel(const Tensor& a, const Tensor& b) {
  return kernels().amx && is_packed(b) && a.stride(0) == 1 &&
         std::min({a.size(0), a.size(1), b.size(1)}) >= kManyRows;
}

}  // namespace

void add_product(Tensor& sum, const Tensor& a, const Tensor& b) {
  if (a.scalar_type() != torch::kBFloat16) {
    sum.addmm_(a, b);
  } else if (!by_mkl(a, b) || !has_rows(sum)) {
    sum.add_(product(a, b));
  } else if (is_by_kernel(a, b)) {
    add_product_by_kernel(sum, a, b);
  } else {
    multiply(sum, a, b, 1);
  }
}

Tensor product(const Tensor& a, const PackedFactor& b, const Tensor& bias) {
  if (!b.panels_.defined()) return product(a, b.b_, bias);
  Tensor result = torch::empty({a.size(0), b.b_.size(1)}, a.options().dtype(torch::kFloat));
  b.multiply(a, bias, result);
  return result;
}

void set_product(Tensor& result, const Tensor& a, const PackedFactor& b) {
  if (!b.panels_.defined()) return set_product(result, a, b.b_);
  b.multiply(a, {}, result);
}

// Computes the sum as a product in bfloat16, because ATen would convert the whole of x first.
Tensor sum_of_rows(const Tensor& x) {
  if (x.scalar_type() != torch::kBFloat16) return x.sum(0);
  return product(torch::ones({1, x.size(0)}, x.options()), x).squeeze(0);
}

bool has_bf16_products() {
#if defined(__x86_64__)
  return gemm_bf16bf16f32_ != nullptr && __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

}  // namespace heed
