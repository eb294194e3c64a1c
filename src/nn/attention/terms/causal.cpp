// causal: a query attends to its own position and to those before it, in a unidirectional encoder
// (Ma et al. 2019, STACL, section 4.2).
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
