#include "nn/attention/rereading.h"

#include "nn/torch.h"

#include "nn/attention/builders.h"

namespace heed {

Rereading::Rereading(const RereadingConfig& config, const AttentionDims& dims, int64_t hops)
    : hops_(hops) {
  const int64_t count = config.shared ? 1 : hops;
  for (int64_t i = 0; i < count; ++i) {
    attentions_.push_back(
        register_module(fmt::format("attention_{}", i), build(*config.attention, dims)));
  }
  for (int64_t i = 0; i < hops; ++i)
    states_.push_back(layout_.block(fmt::format("reading_{}", i), attention(i).layout()));
  if (config.update == RereadingConfig::Update::kGru) make_cell(dims.query);
}

void Rereading::make_cell(int64_t width) {
  cell_ = register_module(
      "cell", std::make_shared<RecurrentCell>(CellKind::kGru, width, width, CellNorm::kNone));
}

Attention& Rereading::attention(int64_t hop) {
  return *attentions_[attentions_.size() == 1 ? 0 : static_cast<size_t>(hop)];
}

void Rereading::start(const Sources& sources, StateView state) {
  for (int64_t i = 0; i < hops_; ++i)
    attention(i).start(sources, state[states_[static_cast<size_t>(i)]]);
  empty_.put(sources.begin()->second, state);
}

namespace {

Attended as_hop(Attended attended, int64_t n) {
  attended.part = Part::kHop;
  attended.hop = n;
  return attended;
}

}  // namespace

Attended Rereading::attend(const Tensor& query, const Tensor& positions, StateView state) {
  Attended result = reread(query, [&](int64_t n, const Tensor& next) {
    const StateView own = state[states_[static_cast<size_t>(n)]];
    return as_hop(attention(n).attend(next, positions, own), n);
  });
  result.context = empty_.without(result.context, state);
  return result;
}

Attended Rereading::attend_past(const Tensor& keys, const Tensor& values, const Tensor& query,
                                const Tensor& positions, StateView state) {
  return reread(query, [&](int64_t n, const Tensor& next) {
    const StateView own = state[states_[static_cast<size_t>(n)]];
    return as_hop(attention(n).attend_past(keys, values, next, positions, own), n);
  });
}

Tensor Rereading::updated(const Tensor& query, const Tensor& context) {
  if (!cell_) return query + context;
  const CellState state{.hidden = query.flatten(0, 1), .cell = {}};
  return UnrolledCell(*cell_).step(0, context.flatten(0, 1), state).hidden.view(query.sizes());
}

}  // namespace heed
