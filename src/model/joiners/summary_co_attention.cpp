// Co-attention of two sources, each of which is reduced to one row, its summary. Of Lu, Yang, Batra
// and Parikh 2016, section 3.3, where Q [S,W] is the first source, V the other:
//   alternating   q̂ = A(Q; 0),  v̂ = A(V; q̂),  q = A(Q; v̂)                          (equation 6)
//                 A(X; g): H = tanh(W_x X + (W_g g) 1ᵀ),  a = softmax(w_hᵀ H),  Σ_i a_i x_i
//                 with separate parameters for each of the three, as in the authors' code
//   parallel      C = tanh(Qᵀ W_b V)                                                   (equation 3)
//                 H_v = tanh(W_v V + (W_q Q) C),  H_q = tanh(W_q Q + (W_v V) Cᵀ)       (equation 4)
//                 a_v = softmax(w_hvᵀ H_v),  a_q = softmax(w_hqᵀ H_q),  Σ_i a_i x_i    (equation 5)
// Of dos Santos, Tan, Xiang and Zhou 2016, section 4, with A for V:
//   attentive_pooling   G = tanh(Qᵀ U A),  g_q = max_j G_ij,  g_a = max_i G_ij,
//                       a_q = softmax(g_q),  a_a = softmax(g_a),  Σ_i a_i x_i
// The decoder attends to q and v; its initial state is computed from [q; v]. A source without
// tokens in a sentence has the summary 0 and does not guide the other source.
#include <utility>

#include "nn/torch.h"

#include "model/builders.h"
#include "model/joiners/summary_co_attention_config.h"
#include "nn/attention/normalizers/masked_softmax.h"
#include "nn/linear.h"

namespace heed {

namespace {

// softmax(wᵀ H) of H = tanh(x) [R,S,D] over the positions of a source, after dropout.  [R,S]
Tensor weigh(const Tensor& x, Linear& w, const Tensor& mask, double dropout, const Pass& pass) {
  return masked_softmax(w(heed::dropout(x.tanh(), dropout, pass)).squeeze(2), mask);
}

// Σ_i a_i x_i  [R,W]
Tensor summary(const Tensor& a, const Tensor& x) {
  return torch::matmul(a.unsqueeze(1), x).squeeze(1);
}

// True for pairs of a position of q and one of v.  [R,Q,V]
Tensor pairs_of(const Source& q, const Source& v) {
  return q.mask.unsqueeze(2) & v.mask.unsqueeze(1);
}

// tanh(Qᵀ W V)  [R,Q,V]
Tensor affinities(const Source& q, const Tensor& w, const Source& v) {
  return torch::matmul(torch::matmul(q.keys, w), v.keys.transpose(1, 2)).tanh();
}

class Summaries : public Joiner {
 public:
  // The names of Q and V.
  explicit Summaries(std::pair<std::string, std::string> names)
      : first_(std::move(names.first)), second_(std::move(names.second)) {}

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

  std::string first_, second_;
};

class AlternatingCoAttention final : public Summaries {
 public:
  AlternatingCoAttention(const SummaryCoAttentionConfig& config, const AllSourceDims& sources)
      : Summaries(config.order(sources)), dropout_(config.dropout) {
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
    return heed::weigh(h, attention.weigh, x.mask, dropout_, pass);
  }

  std::pair<Tensor, Tensor> weights(const Source& q, const Source& v, const Pass& pass) override {
    const Tensor before = summary(weights_of(0, q, {}, pass), q.keys);  // q̂ [R,W]
    const Tensor of_v = weights_of(1, v, before, pass);
    return {weights_of(2, q, summary(of_v, v.keys), pass), of_v};
  }

  double dropout_;
  std::vector<GuidedAttention> attentions_;
};

class ParallelCoAttention final : public Summaries {
 public:
  ParallelCoAttention(const SummaryCoAttentionConfig& config, const AllSourceDims& sources)
      : Summaries(config.order(sources)), dropout_(config.dropout) {
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
    const Tensor c = affinities(q, affinity_, v) * pairs_of(q, v);
    const Tensor own_q = q_(q.keys), own_v = v_(v.keys);  // [R,Q,D], [R,V,D]
    return {
        weigh(own_q + torch::matmul(c, own_v), weigh_q_, q.mask, dropout_, pass),
        weigh(own_v + torch::matmul(c.transpose(1, 2), own_q), weigh_v_, v.mask, dropout_, pass)};
  }

  double dropout_;
  Tensor affinity_;
  Linear q_, v_, weigh_q_, weigh_v_;
};

class AttentivePooling final : public Summaries {
 public:
  explicit AttentivePooling(const AllSourceDims& sources)
      : Summaries({sources.begin()->first, sources.rbegin()->first}) {
    affinity_ = add_parameter(
        "affinity", {sources.begin()->second.source.key, sources.rbegin()->second.source.key},
        Init::matrix());  // U
  }

 private:
  std::pair<Tensor, Tensor> weights(const Source& q, const Source& v, const Pass&) override {
    const Tensor g = affinities(q, affinity_, v), open = pairs_of(q, v);  // [R,Q,V]
    return {masked_softmax(masked_max(g, open), q.mask),
            masked_softmax(masked_max(g.mT(), open.mT()), v.mask)};
  }

  Tensor affinity_;
};

}  // namespace

std::shared_ptr<Joiner> builders::attentive_pooling(const JoinerConfig&,
                                                    const AllSourceDims& sources) {
  return std::make_shared<AttentivePooling>(sources);
}

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
