// Attention flow between a context H [T,W] and a query U [J,W] (Seo et al. 2017, BiDAF, section 2,
// layers 4 and 5):
//   S_tj = wᵀ [h_t; u_j; h_t ∘ u_j]                                                   (equation 1)
//   a_t = softmax_j(S_tj),  ũ_t = Σ_j a_tj u_j                           (context-to-query attention)
//   b = softmax_t(max_j S_tj),  h̃ = Σ_t b_t h_t                          (query-to-context attention)
//   g_t = [h_t; ũ_t; h_t ∘ ũ_t; h_t ∘ h̃]                                              (equation 2)
//   M = modeling(G); the paper's output layers read [G; M]                            (equation 3)
// The states of the context become G, or [G; M] with a modeling layer; its final state is the mean
// of G, or that of the modeling layer. The query remains. A sentence without a query has ũ = 0, and
// h̃ is the mean of its context.
#include "nn/torch.h"

#include "model/builders.h"
#include "model/joiners/attention_flow_config.h"
#include "nn/attention/normalizers/masked_softmax.h"
#include "nn/linear.h"

namespace heed {

namespace {

class AttentionFlow final : public Joiner {
 public:
  AttentionFlow(const AttentionFlowConfig& config, const AllSourceDims& sources) {
    std::tie(context_, query_) = config.names(sources);
    const int64_t width = sources.at(context_).source.key;
    of_context_ = Linear(*this, "of_context", width, 1, kNoBias);
    of_query_ = Linear(*this, "of_query", width, 1, kNoBias);
    of_both_ = add_parameter("of_both", {width}, Init::vector());
    if (config.modeling)
      modeling_ = register_module("modeling", build(*config.modeling, 4 * width, /*tags=*/0));
  }

  EncoderOutput join(EncoderOutput encoded, const Pass& pass) override {
    EncodedSource& context = encoded.sources.at(context_);
    const Source& h = context.source;
    const Tensor g = flow(h, encoded.sources.at(query_).source, pass, encoded);  // [R,T,4W]
    SourceBatch batch;
    batch.lengths = h.lengths;
    batch.mask = h.mask;
    batch.features = h.features;
    EncodedSource read = encoded_states(g, batch);
    if (modeling_) {
      const size_t attended = encoded.attended.size();
      // A view, at which the gradients of the layer are summed before that of G itself is added, as
      // they are if the layer is recomputed.
      EncodedSource m = modeling_->encode(g.view_as(g), batch, pass, encoded);
      for (size_t i = attended; i < encoded.attended.size(); ++i)
        name_source(encoded.attended[i], context_);
      const bool alike = m.source.values.is_same(m.source.keys);
      read.source.keys = torch::cat({g, m.source.keys}, 2);
      read.source.values = alike ? read.source.keys : torch::cat({g, m.source.values}, 2);
      read.final_state = m.final_state;
    }
    context.source = read.source;
    context.final_state = read.final_state;
    return encoded;
  }

 private:
  // G; takes the weights of both attentions.
  Tensor flow(const Source& h, const Source& u, const Pass& pass, EncoderOutput& output) {
    const Tensor scores = of_context_(h.keys) + of_query_(u.keys).mT() +
                          torch::matmul(h.keys * of_both_, u.keys.mT());             // S [R,T,J]
    const Tensor open = u.mask.unsqueeze(1).expand_as(scores);                       // [R,T,J]
    const Tensor a = masked_softmax(scores, open);                                   // [R,T,J]
    const Tensor b = masked_softmax(masked_max(scores, open), h.mask).unsqueeze(1);  // [R,1,T]
    Attended to_query;
    to_query.context = torch::matmul(a, u.keys);  // ũ [R,T,W]
    to_query.weights = a.unsqueeze(1);
    to_query.source = query_;
    const Tensor found = output.take({.place = Place::kCoAttention, .reader = context_},
                                     std::move(to_query), h.mask, pass);
    output.take_weights({.place = Place::kPooling}, context_, b, pass);
    return torch::cat({h.keys, found, h.keys * found, h.keys * torch::matmul(b, h.keys)}, 2)
        .masked_fill(~h.mask.unsqueeze(2), 0);
  }

  std::string context_, query_;
  Linear of_context_, of_query_;  // the parts of w that meet h and u
  Tensor of_both_;                // the part of w that meets h ∘ u  [W]
  std::shared_ptr<Encoder> modeling_;
};

}  // namespace

std::shared_ptr<Joiner> builders::attention_flow(const JoinerConfig& config,
                                                 const AllSourceDims& sources) {
  return std::make_shared<AttentionFlow>(settings_as<AttentionFlowConfig>(config), sources);
}

}  // namespace heed
