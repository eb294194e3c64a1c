#include "nn/attention/terms/directional.h"

#include "nn/torch.h"

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

}  // namespace

void DirectionalConfig::fields(Fields& f) const {
  static const Words<Direction> words = {{"forward", Direction::kForward},
                                         {"backward", Direction::kBackward}};
  f.choice("kind", direction, words,
           "forward: positions before the query; backward: positions after it");
}

void DirectionalConfig::check(const StageDims& dims, Problems& problems) const {
  check_one_sequence(*this, dims, problems);
  if (dims.place == Place::kDecoderSelf && direction == Direction::kBackward)
    problems.add("kind", "a decoder has no positions after the query: use forward");
}

std::shared_ptr<Term> DirectionalConfig::build(const StageDims&) const {
  return std::make_shared<Directional>(direction == Direction::kForward);
}

namespace kinds {
Kind<TermConfig> directional() {
  return kind<DirectionalConfig, TermConfig>(
      "directional", "directional mask, without the query's own position (Shen 2018, DiSAN)");
}
}  // namespace kinds

}  // namespace heed
