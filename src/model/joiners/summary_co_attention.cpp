// Co-attention of two sources, each of which is reduced to one row, its summary (Lu, Yang, Batra
// and Parikh 2016, section 3.3). Q [S,W] is the first source, V the other.
//   alternating   q̂ = A(Q; 0),  v̂ = A(V; q̂),  q = A(Q; v̂)                          (equation 6)
//                 A(X; g): H = tanh(W_x X + (W_g g) 1ᵀ),  a = softmax(w_hᵀ H),  Σ_i a_i x_i
//                 with separate parameters for each of the three, as in the authors' code
//   parallel      C = tanh(Qᵀ W_b V)                                                   (equation 3)
//                 H_v = tanh(W_v V + (W_q Q) C),  H_q = tanh(W_q Q + (W_v V) Cᵀ)       (equation 4)
//                 a_v = softmax(w_hvᵀ H_v),  a_q = softmax(w_hqᵀ H_q),  Σ_i a_i x_i    (equation 5)
// The decoder attends to q and v; its initial state is computed from [q; v]. A source without
// tokens in a sentence has the summary 0 and does not guide the other source.
#include <tuple>

#include "nn/torch.h"

#include "model/builders.h"
#include "model/joiners/summary_co_attention_config.h"
#include "nn/attention/normalizers/masked_softmax.h"
#include "nn/linear.h"

namespace heed {

namespace {

class SummaryCoAttention : public Joiner {
 public:
  SummaryCoAttention(const SummaryCoAttentionConfig& config, const AllSourceDims& sources)
      : dropout_(config.dropout) {
    std::tie(first_, second_) = config.order(sources);
  }

  EncoderOutput join(EncoderOutput encoded, const Pass& pass) override {
    EncodedSource &q = encoded.sources.at(first_), &v = encoded.sources.at(second_);
    const auto [of_q, of_v] = weights(q.source, v.source, pass);
    FinalState last;
    last.hidden = {torch::cat({summary(of_q, q.source.values), summary(of_v, v.source.values)}, 1)};
    replace(first_, q, of_q, pass, encoded);
    replace(second_, v, of_v, pass, encoded);
    q.final_state = v.final_state = last;
    return encoded;
  }

 protected:
  // a_q and a_v.  [R,S] each
  virtual std::pair<Tensor, Tensor> weights(const Source& q, const Source& v, const Pass& pass) = 0;

  // softmax(wᵀ H) of H = tanh(x) [R,S,D] over the positions of a source.  [R,S]
  Tensor attend(const Tensor& x, Linear& w, const Tensor& mask, const Pass& pass) const {
    return masked_softmax(w(heed::dropout(x.tanh(), dropout_, pass)).squeeze(2), mask);
  }
  // Σ_i a_i x_i  [R,W]
  static Tensor summary(const Tensor& a, const Tensor& x) {
    return torch::matmul(a.unsqueeze(1), x).squeeze(1);
  }

 private:
  static void replace(const std::string& name, EncodedSource& encoded, const Tensor& a,
                      const Pass& pass, EncoderOutput& output) {
    const Source& from = encoded.source;
    const Tensor weights = a.unsqueeze(1);  // [R,1,S]
    Source row = make_source(torch::matmul(weights, from.keys), from.lengths.clamp_max(1));
    if (!from.values.is_same(from.keys)) row.values = torch::matmul(weights, from.values);
    output.take_weights({.place = Place::kPooling}, name, weights, pass);
    encoded.pool(std::move(row), weights);
  }

  double dropout_;
  std::string first_, second_;
};

class AlternatingCoAttention final : public SummaryCoAttention {
 public:
  AlternatingCoAttention(const SummaryCoAttentionConfig& config, const AllSourceDims& sources)
      : SummaryCoAttention(config, sources) {
    const auto [q, v] = config.order(sources);
    add_attention(0, sources.at(q).source.key, 0, config.hidden);
    add_attention(1, sources.at(v).source.key, sources.at(q).source.key, config.hidden);
    add_attention(2, sources.at(q).source.key, sources.at(v).source.key, config.hidden);
  }

