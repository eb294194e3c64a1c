// `type: hops`: n hops of attention; query and context vector of a hop give the query of the next,
// and the last query is the context vector: u_{k+1} = u_k + o_k (Sukhbaatar et al. 2015, equation
// 4), or a recurrent cell instead of the sum.
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/hops_config.h"
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
      result.form = attended.form;
      result.parts.push_back(std::move(attended));
    }
    result.context = next;
    return result;
  }
};

}  // namespace

std::shared_ptr<Attention> builders::hops(const AttentionConfig& config,
                                          const AttentionDims& dims) {
  const auto& settings = settings_as<HopsConfig>(config);
  return std::make_shared<Hops>(settings, dims, settings.hops);
}

}  // namespace heed
