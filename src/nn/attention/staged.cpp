#include "nn/attention/staged.h"

#include "nn/torch.h"

#include "base/error.h"
#include "nn/attention/builders.h"
#include "nn/attention/disagreement.h"
#include "nn/attention/fused_attention.h"
#include "nn/attention/heads.h"
#include "nn/attention/reading_ahead.h"
#include "nn/attention/sdpa.h"
#include "nn/gradient_sum.h"
#include "nn/kernel_path.h"

namespace heed {

// R: number of sentences; over a decoder's own past, number of hypotheses.
struct StagedAttention::Memory {
  Tensor keys, values;        // [R,H,S,D], [R,H,S,V]
  Tensor second_keys;         // [R,H,S,D]; undefined without second scores
  Tensor mask;                // [R,S]; undefined over a decoder's own past, which is all readable
  Tensor positions;           // [R,S]
  Tensor lengths;             // [R]; undefined over a decoder's own past
  int64_t hypotheses = 1;     // queries of each row
  bool may_be_empty = false;  // true if a query may have no readable key
  SentenceFeatures features;
};

StagedAttention::StagedAttention(const StagedConfig& config, const StageDims& dims)
    : heads_(dims.heads),
      dropout_(config.dropout),
      disagreement_(config.disagreement),
      needs_history_(config.stage_with_history() != nullptr),
      reads_ahead_(config.reads_ahead()),
      fused_scale_(config.fused_scale(dims)) {
  scorer_ = register_module("score", build(*config.score, dims));
  if (config.normalizer->second_scores())
    second_ = register_module("second_score", build(*config.score, dims));
  normalizer_ = register_module("normalizer", build(*config.normalizer, dims));
  readout_ = register_module("read", build(*config.read_or_default(), dims));
  for (size_t i = 0; i < config.terms.size(); ++i) {
    terms_.push_back(register_module(fmt::format("term_{}", i), build(*config.terms[i], dims)));
    for (const std::string name : config.terms[i]->features()) {
      if (!features_.contains(name)) features_[name] = layout_.memory("feature." + name);
    }
  }
}

void StagedAttention::start(const Sources& sources, StateView state) {
  HEED_CHECK(sources.size() == 1, "this attention reads one source, not {}", sources.size());
  const Source& source = sources.begin()->second;
  state.put(keys_, with_gradient_sum(scorer_->prepare_keys(source.keys, source.positions)));
  if (second_)
    state.put(second_keys_,
              with_gradient_sum(second_->prepare_keys(source.keys, source.positions)));
  state.put(values_, with_gradient_sum(readout_->prepare_values(source.values, source.positions)));
  state.put(mask_, source.mask);
  state.put(positions_, source.positions);
  state.put(lengths_, source.lengths);
  empty_.put(source, state);
  for (const auto& [name, slot] : features_) {
    HEED_CHECK(source.features.contains(name), "a sentence without {}", name);
    state.put(slot, source.features.at(name));
  }
}

Attended StagedAttention::attend(const Tensor& query, const Tensor& positions, StateView state) {
  Memory memory{.keys = state.get(keys_),
                .values = state.get(values_),
                .second_keys = second_ ? state.get(second_keys_) : Tensor(),
                .mask = state.get(mask_),
                .positions = state.get(positions_),
                .lengths = state.get(lengths_),
                .hypotheses = state.hypotheses(),
                .may_be_empty = empty_.any(state) || !terms_.empty(),
                .features = {}};
  for (const auto& [name, slot] : features_) memory.features[name] = state.get(slot);
  return attend(memory, query, positions, state);
}

Attended StagedAttention::attend_past(const Tensor& keys, const Tensor& values, const Tensor& query,
                                      const Tensor& positions, StateView state) {
  const Memory memory{
      .keys = state.append(past_keys_, scorer_->prepare_keys(keys, positions)),
      .values = state.append(past_values_, readout_->prepare_values(values, positions)),
      .second_keys = second_
                         ? state.append(past_second_keys_, second_->prepare_keys(keys, positions))
                         : Tensor(),
      .mask = {},
      .positions = state.append(past_positions_, positions),
      .lengths = {},
      .hypotheses = 1,
      .may_be_empty = !terms_.empty(),
      .features = {}};
  return attend(memory, query, positions, state);
}

Tensor StagedAttention::readable(const Memory& memory, const Tensor& positions) const {
  if (memory.mask.defined()) return memory.mask.unsqueeze(1).unsqueeze(1);        // [R,1,1,S]
  return (memory.positions.unsqueeze(1) <= positions.unsqueeze(2)).unsqueeze(1);  // [R,1,T,S]
}

// True in training if the weights are not kept. Over a decoder's own past, the only stored keys are
// then those of these queries.
bool StagedAttention::can_fuse(const At& at, const Memory& memory) const {
  return fused_scale_ && at.pass.training && !at.pass.keep_weights && memory.hypotheses == 1 &&
         (memory.mask.defined() || memory.keys.size(2) == at.queries.size(2)) &&
         (takes_kernels(at.queries) || takes_sdpa(at.queries, dropout_));
}

Attended StagedAttention::attend_fused(At& at, const Memory& memory, const Tensor& mask) {
  const bool causal = !memory.mask.defined();
  const Tensor heads =
      at.queries.is_cuda()
          ? sdpa(at.queries, memory.keys, memory.values, memory.mask, *fused_scale_, causal)
          : fused_attention(at.queries, memory.keys, memory.values, memory.mask,
                            {.scale = *fused_scale_, .dropout = dropout_, .causal = causal},
                            at.pass);
  Attended result;
  result.context = context(heads, mask, memory, at);
  return result;
}

namespace {

// Inputs of the second scorer.
At of_second(const At& at) {
  At second = at;
  second.queries = at.second_queries;
  second.keys = at.second_keys;
  second.history.kept = at.history.second_kept;
  return second;
}

}  // namespace

Attended StagedAttention::attend_at(At& at, const Memory& memory, Tensor mask) {
  for (auto& term : terms_) mask = term->restrict(mask, at);  // [R,1|H,1|T,S]
  Tensor scores = scorer_->score(at);                         // [R,H,T,S]
  for (auto& term : terms_) scores = term->add_to(scores, at);
  if (second_) at.second_scores = second_->score(of_second(at));
  Tensor weights = normalizer_->weights(scores, mask, at);
  for (auto& term : terms_) weights = term->reweigh(weights, at);
  const Tensor heads = readout_->read(dropout(weights, dropout_, at.pass), memory.values, at);
  if (disagreement_)
    at.losses.push_back(similarity_loss(*disagreement_, {memory.values, mask, weights, heads}));
  Attended result;
  result.context = context(heads, mask, memory, at);
  result.weights = weights;
  result.losses = std::exchange(at.losses, {});
  return result;
}

// Same as attend_at(), for one query in inference.
Attended StagedAttention::read_ahead(At& at, const Memory& memory, const Tensor& mask) {
  const KeysAhead keys(at, mask, *scorer_, second_.get());
  const SparseWeights sparse = normalizer_->read(keys, at);
  const Tensor values = taken(memory.values, sparse.positions);                  // [R,H,P,V]
  const Tensor heads = readout_->read(sparse.weights.unsqueeze(2), values, at);  // [R,H,1,V]
  Attended result;
  result.context = context(heads, mask, memory, at);
  if (at.pass.keep_weights) result.weights = keys.spread(sparse);
  return result;
}

Tensor StagedAttention::context(const Tensor& heads, const Tensor& mask, const Memory& memory,
                                const At& at) {
  const Tensor context = readout_->combine(heads, at);
  if (!memory.may_be_empty) return context;
  // Sets the context vector to 0 without readable keys: the projection may have a bias.
  Tensor nothing = ~mask.any(-1).any(1);  // [R,1|T]
  if (const int64_t hypotheses = context.size(0) / nothing.size(0); hypotheses > 1)
    nothing = nothing.repeat_interleave(hypotheses, 0);  // read_ahead()
  return context.masked_fill(nothing.unsqueeze(2), 0);
}

namespace {

// Pads [R,H,S'] or [R,H,S',D] with zeros for the keys that were added since.
Tensor with_new_keys(const Tensor& x, int64_t keys) {
  std::vector<int64_t> pad(static_cast<size_t>(2 * (x.dim() - 3)), 0);
  pad.insert(pad.end(), {0, keys - x.size(2)});
  return torch::constant_pad_nd(x, pad);
}

// Converts between hypotheses [N·B,H,…] and their sentences [N,H,B,…].
Tensor side_by_side(const Tensor& x, int64_t hypotheses) {
  return x.defined() ? heads_by_sentence(x.unsqueeze(2), hypotheses) : x;
}
Tensor stacked(const Tensor& x) { return x.defined() ? x.transpose(1, 2).flatten(0, 1) : x; }

// Takes the t-th queries of all hypotheses, from queries along `dim`, one hypothesis after the
// other.
Tensor queries_at(const Tensor& x, int64_t dim, int64_t hypotheses, int64_t t) {
  return x.unflatten(dim, {hypotheses, -1}).select(dim + 1, t);
}

// Joins steps with one query of each hypothesis to queries in that order.
Attended join_walk(const std::vector<Attended>& steps, int64_t hypotheses) {
  Attended joined = join_queries(steps);
  if (hypotheses == 1 || steps.size() == 1) return joined;
  const auto hypotheses_first = [hypotheses](const Tensor& x, int64_t dim) {
    return x.unflatten(dim, {-1, hypotheses}).transpose(dim, dim + 1).flatten(dim, dim + 1);
  };
  joined.context = hypotheses_first(joined.context, 1);
  joined.weights = hypotheses_first(joined.weights, 2);
  for (SideLoss& loss : joined.losses) loss.value = hypotheses_first(loss.value, 1);
  return joined;
}

}  // namespace

History StagedAttention::history(const Memory& memory, const StateView& state) const {
  const int64_t keys = memory.keys.size(2);
  if (!state.has(previous_)) {
    const Tensor none = torch::zeros({memory.keys.size(0), heads_, memory.hypotheses, keys},
                                     memory.keys.options().requires_grad(false));
    return {.previous = none, .total = none, .kept = {}, .second_kept = {}};
  }
  const auto of = [&](CarrySlot slot) {
    return side_by_side(with_new_keys(state.get(slot), keys), memory.hypotheses);
  };
  return {.previous = of(previous_),
          .total = of(total_),
          .kept = state.has(kept_) ? of(kept_) : Tensor(),
          .second_kept = state.has(second_kept_) ? of(second_kept_) : Tensor()};
}

// Processes the queries of a hypothesis one by one, because a stage uses the weights of earlier
// queries.
Attended StagedAttention::walk(At& at, const Memory& memory, const Tensor& mask, StateView state) {
  const int64_t hypotheses = memory.hypotheses;
  const Tensor query = at.query, queries = at.queries, second_queries = at.second_queries,
               positions = at.positions, reach = at.reach;
  at.history = history(memory, state);
  at.carried = side_by_side(at.carried, hypotheses);
  std::vector<Attended> steps;
  for (int64_t t = 0; t < query.size(1) / hypotheses; ++t) {
    at.query = queries_at(query, 1, hypotheses, t);
    at.queries = queries_at(queries, 2, hypotheses, t);
    if (second_) at.second_queries = queries_at(second_queries, 2, hypotheses, t);
    at.positions = queries_at(positions, 1, hypotheses, t);
    at.reach = reach.size(1) == 1 ? reach : queries_at(reach, 1, hypotheses, t);
    steps.push_back(
        attend_at(at, memory, mask.size(2) == 1 ? mask : queries_at(mask, 2, hypotheses, t)));
    const Tensor& weights = steps.back().weights;
    at.history = {.previous = weights,
                  .total = at.history.total + weights,
                  .kept = scorer_->remember(at, weights),
                  .second_kept = second_ ? second_->remember(of_second(at), weights) : Tensor()};
  }
  state.put(previous_, stacked(at.history.previous));
  state.put(total_, stacked(at.history.total));
  if (at.history.kept.defined()) state.put(kept_, stacked(at.history.kept));
  if (at.history.second_kept.defined()) state.put(second_kept_, stacked(at.history.second_kept));
  at.carried = stacked(at.carried);
  return join_walk(steps, hypotheses);
}

// The same for a normalizer that reads ahead; works on rows of hypotheses.
Attended StagedAttention::walk_ahead(At& at, const Memory& memory, const Tensor& mask) {
  const int64_t hypotheses = memory.hypotheses;
  const Tensor query = by_hypothesis(at.query, hypotheses),
               queries = heads_by_hypothesis(at.queries, hypotheses),
               second_queries =
                   second_ ? heads_by_hypothesis(at.second_queries, hypotheses) : Tensor(),
               positions = by_hypothesis(at.positions, hypotheses);
  at.carried = side_by_side(at.carried, 1);
  std::vector<Attended> steps;
  for (int64_t t = 0; t < query.size(1); ++t) {
    at.query = query.narrow(1, t, 1);
    at.queries = queries.narrow(2, t, 1);
    if (second_) at.second_queries = second_queries.narrow(2, t, 1);
    at.positions = positions.narrow(1, t, 1);
    steps.push_back(read_ahead(at, memory, mask.size(2) == 1 ? mask : mask.narrow(2, t, 1)));
  }
  at.carried = stacked(at.carried);
  return by_sentence(join_queries(steps), hypotheses);
}

Attended StagedAttention::attend(const Memory& memory, const Tensor& query, const Tensor& positions,
                                 StateView state) {
  std::vector<SideLoss> losses;
  Tensor carried = state.has(carried_) ? state.get(carried_) : Tensor();
  At at{.query = query,
        .queries = scorer_->prepare_queries(query, positions),
        .keys = memory.keys,
        .positions = positions,
        .key_positions = memory.positions,
        .reach = memory.lengths.defined() ? memory.lengths.unsqueeze(1) : positions + 1,
        .history = {},
        .features = memory.features,
        .pass = state.pass(),
        .losses = losses,
        .carried = carried};
  if (second_) {
    at.second_queries = second_->prepare_queries(query, positions);
    at.second_keys = memory.second_keys;
  }
  const Tensor mask = readable(memory, positions);
  if (needs_history_) at.pass = at.pass.fork();
  Attended result = can_fuse(at, memory)                ? attend_fused(at, memory, mask)
                    : !needs_history_                   ? attend_at(at, memory, mask)
                    : reads_ahead_ && !at.pass.training ? walk_ahead(at, memory, mask)
                                                        : walk(at, memory, mask, state);
  if (carried.defined()) state.put(carried_, carried);
  if (!state.pass().keep_weights) result.weights = Tensor();
  return result;
}

std::shared_ptr<Attention> builders::staged(const AttentionConfig& config,
                                            const AttentionDims& dims) {
  const auto& staged = settings_as<StagedConfig>(config);
  return std::make_shared<StagedAttention>(staged, staged.stage_dims(dims));
}

}  // namespace heed
