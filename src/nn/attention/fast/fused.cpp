// Softmax attention of a training pass in one operation: a kernel on a CPU, libtorch's on a GPU.
#include "nn/torch.h"

#include "nn/attention/fast/fast_path.h"
#include "nn/attention/fast/fused_attention.h"
#include "nn/attention/heads.h"
#include "nn/kernel_path.h"

namespace heed {

namespace {

class FusedPath final : public FastPath {
 public:
  FusedPath(double scale, double dropout) : scale_(scale), dropout_(dropout) {}

  // Over a decoder's own past, the only stored keys are those of these queries.
  bool takes(const At& at, const KeysAndValues& memory) const override {
    return at.pass.training && !at.pass.keep_weights && memory.hypotheses == 1 &&
           (memory.mask.defined() || memory.keys.size(2) == at.queries.size(2)) &&
           (takes_kernels(at.queries) || takes_sdpa(at.queries, dropout_));
  }

  Attended attend(const Stages& stages, const At& at, const KeysAndValues& memory) const override {
    const bool causal = !memory.mask.defined();
    const Tensor keys = repeated_heads(memory.keys, at.queries.size(1)),
                 values = repeated_heads(memory.values, at.queries.size(1));
    const Tensor heads =
        at.queries.is_cuda()
            ? sdpa(at.queries, keys, values, memory.mask, scale_, causal)
            : fused_attention(at.queries, keys, values, memory.mask,
                              {.scale = scale_, .dropout = dropout_, .causal = causal}, at.pass);
    Attended result;
    const Tensor mask = causal ? Tensor() : readable_keys(memory, at.positions);
    result.context = context_of(heads, mask, stages, at, memory);
    return result;
  }

 private:
  double scale_;    // StagedConfig::fused_scale()
  double dropout_;  // probability, of the weights
};

}  // namespace

std::unique_ptr<FastPath> make_fused_path(const StagedConfig& config, const StageDims& dims) {
  const std::optional<double> scale = config.fused_scale(dims);
  return scale ? std::make_unique<FusedPath>(*scale, config.dropout) : nullptr;
}

}  // namespace heed
