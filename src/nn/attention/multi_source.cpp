#include "nn/attention/multi_source.h"

#include "nn/torch.h"

#include "base/error.h"
#include "base/suggest.h"
#include "nn/attention/staged.h"

namespace heed {

namespace {

using Combine = MultiSourceConfig::Combine;

// A context each, side by side; inside a block, projected to its width.
class Concat final : public SeparateSources {
 public:
  Concat(const MultiSourceConfig& config, const AttentionDims& dims)
      : SeparateSources(config, dims), to_block_(nullptr) {
    int64_t sum = 0;
    for (size_t k = 0; k < names().size(); ++k) sum += width(k);
    if (dims.block > 0) to_block_ = register_module("to_block", without_bias(sum, dims.block));
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
  torch::nn::Linear to_block_;
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

// Outside a block a context is projected to the width of the query.
class Serial final : public SeparateSources {
 public:
  Serial(const MultiSourceConfig& config, const AttentionDims& dims)
      : SeparateSources(config, dims) {
    for (size_t k = 0; k < names().size(); ++k) {
      if (dims.block == 0)
        to_query_.push_back(
            register_module("to_query_" + names()[k], without_bias(width(k), dims.query)));
      if (k > 0)
        norms_.push_back(register_module(
            "norm_" + names()[k], torch::nn::LayerNorm(torch::nn::LayerNormOptions({dims.query}))));
    }
  }
  Attended attend(const Tensor& query, const Tensor& positions, StateView state) override {
    Attended result;
    Tensor next = query, found;  // [R,T,W]
    for (size_t k = 0; k < names().size(); ++k) {
      if (k > 0) next = norms_[k - 1](next + found);
      found = read(k, next, positions, state, result);
      if (!to_query_.empty()) found = to_query_[k](found);
      result.context = k == 0 ? found : result.context + found;
    }
    return result;
  }

 private:
  std::vector<torch::nn::Linear> to_query_;
  std::vector<torch::nn::LayerNorm> norms_;
};

}  // namespace

torch::nn::Linear without_bias(int64_t from, int64_t to) {
  return torch::nn::Linear(torch::nn::LinearOptions(from, to).bias(false));
}

AttentionDims dims_of_source(const AttentionDims& dims, const std::string& name) {
  const auto source = name.empty() ? dims.sources.begin() : dims.sources.find(name);
  AttentionDims own = dims;
  own.sources.clear();
  if (source == dims.sources.end()) return own;
  own.key = source->second.key;
  own.value = source->second.value;
  own.ordered = source->second.ordered;
  own.chunk = source->second.chunk;
  own.name = fmt::format("{}.{}", dims.name, source->first);
  return own;
}

AttentionDims dims_of_width(const AttentionDims& dims, int64_t width) {
  AttentionDims own = dims;
  own.key = own.value = width;
  own.ordered = false;
  own.chunk = 0;
  own.sources.clear();
  return own;
}

std::string no_such_source(const AttentionDims& dims, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [known, unused] : dims.sources) names.push_back(known);
  if (names.empty()) return fmt::format("needs several sources, one of them named '{}'", name);
  return fmt::format("'{}' is not one of {}{}", name, fmt::join(names, ", "),
                     did_you_mean(name, names));
}

SeparateSources::SeparateSources(const MultiSourceConfig& config, const AttentionDims& dims)
    : dims_(dims) {
  for (const auto& [name, unused] : dims.sources) {
    const AttentionDims own = dims_of_source(dims, name);
    names_.push_back(name);
    widths_.push_back(config.attention->context_width(own));
    attentions_.push_back(register_module("source_" + name, config.attention->build(own)));
  }
}

void SeparateSources::start(const Sources& sources, StateView state) {
  for (size_t k = 0; k < names_.size(); ++k)
    attentions_[k]->start({{names_[k], sources.at(names_[k])}}, state.view(names_[k]));
}

void SeparateSources::extend(const Tensor&, const Tensor&, const Tensor&, StateView) {
  throw InternalError("several sources, and they grow");
}

Tensor SeparateSources::read(size_t source, const Tensor& query, const Tensor& positions,
                             StateView state, Attended& result) {
  const std::string& name = names_[source];
  Attended attended = attentions_[source]->attend(query, positions, state.view(name));
  name_source(attended, name);
  const Tensor context = attended.context;
  result.losses.insert(result.losses.end(), attended.losses.begin(), attended.losses.end());
  result.parts.push_back(std::move(attended));
  result.place = dims_.name;
  return context;
}

MultiSourceConfig::MultiSourceConfig() : attention(std::make_shared<StagedConfig>()) {}

void MultiSourceConfig::fields(Fields& f) {
  static const Words<Combine> words = {{"concat", Combine::kConcat},
                                       {"parallel", Combine::kParallel},
                                       {"serial", Combine::kSerial},
                                       {"flat", Combine::kFlat},
                                       {"hierarchical", Combine::kHierarchical}};
  f.choice("combine", combine, words,
           "combination of the context vectors: concat (Zoph 2016), parallel (sum) or serial "
           "(Libovický 2018), flat (one distribution over the positions of all sources) or "
           "hierarchical (Libovický 2017)");
  f.one_of("attention", attention, attentions(),
           "attention over each source; flat: over all of them");
}

void MultiSourceConfig::check(const AttentionDims& dims, Problems& problems) const {
  if (dims.sources.size() < 2) {
    problems.add("", "needs several sources, and there is one: use its inner `attention:`");
    return;
  }
  ProblemsAt inner(problems, "attention");
  if (combine == Combine::kFlat) {
    if (attention->type != "staged")
      inner.add("", fmt::format("flat needs one distribution over all sources, which {} does not "
                                "have: use staged, or another `combine`",
                                attention->type));
    return attention->check(dims_of_width(dims, dims.query), inner);
  }
  int64_t first_width = 0;
  for (const auto& [name, unused] : dims.sources) {
    const AttentionDims own = dims_of_source(dims, name);
    attention->check(own, inner);
    const int64_t width = attention->context_width(own);
    if (first_width == 0) first_width = width;
    if (combine == Combine::kParallel && width != first_width) {
      problems.add("combine",
                   fmt::format("parallel adds context vectors, but {} has width {} and {} has {}: "
                               "make the encoders equally wide, or use concat",
                               dims.sources.begin()->first, first_width, name, width));
    }
  }
}

int64_t MultiSourceConfig::context_width(const AttentionDims& dims) const {
  if (dims.block > 0) return dims.block;
  int64_t sum = 0;
  switch (combine) {
    case Combine::kConcat:
      for (const auto& [name, unused] : dims.sources)
        sum += attention->context_width(dims_of_source(dims, name));
      return sum;
    case Combine::kParallel:
      return attention->context_width(dims_of_source(dims, ""));
    case Combine::kFlat:
      return attention->context_width(dims_of_width(dims, dims.query));
    case Combine::kSerial:
    case Combine::kHierarchical:
      break;
  }
  return dims.query;
}

std::shared_ptr<Attention> MultiSourceConfig::build(const AttentionDims& dims) const {
  switch (combine) {
    case Combine::kConcat:
      return std::make_shared<Concat>(*this, dims);
    case Combine::kParallel:
      return std::make_shared<Parallel>(*this, dims);
    case Combine::kSerial:
      return std::make_shared<Serial>(*this, dims);
    case Combine::kFlat:
      return make_flat(*this, dims);
    case Combine::kHierarchical:
      break;
  }
  return make_hierarchical(*this, dims);
}

namespace kinds {
Kind<AttentionConfig> multi_source() {
  return kind<MultiSourceConfig, AttentionConfig>(
      "multi_source", "attention over several sources (Zoph 2016, Libovický 2017)");
}
}  // namespace kinds

}  // namespace heed
