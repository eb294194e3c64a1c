// talking_heads: scores J P_l, a linear map over the heads, before the normalizer (Shazeer et al.
// 2020, section 4). The term implies the read-out of the same name, which has the map after the
// normalizer; with another read-out the map before is used alone, as in section 5.3 of the paper.
// The numbers of heads of queries, of weights and of values are equal (h_k = h = h_v).
#include "nn/torch.h"

#include "nn/attention/builders.h"

namespace heed {

namespace {

class TalkingHeads final : public Term {
 public:
  explicit TalkingHeads(int64_t heads) {
    before_ = add_parameter("before", {heads, heads}, Init::matrix());
  }
  Tensor add_to(const Tensor& scores, const At&) override {
    return torch::einsum("rhts,hg->rgts", {scores, before_});
  }

 private:
  Tensor before_;  // P_l [H,H]
};

}  // namespace

std::shared_ptr<Term> builders::talking_heads(const TermConfig&, const StageDims& dims) {
  return std::make_shared<TalkingHeads>(dims.heads);
}

}  // namespace heed
