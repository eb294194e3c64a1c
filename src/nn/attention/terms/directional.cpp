// directional: a query reads one side only, without its own place (Shen et al. 2018, DiSAN,
// equation 16 and 17): forward what stands before it, backward what stands behind it.
#include "nn/torch.h"

#include "nn/attention/stages.h"

namespace heed {

namespace {

class Directional final : public Term {
 public:
  explicit Directional(bool forward) : forward_(forward) {}
  Tensor restrict(const Tensor& mask, const At& at) override {
    const Tensor away = distances(at).unsqueeze(1);  // [R,1,T,S]
    return mask & (forward_ ? away < 0 : away > 0);
  }

 private:
  bool forward_;
};

struct DirectionalConfig final : TermConfig {
  enum class Side { kForward, kBackward };
  Side side = Side::kForward;
  void fields(Fields& f) override {
    static const Words<Side> words = {{"forward", Side::kForward}, {"backward", Side::kBackward}};
    f.choice("kind", side, words, "forward reads what stands before, backward what stands behind");
  }
  void check(const StageDims& dims, Problems& problems) const override {
    check_one_sequence(*this, dims, problems);
    if (dims.place == Place::kDecoderSelf && side == Side::kBackward)
      problems.add("kind", "a decoder's past has nothing behind the query: take forward");
  }
  std::shared_ptr<Term> build(const StageDims&) const override {
    return std::make_shared<Directional>(side == Side::kForward);
  }
};

}  // namespace

namespace kinds {
Kind<TermConfig> directional() {
  return kind<DirectionalConfig, TermConfig>(
      "directional", "reads one side only, without the query's place (Shen 2018, DiSAN)");
}
}  // namespace kinds

}  // namespace heed
