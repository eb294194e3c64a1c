// Module and inputs of each case.
#pragma once

#include <gtest/gtest.h>

#include "nn/attention_cases.h"
#include "nn/compare.h"
#include "nn/torch.h"

namespace heed {

// A module of the case, filled with numbers, and three sentences of 5, 3 and 2 keys.
class Attentions : public testing::TestWithParam<Case> {
 protected:
  Attentions() : attention_(build(*GetParam().config(), GetParam().dims())) {
    fill(*attention_);
    query_ = uniform({3, kQueries, GetParam().query}, "query", 1.5);
    keys_ = uniform({3, kKeys, kKey}, "keys", 1.5);
    values_ = uniform({3, kKeys, kKey}, "values");
    lengths_ = torch::tensor({5, 3, 2}, torch::kLong);
  }

  State new_state(int64_t rows) const {
    Pass pass = learning_ && GetParam().is_drawn() ? Pass::for_training(1, 2) : Pass();
    pass.keep_weights = true;
    return {attention_->layout(), rows, pass, torch::kCPU};
  }
  void start(State& state, const Tensor& keys, const Tensor& values, const Tensor& lengths) const {
    if (GetParam().own_past()) return;
    Source source = make_source(keys, lengths);
    source.values = values;
    source.features = features_of(keys.size(0), keys.size(1), keys.scalar_type());
    source.features[kWordStates] = values;
    source.features[kTag] = tags_of(keys);
    if (GetParam().reads_several()) {
      Source other = make_source(torch::cos(keys), lengths);
      other.values = torch::cos(values);
      attention_->start({{"first", source}, {"second", other}}, state.view());
    } else {
      attention_->start({{"source", source}}, state.view());
    }
  }
  // Reads with queries at positions begin, begin+1, …; over the decoder's past they are keys as
  // well.
  Attended more(State& state, const Tensor& query, int64_t begin) const {
    const Tensor positions = positions_from(begin, query.size(0), query.size(1));
    return GetParam().own_past()
               ? attention_->attend_past(query, query, query, positions, state.view())
               : attend_by_hypothesis(*attention_, query, positions, state.view());
  }
  Attended read(const Tensor& query, const Tensor& keys, const Tensor& values,
                const Tensor& lengths) const {
    State state = new_state(query.size(0));
    start(state, keys, values, lengths);
    return more(state, query, 0);
  }
  Attended read() const { return read(query_, keys_, values_, lengths_); }
  Tensor loss_of(const Attended& attended) const {
    Tensor loss = probed(attended.context);
    for (const SideLoss& side : attended.losses) loss = loss + probed(side.value, side.name);
    return loss;
  }
  Leaves leaves() const {
    Leaves found = with_leaves(*attention_, {});
    if (GetParam().asks()) found.emplace("query", query_);
    if (!GetParam().own_past() && GetParam().needs_source()) {
      found.emplace("values", values_);
      if (GetParam().compares()) found.emplace("keys", keys_);
    }
    return found;
  }

  // Tag of each sentence, from its first key; both tags occur in the three sentences. [R]
  static Tensor tags_of(const Tensor& keys) {
    return keys.select(1, 0).select(1, 0).gt(0).to(torch::kLong);
  }

  // True for training passes, in which keys may be sampled; without sampling such a mechanism
  // learns nothing.
  bool learning_ = false;

  // Sums over the past and convolutions have no weights; with several sources and rows of its own,
  // the parts have them.
  static bool has_weights() {
    const auto& beside = GetParam().beside;
    const bool sums = beside == "average" || beside == "ssru" ||
                      beside.starts_with("gated_linear") ||
                      beside.find("convolution") != beside.npos;
    return GetParam().needs_source() && !sums && !beside.starts_with("sources_");
  }

  std::shared_ptr<Attention> attention_;
  Tensor query_, keys_, values_, lengths_;
};

}  // namespace heed
