#include "nn/pass.h"

#include <ATen/Context.h>
#include <ATen/core/Generator.h>

#include "base/error.h"

namespace heed {

namespace {

// One 32-bit hash of (key, index) an element. Own code because ATen's generators draw one number
// after the other, which takes longer than the layer that is dropped, and because the mask must not
// depend on the number of threads. The mixing constants are those of a well-known two-round integer
// finalizer with low bias.
#if defined(__x86_64__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
void fill_mask(float* mask, int64_t count, uint32_t key_low, uint32_t key_high, uint32_t threshold, float kept) {
  for (int64_t i = 0; i < count; ++i) {
    uint32_t x = (static_cast<uint32_t>(i) * 0x9e3779b9U + key_low) ^ key_high;
    x ^= x >> 16;
    x *= 0x21f0aaadU;
    x ^= x >> 15;
    x *= 0x735a2d97U;
    x ^= x >> 15;
    mask[i] = x >= threshold ? kept : 0.0F;
  }
}

}  // namespace

Pass Pass::for_training(uint64_t seed, int64_t update, int64_t micro_batch) {
  Pass pass;
  pass.training = true;
  pass.update = update;
  pass.key_ = stream_key(seed, "pass", update, micro_batch);
  pass.drawn_ = std::make_shared<uint64_t>(0);
  return pass;
}

uint64_t Pass::draw() const {
  HEED_CHECK(drawn_ != nullptr, "a pass of inference draws nothing");
  return mix64(key_ + mix64((*drawn_)++));
}

Tensor dropout_mask(c10::IntArrayRef shape, double p, const Tensor& like, const Pass& pass) {
  const uint64_t key = pass.draw();
  const double kept = 1.0 / (1.0 - p);
  if (!like.device().is_cpu()) {
    auto generator = at::globalContext().defaultGenerator(like.device()).clone();
    generator.set_current_seed(key);
    return torch::empty(shape, like.options().requires_grad(false))
        .bernoulli_(1 - p, generator)
        .mul_(kept);
  }
  Tensor mask = torch::empty(shape, torch::TensorOptions().dtype(torch::kFloat));
  const auto threshold = static_cast<uint32_t>(p * 4294967296.0);
  fill_mask(mask.mutable_data_ptr<float>(), mask.numel(), static_cast<uint32_t>(key),
            static_cast<uint32_t>(key >> 32), threshold, static_cast<float>(kept));
  return like.scalar_type() == torch::kFloat ? mask : mask.gt(0).to(like.scalar_type()).mul_(kept);
}

Tensor dropout(const Tensor& x, double p, const Pass& pass) {
  if (!pass.training || p <= 0) return x;
  return x * dropout_mask(x.sizes(), p, x, pass);
}

}  // namespace heed
