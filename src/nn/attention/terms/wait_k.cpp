// wait_k: the prefix-to-prefix policy of simultaneous translation (Ma et al. 2019, STACL). Target
// token t, counted from 1, reads the first g(t) tokens of a source x:
//   g(t) = min(k + t - 1 - ⌊c t⌋, |x|)
// c = 0 is wait-k, c > 0 wait-k with catch-up. The end of the source counts
// as a token if the model reads it (`source_end`).
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/terms/wait_k.h"

namespace heed {

Tensor tokens_read(const WaitKConfig& policy, const Tensor& positions) {
  const Tensor t = positions + 1;
  const Tensor skipped = (t.to(torch::kDouble) * policy.catch_up).floor().to(t.scalar_type());
  return policy.k + positions - skipped;
}

namespace {

class WaitK final : public Term {
 public:
  explicit WaitK(const WaitKConfig& config) : config_(config) {}
  Tensor restrict(const Tensor& mask, const At& at) override {
    const Tensor read = tokens_read(config_, at.positions);                          // [R,T]
    return mask & (at.key_positions.unsqueeze(1) < read.unsqueeze(2)).unsqueeze(1);  // [R,1,T,S]
  }

 private:
  WaitKConfig config_;
};

}  // namespace

std::shared_ptr<Term> builders::wait_k(const TermConfig& config, const StageDims&) {
  return std::make_shared<WaitK>(settings_as<WaitKConfig>(config));
}

}  // namespace heed