 private:
  // A(X; g).
  struct GuidedAttention {
    Linear own, guide, weigh;  // W_x, W_g, w_h
  };

  void add_attention(int64_t number, int64_t own, int64_t guide, int64_t hidden) {
    const auto add = [&](const char* name, int64_t from, int64_t to) {
      return Linear(*this, fmt::format("{}_{}", name, number), from, to, kNoBias);
    };
    GuidedAttention& attention = attentions_.emplace_back();
    attention.own = add("own", own, hidden);
    if (guide > 0) attention.guide = add("guide", guide, hidden);
    attention.weigh = add("weigh", hidden, 1);
  }

  Tensor weights_of(size_t number, const Source& x, const Tensor& guide, const Pass& pass) {
    GuidedAttention& attention = attentions_[number];
    Tensor h = attention.own(x.keys);  // [R,S,D]
    if (guide.defined()) h = h + attention.guide(guide).unsqueeze(1);
    return attend(h, attention.weigh, x.mask, pass);
  }

  std::pair<Tensor, Tensor> weights(const Source& q, const Source& v, const Pass& pass) override {
    const Tensor before = summary(weights_of(0, q, {}, pass), q.keys);  // q̂ [R,W]
    const Tensor of_v = weights_of(1, v, before, pass);
    return {weights_of(2, q, summary(of_v, v.keys), pass), of_v};
  }

  std::vector<GuidedAttention> attentions_;
};

class ParallelCoAttention final : public SummaryCoAttention {
 public:
  ParallelCoAttention(const SummaryCoAttentionConfig& config, const AllSourceDims& sources)
      : SummaryCoAttention(config, sources) {
    const auto [q, v] = config.order(sources);
    const int64_t q_width = sources.at(q).source.key, v_width = sources.at(v).source.key;
    affinity_ = add_parameter("affinity", {q_width, v_width}, Init::matrix());  // W_b
    q_ = Linear(*this, "q", q_width, config.hidden, kNoBias);                   // W_q
    v_ = Linear(*this, "v", v_width, config.hidden, kNoBias);                   // W_v
    weigh_q_ = Linear(*this, "weigh_q", config.hidden, 1, kNoBias);             // w_hq
    weigh_v_ = Linear(*this, "weigh_v", config.hidden, 1, kNoBias);             // w_hv
  }

 private:
  std::pair<Tensor, Tensor> weights(const Source& q, const Source& v, const Pass& pass) override {
    const Tensor open = q.mask.unsqueeze(2) & v.mask.unsqueeze(1);  // [R,Q,V]
    const Tensor c =
        torch::matmul(torch::matmul(q.keys, affinity_), v.keys.transpose(1, 2)).tanh() * open;
    const Tensor own_q = q_(q.keys), own_v = v_(v.keys);  // [R,Q,D], [R,V,D]
    return {attend(own_q + torch::matmul(c, own_v), weigh_q_, q.mask, pass),
            attend(own_v + torch::matmul(c.transpose(1, 2), own_q), weigh_v_, v.mask, pass)};
  }

  Tensor affinity_;
  Linear q_, v_, weigh_q_, weigh_v_;
};

}  // namespace

std::shared_ptr<Joiner> builders::alternating_co_attention(const JoinerConfig& config,
                                                           const AllSourceDims& sources) {
  return std::make_shared<AlternatingCoAttention>(settings_as<SummaryCoAttentionConfig>(config),
                                                  sources);
}

std::shared_ptr<Joiner> builders::parallel_co_attention(const JoinerConfig& config,
                                                        const AllSourceDims& sources) {
  return std::make_shared<ParallelCoAttention>(settings_as<SummaryCoAttentionConfig>(config),
                                               sources);
}

}  // namespace heed
