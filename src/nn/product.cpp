#include "nn/product.h"

#include <algorithm>
#include <utility>

#include "nn/torch.h"

#include "base/error.h"
#include "kernels/kernels.h"

// sum = alpha·op(a)·op(b) + beta·sum in column-major order; null in a libtorch without MKL.
extern "C" __attribute__((weak)) void gemm_bf16bf16f32_(
    const char* transpose_a, const char* transpose_b, const int* rows, const int* columns,
    const int* depth, const float* alpha, const void* a, const int* a_stride, const void* b,
    const int* b_stride, const float* beta, float* sum, const int* sum_stride);

namespace heed {

namespace {

thread_local bool bf16_in_use = false;

// A matrix as MKL reads it, in column-major order.
struct Factor {
  Tensor matrix;
  char transpose;
  int stride;

  explicit Factor(const Tensor& x) {
    const bool is_transposed = x.stride(0) == 1 && x.stride(1) >= std::max<int64_t>(1, x.size(0));
    const bool has_rows = x.stride(1) == 1 && (x.size(0) <= 1 || x.stride(0) >= x.size(1));
    matrix = is_transposed || has_rows ? x : x.contiguous();
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
            depth = static_cast<int>(a.size(1));
  const float alpha = 1;
  gemm_bf16bf16f32_(&left.transpose, &right.transpose, &rows, &columns, &depth, &alpha,
                    left.matrix.const_data_ptr(), &left.stride, right.matrix.const_data_ptr(),
                    &right.stride, &beta, sum.mutable_data_ptr<float>(), &rows);
}

bool by_mkl(const Tensor& a, const Tensor& b) {
  return gemm_bf16bf16f32_ != nullptr && a.device().is_cpu() && a.numel() > 0 && b.numel() > 0;
}

}  // namespace

Bf16Scope::Bf16Scope(bool on) : outer_(std::exchange(bf16_in_use, on)) {}

Bf16Scope::~Bf16Scope() { bf16_in_use = outer_; }

bool in_bf16(const Tensor& x) { return bf16_in_use && x.scalar_type() == torch::kFloat; }

Tensor to_bf16(const Tensor& x) {
  if (!x.device().is_cpu()) return x.detach().to(torch::kBFloat16).contiguous();
  const Tensor from = x.contiguous();
  Tensor rounded =
      torch::empty(x.sizes(), from.options().dtype(torch::kBFloat16).requires_grad(false));
  kernels().round_bf16(from.const_data_ptr<float>(), 1, from.numel(), from.numel(),
                       reinterpret_cast<uint16_t*>(rounded.mutable_data_ptr<at::BFloat16>()));
  return rounded;
}

Tensor factor(const Tensor& x) { return in_bf16(x) ? to_bf16(x) : x; }

RoundedAndSum to_bf16_and_sum(const Tensor& x) {
  if (!x.device().is_cpu()) return {to_bf16(x), x.sum(0)};
  const Tensor from = x.contiguous();
  RoundedAndSum result{torch::empty(x.sizes(), x.options().dtype(torch::kBFloat16)),
                       torch::zeros({x.size(1)}, x.options())};
  kernels().round_and_sum(
      from.const_data_ptr<float>(), from.size(0), from.size(1),
      reinterpret_cast<uint16_t*>(result.rounded.mutable_data_ptr<at::BFloat16>()),
      result.sum.mutable_data_ptr<float>());
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
  result.copy_(bias);
  add_product(result, a, b);
  return result;
}

void add_product(Tensor& sum, const Tensor& a, const Tensor& b) {
  if (a.scalar_type() != torch::kBFloat16) {
    sum.addmm_(a, b);
  } else if (by_mkl(a, b) && sum.is_contiguous()) {
    multiply(sum, a, b, 1);
  } else {
    sum.add_(product(a, b));
  }
}

// In bfloat16 as a product, since ATen would convert the whole of x first.
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
