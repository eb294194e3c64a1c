#include "nn/pass.h"

#include <algorithm>

#include <ATen/Context.h>
#include <ATen/core/Generator.h>

#include "nn/torch.h"

#include "base/error.h"
#include "kernels/kernels.h"
#include "nn/kernel_path.h"

namespace heed {

namespace {

// A key for each position [i1,…,ik-1] of a shape [R,i2,…,ik], shared by the elements of the last
// dimension.
std::vector<uint64_t> keys_of(c10::IntArrayRef shape, uint64_t key, const Pass& pass) {
  std::vector<uint64_t> keys;
  for (int64_t r = 0; r < shape[0]; ++r) keys.push_back(mix64(key + mix64(pass.row(r))));
  for (size_t dim = 1; dim + 1 < shape.size(); ++dim) {
    std::vector<uint64_t> finer;
    finer.reserve(keys.size() * static_cast<size_t>(shape[dim]));
    for (const uint64_t coarse : keys) {
      for (int64_t i = 0; i < shape[dim]; ++i)
        finer.push_back(mix64(coarse + static_cast<uint64_t>(i)));
    }
    keys = std::move(finer);
  }
  return keys;
}

DropoutKeys draw_keys(c10::IntArrayRef shape, double p, const Pass& pass) {
  const std::vector<uint64_t> keys = keys_of(shape, pass.draw(), pass);
  Tensor stored = torch::empty({std::ssize(keys)}, torch::kLong);
  std::ranges::copy(keys, reinterpret_cast<uint64_t*>(stored.mutable_data_ptr<int64_t>()));
  return {.keys = stored, .p = p};
}

// m ⊙ x, with the factors m; float32 on a CPU.
Tensor dropped(const Tensor& x, const DropoutKeys& dropout) {
  const Tensor from = x.contiguous();
  Tensor y = torch::empty(from.sizes(), from.options().requires_grad(false));
  const int64_t rows = dropout.keys.numel();
  kernels().drop(from.const_data_ptr<float>(), rows, x.numel() / std::max<int64_t>(1, rows),
                 dropout.rows(), y.mutable_data_ptr<float>(), nullptr, nullptr);
  return y;
}

}  // namespace

Pass Pass::for_training(uint64_t seed, int64_t update, std::vector<int64_t> rows) {
  Pass pass;
  pass.training = true;
  pass.update = update;
  pass.key_ = stream_key(seed, "pass", update);
  pass.drawn_ = std::make_shared<uint64_t>(0);
  pass.rows_ = std::make_shared<const std::vector<int64_t>>(std::move(rows));
  return pass;
}

uint64_t Pass::draw() const {
  HEED_CHECK(drawn_ != nullptr, "a pass of inference draws nothing");
  return mix64(key_ + mix64((*drawn_)++));
}

Pass Pass::fork() const {
  if (!training) return *this;
  Pass fork = *this;
  fork.key_ = draw();
  fork.drawn_ = std::make_shared<uint64_t>(0);
  return fork;
}

Pass Pass::replay() const {
  Pass replay = *this;
  if (drawn_ != nullptr) replay.drawn_ = std::make_shared<uint64_t>(*drawn_);
  return replay;
}

bool Pass::keeps(std::string_view part, int64_t number, double p) const {
  return !training || p == 0 || RandomStream(stream_key(key_, part, number)).uniform() >= p;
}

Pass Pass::for_parts(const std::vector<int64_t>& rows, const std::vector<int64_t>& parts) const {
  HEED_CHECK(rows.size() == parts.size());
  Pass part = fork();
  if (!training) return part;
  constexpr uint64_t kMostParts = 1 << 20;
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < rows.size(); ++i)
    numbers.push_back(
        static_cast<int64_t>(row(rows[i]) * kMostParts + static_cast<uint64_t>(parts[i])));
  part.rows_ = std::make_shared<const std::vector<int64_t>>(std::move(numbers));
  return part;
}

uint64_t Pass::row(int64_t r) const {
  return static_cast<uint64_t>(rows_->empty() ? r : rows_->at(static_cast<size_t>(r)));
}

DropoutRows DropoutKeys::rows() const {
  if (!keys.defined()) return {};
  return {.keys = reinterpret_cast<const uint64_t*>(keys.const_data_ptr<int64_t>()),
          .threshold = static_cast<uint32_t>(p * 4294967296.0),
          .kept = static_cast<float>(1.0 / (1.0 - p))};
}

DropoutKeys dropout_keys(c10::IntArrayRef shape, double p, const Pass& pass) {
  if (!pass.training || p <= 0) return {};
  return draw_keys(shape, p, pass);
}

namespace {

// Random generator of a GPU for one tensor.
at::Generator next_generator(torch::Device gpu, const Pass& pass) {
  at::Generator generator = at::globalContext().defaultGenerator(gpu).clone();
  generator.set_current_seed(mix64(pass.draw() + pass.row(0)));
  return generator;
}

}  // namespace

Tensor dropout_mask(c10::IntArrayRef shape, double p, const Tensor& like, const Pass& pass) {
  const double kept = 1.0 / (1.0 - p);
  if (!like.device().is_cpu()) {
    return torch::empty(shape, like.options().requires_grad(false))
        .bernoulli_(1 - p, next_generator(like.device(), pass))
        .mul_(kept);
  }
  const Tensor mask = dropped(torch::ones(shape, torch::kFloat), draw_keys(shape, p, pass));
  return like.scalar_type() == torch::kFloat ? mask : mask.gt(0).to(like.scalar_type()).mul_(kept);
}

Tensor uniform_numbers(c10::IntArrayRef shape, const Tensor& like, const Pass& pass) {
  const uint64_t key = pass.draw();
  Tensor numbers = torch::empty(shape, torch::TensorOptions().dtype(torch::kDouble));
  const int64_t last = shape.size() > 1 ? shape.back() : 1;
  auto* values = numbers.mutable_data_ptr<double>();
  for (const uint64_t part : keys_of(shape, key, pass)) {
    for (int64_t i = 0; i < last; ++i) {
      *values++ = dropout_hash(static_cast<uint32_t>(i), static_cast<uint32_t>(part),
                               static_cast<uint32_t>(part >> 32)) *
                  0x1.0p-32;
    }
  }
  constexpr double kBelowOne = 1 - 0x1.0p-24;  // largest value that float32 does not round to 1
  return numbers.clamp_max_(kBelowOne).to(like.options().requires_grad(false));
}

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

// Draws the factors again for the gradient.
class Drop : public torch::autograd::Function<Drop> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& x, const DropoutKeys& dropout) {
    context->save_for_backward({dropout.keys});
    context->saved_data["p"] = dropout.p;
    return dropped(x, dropout);
  }
  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    return {dropped(gradients[0], {.keys = context->get_saved_variables()[0],
                                   .p = context->saved_data.at("p").toDouble()}),
            Tensor()};
  }
};

}  // namespace

Tensor dropout(const Tensor& x, double p, const Pass& pass) {
  if (!pass.training || p <= 0) return x;
  if (takes_kernels(x)) return Drop::apply(x, dropout_keys(x.sizes(), p, pass));
  if (x.device().is_cuda())
    return std::get<0>(at::_fused_dropout(x, 1 - p, next_generator(x.device(), pass)));
  return x * dropout_mask(x.sizes(), p, x, pass);
}

}  // namespace heed
