// `type: attention_over_attention` (Cui et al. 2017, section 3): the weights over a document are
// the mean of those of the words of a query, weighted by attention over these. With M_ij =
// h_doc(i)·h_query(j):
//   α_j = softmax over i of M_ij,  β_i = softmax over j of M_ij,  β = the mean of β_i,  s = Σ_j β_j α_j
// s is the distribution over the document; `output: pointer_sum` sums it by word. It does not
// depend on the decoder state.
#include "nn/torch.h"

#include "nn/attention/attention_over_attention_config.h"
#include "nn/attention/builders.h"
#include "nn/attention/normalizers/masked_softmax.h"

namespace heed {

namespace {

class AttentionOverAttention final : public Attention {
 public:
  AttentionOverAttention(std::string document, std::string query)
      : document_(std::move(document)), query_(std::move(query)) {}

  void start(const Sources& sources, StateView state) override {
    const Source &document = sources.at(document_), &query = sources.at(query_);
    const Tensor alike = torch::matmul(document.keys, query.keys.transpose(1, 2));  // M [R,D,Q]
    const Tensor a =
        masked_softmax(alike.transpose(1, 2), document.mask.unsqueeze(1));  // α [R,Q,D]
    const Tensor each = masked_softmax(alike, query.mask.unsqueeze(1));     // β_i [R,D,Q]
    const Tensor of = uniform_weights(document.mask, alike).unsqueeze(1);   // [R,1,D]
    const Tensor b = torch::matmul(of, each);                               // β [R,1,Q]
    const Tensor s = torch::matmul(b, a);                                   // [R,1,D]
    state.put(weights_, s);
    state.put(context_, torch::matmul(s, document.values));
  }

  Attended attend(const Tensor& query, const Tensor&, StateView state) override {
    Attended attended;
    attended.context = state.get(context_).expand({-1, query.size(1), -1});
    if (state.pass().keep_weights)
      attended.weights = state.get(weights_).unsqueeze(1).expand({-1, -1, query.size(1), -1});
    attended.source = document_;
    return attended;
  }

 private:
  std::string document_, query_;
  MemorySlot weights_ = layout_.memory("weights");  // s [N,1,D]
  MemorySlot context_ = layout_.memory("context");  // [N,1,V]
};

}  // namespace

std::shared_ptr<Attention> builders::attention_over_attention(const AttentionConfig& config,
                                                              const AttentionDims&) {
  const auto& settings = settings_as<AttentionOverAttentionConfig>(config);
  return std::make_shared<AttentionOverAttention>(settings.document, settings.query);
}

}  // namespace heed
