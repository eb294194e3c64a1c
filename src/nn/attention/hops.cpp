// `type: hops`: n hops of attention; query and context vector of a hop give the query of the next,
// and the last query is the context vector: u_{k+1} = u_k + o_k (Sukhbaatar et al. 2015, equation
// 4), or a recurrent cell instead of the sum.
#include "nn/torch.h"

#include "config/sizes.h"
#include "nn/attention/rereading.h"

namespace heed {

namespace {

class Hops final : public Rereading {
 public:
  using Rereading::Rereading;

 private:
  Attended reread(const Tensor& query, const Read& read) override {
    Attended result;
    Tensor next = query;  // [R,T,W]
    for (int64_t hop = 0; hop < hops(); ++hop) {
      Attended attended = read(hop, next);
      next = updated(next, attended.context);
      result.losses.insert(result.losses.end(), attended.losses.begin(), attended.losses.end());
      result.weights = attended.weights;
      result.parts.push_back(std::move(attended));
    }
    result.context = next;
    return result;
  }
};

struct HopsConfig final : RereadingConfig {
  int64_t hops = 3;
  void fields(Fields& f) const override {
    RereadingConfig::fields(f);
    f.field("hops", hops, kRounds, "number of hops");
  }
  std::shared_ptr<Attention> build(const AttentionDims& dims) const override {
    return std::make_shared<Hops>(*this, dims, hops);
  }
};

}  // namespace

namespace kinds {
Kind<AttentionConfig> hops() {
  return kind<HopsConfig, AttentionConfig>("hops",
                                           "several hops, with parameters shared or not; the "
                                           "context vector updates the query (Sukhbaatar 2015)");
}
}  // namespace kinds

}  // namespace heed
