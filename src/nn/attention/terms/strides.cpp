// Sparse self-attention by distance (Child et al. 2019, figure 3):
//   local    |i - j| <= k
//   atrous   |i - j| = 0, k, 2k, …
//   sparse   both
#include "nn/torch.h"

#include "config/sizes.h"
#include "nn/attention/stages.h"

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
struct StridesConfig final : TermConfig {
  int64_t k = 8;
  void fields(Fields& f) const override {
    f.field("k", k, kLengths,
            local && atrous ? "half width of the window, and dilation beyond it"
            : local         ? "half width k of the window, in positions"
                            : "dilation k");
  }
  void check(const StageDims& dims, Problems& problems) const override {
    check_one_sequence(*this, dims, problems, local && !atrous ? "window" : nullptr);
  }
  std::shared_ptr<Term> build(const StageDims&) const override {
    return std::make_shared<Strides>(k, local, atrous);
  }
};

}  // namespace

namespace kinds {
Kind<TermConfig> local() {
  return kind<StridesConfig<true, false>, TermConfig>(
      "local", "local attention: |i - j| <= k (over the source, as in Luong 2015: window)");
}
Kind<TermConfig> atrous() {
  return kind<StridesConfig<false, true>, TermConfig>("atrous",
                                                      "dilated attention: |i - j| = 0, k, 2k, …");
}
Kind<TermConfig> sparse() {
  return kind<StridesConfig<true, true>, TermConfig>(
      "sparse", "sparse attention: the union of local and atrous (Child 2019)");
}
}  // namespace kinds

}  // namespace heed
