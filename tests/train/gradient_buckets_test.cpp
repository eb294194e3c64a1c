#include "train/gradient_buckets.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>

#include "nn/torch.h"

#include "base/error.h"
#include "nn/linear.h"
#include "nn/parameter_gradient.h"
#include "nn/product.h"

namespace heed {
namespace {

// Doubles every sum, as a second process with the same gradient would.
class Doubling final : public Reducer {
 public:
  using Reducer::sum;
  int64_t rank() const override { return 0; }
  int64_t processes() const override { return 2; }
  void sum(const Tensor& flat, SumPrecision) override {
    if (fails) throw Error(ErrorKind::kFailure, "a process is lost");
    sizes.push_back(flat.numel());
    flat.mul_(2);
    ++sums;
  }
  void broadcast(const Tensor&) override {}
  void gather_parts(const Tensor&) override {}
  std::vector<std::string> gather(const std::string& bytes) override { return {bytes, bytes}; }
  bool any(bool here) override { return here; }

  std::vector<int64_t> sizes;
  std::atomic<int> sums = 0;
  bool fails = false;
};

struct Network final : torch::nn::Module {
  Network() {
    for (const char* name : {"first", "second", "third"})
      weights.push_back(register_parameter(name, torch::randn({20, 20})));
  }
  Tensor loss(const Tensor& x) {
    Tensor y = x;
    for (const Tensor& weight : weights) y = torch::tanh(torch::matmul(y, weight));
    return y.sum();
  }
  std::vector<Tensor> weights;
};

class Buckets : public testing::Test {
 protected:
  Network network_;
  FlatParameters parameters_{network_};
  Doubling processes_;
  Tensor x_ = torch::randn({5, 20});

  // Sum of the gradients of this number of passes.
  Tensor expected(int passes) {
    parameters_.gradient().zero_();
    for (int i = 0; i < passes; ++i) network_.loss(x_).backward();
    return parameters_.gradient() * 2;
  }
};

TEST_F(Buckets, SumsEachElementOnceAfterTheLastPass) {
  for (const int passes : {1, 3}) {
    const Tensor sum = expected(passes);
    GradientBuckets buckets(parameters_, processes_, SumPrecision::kOwn, 500);
    buckets.add_worker(network_, parameters_.gradient());
    for (int update = 0; update < 3; ++update) {
      parameters_.gradient().zero_();
      processes_.sizes.clear();
      buckets.begin();
      for (int i = 0; i < passes; ++i) {
        if (i + 1 == passes) buckets.last_pass(0);
        network_.loss(x_).backward();
      }
      buckets.finish();
      EXPECT_TRUE(parameters_.gradient().equal(sum));
      // Buckets begin at the last parameter: two matrices of 400 elements reach the minimum of 500.
      EXPECT_EQ(processes_.sizes, (std::vector<int64_t>{800, 400}));
    }
  }
}

TEST_F(Buckets, AddsTheGradientsOfSeveralWorkers) {
  const Tensor sum = expected(1) * 2;
  Network other;
  for (size_t i = 0; i < other.weights.size(); ++i)
    other.weights[i].set_data(network_.weights[i].data());
  const Tensor own = parameters_.attach_gradient(network_),
               others = parameters_.attach_gradient(other);
  GradientBuckets buckets(parameters_, processes_, SumPrecision::kOwn, 1);
  buckets.add_worker(network_, own);
  buckets.add_worker(other, others);
  buckets.begin();
  buckets.last_pass(0);
  network_.loss(x_).backward();
  EXPECT_EQ(processes_.sums, 0) << "the other worker has not computed";
  buckets.last_pass(1);
  other.loss(x_).backward();
  buckets.finish();
  EXPECT_TRUE(parameters_.gradient().equal(sum));
}

// Identity whose backward pass waits for the first sum.
class WaitForASum : public torch::autograd::Function<WaitForASum> {
 public:
  static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& x,
                        const Doubling* processes) {
    context->saved_data["processes"] = reinterpret_cast<int64_t>(processes);
    return x.clone();
  }
  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               torch::autograd::tensor_list gradients) {
    const auto* processes =
        reinterpret_cast<const Doubling*>(context->saved_data.at("processes").toInt());
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (processes->sums == 0 && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return {gradients[0], Tensor()};
  }
};

TEST_F(Buckets, AreSummedWhileTheBackwardPassGoesOn) {
  GradientBuckets buckets(parameters_, processes_, SumPrecision::kOwn, 1);
  buckets.add_worker(network_, parameters_.gradient());
  buckets.begin();
  buckets.last_pass(0);
  const Tensor y =
      torch::matmul(torch::tanh(torch::matmul(x_, network_.weights[0])), network_.weights[1]);
  const Tensor waiting = WaitForASum::apply(y, &processes_);
  torch::matmul(waiting, network_.weights[2]).sum().backward();
  EXPECT_GE(processes_.sums, 1) << "nothing was summed before the pass had ended";
  buckets.finish();
  EXPECT_EQ(processes_.sums, 3);
}

TEST_F(Buckets, KnowWhatOperationsHaveAddedInPlace) {
  GradientBuckets buckets(parameters_, processes_, SumPrecision::kOwn, 1);
  buckets.add_worker(network_, parameters_.gradient());
  buckets.begin();
  buckets.last_pass(0);
  const Bf16Scope bf16(true);
  const Tensor y = linear(linear(x_, network_.weights[0], Tensor()), network_.weights[1], Tensor());
  const Tensor waiting = WaitForASum::apply(y, &processes_);
  const Tensor loss = linear(waiting, network_.weights[2], Tensor()).sum();
  const GradientsInPlace in_place;
  loss.backward();
  EXPECT_GE(processes_.sums, 1) << "nothing was summed before the pass had ended";
  buckets.finish();
  EXPECT_EQ(processes_.sums, 3);
}

TEST_F(Buckets, SumWhatAPassHasNotReached) {
  GradientBuckets buckets(parameters_, processes_, SumPrecision::kOwn, 1);
  buckets.add_worker(network_, parameters_.gradient());
  buckets.begin();
  buckets.last_pass(0);
  torch::matmul(x_, network_.weights[0]).sum().backward();  // the first parameter alone
  buckets.finish();
  EXPECT_EQ(processes_.sums, 3);
}

TEST_F(Buckets, ThrowWhatASumHasThrown) {
  GradientBuckets buckets(parameters_, processes_, SumPrecision::kOwn, 1);
  buckets.add_worker(network_, parameters_.gradient());
  processes_.fails = true;
  buckets.begin();
  buckets.last_pass(0);
  network_.loss(x_).backward();
  EXPECT_THROW(buckets.finish(), Error);
  processes_.fails = false;
  buckets.begin();
  buckets.finish();
  EXPECT_EQ(processes_.sums, 3);
}

TEST_F(Buckets, LeaveNoHooksBehind) {
  {
    GradientBuckets buckets(parameters_, processes_, SumPrecision::kOwn, 1);
    buckets.add_worker(network_, parameters_.gradient());
  }
  network_.loss(x_).backward();
  EXPECT_EQ(processes_.sums, 0);
}

}  // namespace
}  // namespace heed
