// Measures the speed of matrix products with each set of kernels of this processor, and with MKL
// inside libtorch, in one thread: GFLOP/s of x Wᵀ with x [rows,I] and W [O,I], packed in advance
// except for MKL. The speed of a set at the largest shape is taken as the peak for its other
// shapes. products.sh builds and runs it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "nn/torch.h"

#include "kernels/packed_matrix.h"
#include "nn/product.h"

// Enables MKL's fast kernels on all processors, as the program does (cli/run_program.cpp).
extern "C" int mkl_serv_intel_cpu_true() { return 1; }

namespace heed {
namespace {

struct Shape {
  int64_t rows, inputs, outputs;
};
// Shapes of a beam search step, of an update of the Transformer in configs/, and of wide models.
const std::vector<Shape> kShapes = {{1, 128, 8000},    {16, 128, 128},    {64, 128, 8000},
                                    {160, 512, 2048},  {2048, 128, 128},  {2048, 128, 256},
                                    {2048, 256, 128},  {2048, 128, 8000}, {2048, 8000, 128},
                                    {2048, 512, 2048}, {4096, 2048, 512}, {2048, 2048, 2048}};

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Best speed of several repetitions of at least 30 ms.
double speed_of(const Shape& shape, const std::function<void()>& product) {
  const double operations = 2.0 * shape.rows * shape.inputs * shape.outputs;
  product();
  const int64_t repeats = 1 + static_cast<int64_t>(0.03 / seconds_of(product));
  double best = 0;
  for (int turn = 0; turn < 5; ++turn) {
    const double taken = seconds_of([&] {
      for (int64_t i = 0; i < repeats; ++i) product();
    });
    best = std::max(best, operations * repeats / taken / 1e9);
  }
  return best;
}

std::vector<float> numbers(int64_t count) {
  static std::mt19937 engine(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) value = normal(engine);
  return values;
}

double kernel_speed(const Kernels& set, Precision precision, const Shape& shape) {
  const auto x = numbers(shape.rows * shape.inputs), w = numbers(shape.outputs * shape.inputs);
  std::vector<float> y(static_cast<size_t>(shape.rows * shape.outputs));
  const PackedMatrix packed(set, precision, w.data(), shape.outputs, shape.inputs);
  return speed_of(shape, [&] { packed.product(x.data(), shape.rows, y.data()); });
}

double mkl_speed(Precision precision, const Shape& shape) {
  const bool halves = precision == Precision::kBFloat16;
  const auto format = halves ? torch::kBFloat16 : torch::kFloat;
  const Tensor x = torch::randn({shape.rows, shape.inputs}).to(format);
  const Tensor w = torch::randn({shape.outputs, shape.inputs}).to(format).t();
  return speed_of(shape, [&] { product(x, w); });
}

void print_table(const char* title, Precision precision) {
  std::printf("%s, GFLOP/s\n%-18s", title, "rows x I x O");
  const auto sets = all_kernels();
  for (size_t i = 1; i < sets.size(); ++i) std::printf("%13s", sets[i]->name);
  if (precision != Precision::kInt8) std::printf("%13s", "mkl");
  std::printf("\n");
  for (const Shape& shape : kShapes) {
    const std::string name = std::to_string(shape.rows) + " x " + std::to_string(shape.inputs) +
                             " x " + std::to_string(shape.outputs);
    std::printf("%-18s", name.c_str());
    for (size_t i = 1; i < sets.size(); ++i)
      std::printf("%13.0f", kernel_speed(*sets[i], precision, shape));
    if (precision != Precision::kInt8) std::printf("%13.0f", mkl_speed(precision, shape));
    std::printf("\n");
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace heed

int main() {
  at::set_num_threads(1);
  const torch::NoGradGuard no_grad;
  heed::print_table("fp32", heed::Precision::kFloat);
  heed::print_table("bf16, rounding of x counted but for mkl", heed::Precision::kBFloat16);
  heed::print_table("int8, rounding of x counted", heed::Precision::kInt8);
}
