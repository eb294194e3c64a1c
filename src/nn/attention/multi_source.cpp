#include "nn/attention/multi_source.h"

#include <algorithm>

#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/layer_norm.h"
#include "nn/linear.h"

namespace heed {

namespace {

// Concatenated context vectors; inside a block, projected to its width.
class Concat final : public SeparateSources {
 public:
  Concat(const MultiSourceConfig& config, const AttentionDims& dims)
      : SeparateSources(config, dims) {
    int64_t sum = 0;
    for (size_t k = 0; k < names().size(); ++k) sum += width(k);
    if (dims.block > 0) to_block_ = Linear(*this, "to_block", sum, dims.block, kNoBias);
  }
  Attended attend(const Tensor& query, const Tensor& positions, StateView state) override {
    Attended result;
    std::vector<Tensor> contexts;
    for (size_t k = 0; k < names().size(); ++k)
      contexts.push_back(read(k, query, positions, state, result));
    const Tensor all = torch::cat(contexts, 2);  // [R,T,V]
    result.context = to_block_ ? to_block_(all) : all;
    return result;
  }

 private:
  Linear to_block_;
};

class Parallel final : public SeparateSources {
 public:
  using SeparateSources::SeparateSources;
  Attended attend(const Tensor& query, const Tensor& positions, StateView state) override {
    Attended result;
    for (size_t k = 0; k < names().size(); ++k) {
      const Tensor context = read(k, query, positions, state, result);
      result.context = k == 0 ? context : result.context + context;  // [R,T,V]
    }
    return result;
  }
};

// Outside a block a context vector is projected to the width of the query.
class Serial final : public SeparateSources {
 public:
  Serial(const MultiSourceConfig& config, const SerialCombination& serial,
         const AttentionDims& dims)
      : SeparateSources(config, dims, serial.order), sublayers_(serial.sublayers) {
    for (size_t k = 0; k < names().size(); ++k) {
      if (dims.block == 0)
        to_query_.emplace_back(*this, "to_query_" + names()[k], width(k), dims.query, kNoBias);
      if (k > 0)
        norms_.push_back(
            register_module("norm_" + names()[k], std::make_shared<LayerNorm>(dims.query)));
    }
  }

  Attended attend(const Tensor& query, const Tensor& positions, StateView state) override {
    Attended result;
    Tensor next = query, found;  // [R,T,W]
    for (size_t k = 0; k < names().size(); ++k) {
      if (k > 0) next = (*norms_[k - 1])(next + found);
      found = found_in(k, next, positions, state, result);
      result.context = k == 0 ? found : result.context + found;
    }
    sort_parts(result);
    return result;
  }

  // The block applies the norm before the first source, or after the last one.
  Attended attend_to(const Tensor& x, const Tensor& query, const Tensor& positions, double dropout,
                     StateView state) override {
    if (!sublayers_) return SeparateSources::attend_to(x, query, positions, dropout, state);
    Attended result;
    const bool normalises_behind = x.is_same(query);
    Tensor sum = x, next = query;  // [R,T,W]
    for (size_t k = 0; k < names().size(); ++k) {
      if (k > 0) next = (*norms_[k - 1])(sum);
      if (k > 0 && normalises_behind) sum = next;
      const Tensor found = found_in(k, next, positions, state, result);
      sum = sum + heed::dropout(found, dropout, state.pass());
    }
    result.context = sum - x;
    sort_parts(result);
    return result;
  }

 private:
  Tensor found_in(size_t k, const Tensor& query, const Tensor& positions, const StateView& state,
                  Attended& result) {
    const Tensor found = read(k, query, positions, state, result);
    return to_query_.empty() ? found : to_query_[k](found);
  }
  // Sorts the parts by source name, as in the other combinations.
  static void sort_parts(Attended& result) {
    std::ranges::sort(result.parts, {}, &Attended::source);
  }

  bool sublayers_;
  std::vector<Linear> to_query_;
  std::vector<std::shared_ptr<LayerNorm>> norms_;
};

}  // namespace

SeparateSources::SeparateSources(const MultiSourceConfig& config, const AttentionDims& dims,
                                 std::vector<std::string> order)
    : names_(std::move(order)) {
  if (names_.empty()) names_ = names_of(dims);
  for (const std::string& name : names_) {
    const AttentionDims own = dims_of_source(dims, name);
    widths_.push_back(config.attention->context_width(own));
    attentions_.push_back(register_module("source_" + name, build(*config.attention, own)));
    states_.push_back(layout_.block("source." + name, attentions_.back()->layout()));
  }
}

void SeparateSources::start(const Sources& sources, StateView state) {
  for (size_t k = 0; k < names_.size(); ++k)
    attentions_[k]->start({{names_[k], sources.at(names_[k])}}, state[states_[k]]);
}

Tensor SeparateSources::read(size_t source, const Tensor& query, const Tensor& positions,
                             StateView state, Attended& result) {
  const std::string& name = names_[source];
  Attended attended = attentions_[source]->attend(query, positions, state[states_[source]]);
  name_source(attended, name);
  attended.part = Part::kSource;
  const Tensor context = attended.context;
  result.losses.insert(result.losses.end(), attended.losses.begin(), attended.losses.end());
  result.parts.push_back(std::move(attended));
  return context;
}

std::shared_ptr<Attention> builders::multi_source(const AttentionConfig& config,
                                                  const AttentionDims& dims) {
  using CombineMethod = SourceCombinationConfig::CombineMethod;
  const auto& settings = settings_as<MultiSourceConfig>(config);
  switch (settings.combine->method) {
    case CombineMethod::kConcat:
      return std::make_shared<Concat>(settings, dims);
    case CombineMethod::kParallel:
      return std::make_shared<Parallel>(settings, dims);
    case CombineMethod::kSerial:
      return std::make_shared<Serial>(
          settings, dynamic_cast<const SerialCombination&>(*settings.combine), dims);
    case CombineMethod::kFlat:
      return make_flat(settings, dims);
    case CombineMethod::kHierarchical:
      break;
  }
  return make_hierarchical(settings, dims);
}

}  // namespace heed
