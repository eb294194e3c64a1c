// Sparse self-attention by distance (Child et al. 2019, figure 3):
//   local    |i - j| <= k
//   atrous   |i - j| = 0, k, 2k, …
//   sparse   both
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/terms/strides_config.h"

namespace heed {

namespace {

class Strides final : public Term {
 public:
  Strides(int64_t k, bool local, bool atrous) : k_(k), local_(local), atrous_(atrous) {}
  Tensor restrict(const Tensor& mask, const At& at) override {
    const Tensor away = distances(at).abs().unsqueeze(1);  // [R,1,T,S]
    const Tensor near = away <= k_, strided = away.remainder(k_) == 0;
    return mask & (!atrous_ ? near : !local_ ? strided : near | strided);
  }

 private:
  int64_t k_;
  bool local_, atrous_;
};

template <bool local, bool atrous>
std::shared_ptr<Term> strides(const TermConfig& config) {
  const auto& settings = settings_as<StridesConfig<local, atrous>>(config);
  return std::make_shared<Strides>(settings.k, local, atrous);
}

}  // namespace

std::shared_ptr<Term> builders::local(const TermConfig& config, const StageDims&) {
  return strides<true, false>(config);
}

std::shared_ptr<Term> builders::atrous(const TermConfig& config, const StageDims&) {
  return strides<false, true>(config);
}

std::shared_ptr<Term> builders::sparse(const TermConfig& config, const StageDims&) {
  return strides<true, true>(config);
}

}  // namespace heed
