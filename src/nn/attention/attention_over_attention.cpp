// `type: attention_over_attention` (Cui et al. 2017, section 3): the weights over a document are
// the mean of those of the words of a query, weighted by attention over these. With M_ij =
// h_doc(i)·h_query(j):
//   α_j = softmax over i of M_ij,  β_i = softmax over j of M_ij,  β = the mean of β_i,  s = Σ_j β_j α_j
// s is the distribution over the document; `output: pointer_sum` sums it by word. It does not
// depend on the decoder state.
#include "nn/torch.h"

#include "nn/attention/attention.h"
#include "nn/attention/multi_source.h"
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
  MemorySlot weights_ = keeps_.memory("weights");  // s [N,1,D]
  MemorySlot context_ = keeps_.memory("context");  // [N,1,V]
};

struct AttentionOverAttentionConfig final : AttentionConfig {
  std::string document = "document", query = "query";
  void fields(Fields& f) const override {
    f.field("document", document, "source with the document");
    f.field("query", query, "source with the query");
  }
  bool reads_several() const override { return true; }
  std::string source() const override { return document; }
  void check(const AttentionDims& dims, Problems& problems) const override {
    bool known = true;
    for (const auto& [key, name] : {std::pair{"document", document}, {"query", query}}) {
      if (dims.sources.contains(name)) continue;
      problems.add(key, no_such_source(dims, name));
      known = false;
    }
    if (!known) return;
    const int64_t width = dims.sources.at(document).key, other = dims.sources.at(query).key;
    if (width != other) {
      problems.add("",
                   fmt::format("needs encoders of equal width, but {} has width {} and {} has {}",
                               document, width, query, other));
    }
    if (dims.block > 0 && dims.block != dims.sources.at(document).value)
      problems.add(
          "",
          fmt::format("gives context vectors of width {} in a layer of width {}: make them equal",
                      dims.sources.at(document).value, dims.block));
  }
  int64_t context_width(const AttentionDims& dims) const override {
    const auto found = dims.sources.find(document);
    return found == dims.sources.end() ? dims.source.value : found->second.value;
  }
  int64_t weight_heads(const AttentionDims&) const override { return 1; }
  std::shared_ptr<Attention> build(const AttentionDims&) const override {
    return std::make_shared<AttentionOverAttention>(document, query);
  }
};

}  // namespace

namespace kinds {
Kind<AttentionConfig> attention_over_attention() {
  return kind<AttentionOverAttentionConfig, AttentionConfig>(
      "attention_over_attention", "attention-over-attention of a document and a query (Cui 2017)");
}
}  // namespace kinds

}  // namespace heed
