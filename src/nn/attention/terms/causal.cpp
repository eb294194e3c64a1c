// causal: a query attends to its own position and to those before it, as in the unidirectional
// encoder of Elbayad et al. 2020 (Efficient wait-k models).
#include "nn/torch.h"

#include "nn/attention/builders.h"

namespace heed {

namespace {

class Causal final : public Term {
 public:
  Tensor restrict(const Tensor& mask, const At& at) override {
    return mask & (distances(at) <= 0).unsqueeze(1);  // [R,1,T,S]
  }
};

}  // namespace

std::shared_ptr<Term> builders::causal(const TermConfig&, const StageDims&) {
  return std::make_shared<Causal>();
}

}  // namespace heed
