#include "nn/attention/staged.h"

#include "nn/torch.h"

#include "base/error.h"
#include "nn/attention/builders.h"
#include "nn/gradient_sum.h"

namespace heed {

StagedAttention::StagedAttention(const StagedConfig& config, const StageDims& dims)
    : needs_history_(config.stage_with_history() != nullptr),
      history_(layout_, dims.heads),
      fast_(make_fast_paths(config, dims)) {
  stages_.dropout = config.dropout;
  stages_.disagreement = config.disagreement;
  stages_.scorer = register_module("score", build(*config.score, dims));
  stages_.normalizer = build(*config.normalizer, dims);
  // Not inside of the normalizer, because saved models have its parameters under this name.
  if (const auto second = stages_.normalizer->second_scorer())
    register_module("second_score", second);
  register_module("normalizer", stages_.normalizer);
  normalizer_state_ = layout_.block("normalizer", stages_.normalizer->layout());
  stages_.readout = register_module("read", build(*config.read_or_default(), dims));
  for (size_t i = 0; i < config.terms.size(); ++i) {
    stages_.terms.push_back(
        register_module(fmt::format("term_{}", i), build(*config.terms[i], dims)));
    for (const std::string name : config.terms[i]->features()) {
      if (!features_.contains(name)) features_[name] = layout_.memory("feature." + name);
    }
  }
}

void StagedAttention::start(const Sources& sources, StateView state) {
  HEED_CHECK(sources.size() == 1, "this attention reads one source, not {}", sources.size());
  const Source& source = sources.begin()->second;
  state.put(keys_, with_gradient_sum(stages_.scorer->prepare_keys(source.keys, source.positions)));
  stages_.normalizer->start(source, state[normalizer_state_]);
  state.put(values_,
            with_gradient_sum(stages_.readout->prepare_values(source.values, source.positions)));
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
  KeysAndValues memory{.keys = state.get(keys_),
                       .values = state.get(values_),
                       .mask = state.get(mask_),
                       .positions = state.get(positions_),
                       .lengths = state.get(lengths_),
                       .hypotheses = state.hypotheses(),
                       .may_be_empty = empty_.any(state) || !stages_.terms.empty()};
  for (const auto& [name, slot] : features_) memory.features[name] = state.get(slot);
  return attend(memory, query, positions, state);
}

Attended StagedAttention::attend_past(const Tensor& keys, const Tensor& values, const Tensor& query,
                                      const Tensor& positions, StateView state) {
  const Tensor all_keys = state.append(past_keys_, stages_.scorer->prepare_keys(keys, positions));
  const Tensor all_values =
      state.append(past_values_, stages_.readout->prepare_values(values, positions));
  stages_.normalizer->append(keys, positions, state[normalizer_state_]);
  const KeysAndValues memory{.keys = all_keys,
                             .values = all_values,
                             .mask = {},
                             .positions = state.append(past_positions_, positions),
                             .lengths = {},
                             .may_be_empty = !stages_.terms.empty()};
  return attend(memory, query, positions, state);
}

Attended StagedAttention::attend(const KeysAndValues& memory, const Tensor& query,
                                 const Tensor& positions, StateView state) {
  std::vector<SideLoss> losses;
  At at{.query = query,
        .queries = stages_.scorer->prepare_queries(query, positions),
        .keys = memory.keys,
        .positions = positions,
        .key_positions = memory.positions,
        .reach = memory.lengths.defined() ? memory.lengths.unsqueeze(1) : positions + 1,
        .history = {},
        .features = memory.features,
        .pass = state.pass(),
        .losses = losses,
        .normalizer_state = state[normalizer_state_],
        .normalizer_queries = stages_.normalizer->prepare_queries(query, positions)};
  if (needs_history_) at.pass = at.pass.fork();
  Attended result = attend(at, memory, state);
  if (!state.pass().keep_weights) result.weights = Tensor();
  return result;
}

Attended StagedAttention::attend(const At& at, const KeysAndValues& memory, StateView state) {
  for (const auto& path : fast_) {
    if (path->takes(at, memory)) return path->attend(stages_, at, memory);
  }
  return needs_history_ ? history_.attend(stages_, at, memory, state)
                        : plain_attention(stages_, at, memory);
}

std::shared_ptr<Attention> builders::staged(const AttentionConfig& config,
                                            const AttentionDims& dims) {
  const auto& staged = settings_as<StagedConfig>(config);
  return std::make_shared<StagedAttention>(staged, staged.stage_dims(dims));
}

}  // namespace heed
