#include "nn/attention/multi_source.h"

#include <algorithm>

#include "nn/torch.h"

#include "base/suggest.h"
#include "config/older.h"
#include "nn/attention/staged.h"
#include "nn/layer_norm.h"
#include "nn/linear.h"

namespace heed {

namespace {

using How = SourceCombination::How;

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

AttentionDims dims_of_source(const AttentionDims& dims, const std::string& name) {
  const auto source = name.empty() ? dims.sources.begin() : dims.sources.find(name);
  AttentionDims own = dims;
  own.sources.clear();
  if (source == dims.sources.end()) return own;
  own.source = source->second;
  return own;
}

AttentionDims dims_of_width(const AttentionDims& dims, int64_t width) {
  AttentionDims own = dims;
  own.source = {.key = width, .value = width, .ordered = false};
  own.sources.clear();
  return own;
}

namespace {

std::vector<std::string> names_of(const AttentionDims& dims) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : dims.sources) names.push_back(name);
  return names;
}

}  // namespace

std::string no_such_source(const AttentionDims& dims, const std::string& name) {
  const std::vector<std::string> names = names_of(dims);
  if (names.empty()) return fmt::format("needs several sources, one of them named '{}'", name);
  return fmt::format("'{}' is not one of {}{}", name, fmt::join(names, ", "),
                     did_you_mean(name, names));
}

SeparateSources::SeparateSources(const MultiSourceConfig& config, const AttentionDims& dims,
                                 std::vector<std::string> order)
    : names_(std::move(order)) {
  if (names_.empty()) names_ = names_of(dims);
  for (const std::string& name : names_) {
    const AttentionDims own = dims_of_source(dims, name);
    widths_.push_back(config.attention->context_width(own));
    attentions_.push_back(register_module("source_" + name, config.attention->build(own)));
    states_.push_back(keeps_.block("source." + name, attentions_.back()->layout()));
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

namespace {

template <How which>
struct PlainCombination final : SourceCombination {
  PlainCombination() : SourceCombination(which) {}
};

const Registry<SourceCombination>& combinations() {
  static const Registry<SourceCombination> list = {
      kind<PlainCombination<How::kConcat>, SourceCombination>(
          "concat", "concatenation of the context vectors (Zoph 2016)"),
      kind<PlainCombination<How::kParallel>, SourceCombination>(
          "parallel", "sum of the context vectors (Libovický 2018)"),
      kind<SerialCombination, SourceCombination>("serial",
                                                 "sources one after the other (Libovický 2018)"),
      kind<PlainCombination<How::kFlat>, SourceCombination>(
          "flat", "one distribution over the positions of all (Libovický 2017)"),
      kind<PlainCombination<How::kHierarchical>, SourceCombination>(
          "hierarchical", "attention over the context vectors (Libovický 2017)"),
  };
  return list;
}

}  // namespace

void SerialCombination::fields(Fields& f) const {
  f.list("order", order, "the sources, the first to be read first; none: by name");
  earlier(f, "sublayers", sublayers, false);
  f.field("sublayers", sublayers,
          "in a Transformer each attention is a sublayer with its own residual connection "
          "(Libovický 2018); false: the next query is norm(query + context)");
}

void SerialCombination::check(const AttentionDims& dims, Problems& problems) const {
  std::vector<std::string> given = order;
  std::ranges::sort(given);
  if (given.empty() || given == names_of(dims)) return;
  problems.add("order", fmt::format("found {}, expected each of {} once", fmt::join(order, ", "),
                                    fmt::join(names_of(dims), ", ")));
}

MultiSourceConfig::MultiSourceConfig()
    : combine(fresh_kind(combinations(), "concat")), attention(std::make_shared<StagedConfig>()) {}

void MultiSourceConfig::fields(Fields& f) const {
  f.one_of("combine", combine, combinations(), "combination of the context vectors");
  f.one_of("attention", attention, attentions(),
           "attention over each source; flat: over all of them");
}

void MultiSourceConfig::check(const AttentionDims& dims, Problems& problems) const {
  if (dims.sources.size() < 2) {
    problems.add("", "needs several sources, and there is one: use its inner `attention:`");
    return;
  }
  ProblemsAt inner(problems, "attention");
  if (combine->how == How::kFlat) {
    if (!attention->has_one_distribution())
      inner.add("", fmt::format("flat needs one distribution over all sources, which {} does not "
                                "have: use staged, or another `combine`",
                                attention->type));
    return attention->check(dims_of_width(dims, dims.query), inner);
  }
  if (const auto* serial = dynamic_cast<const SerialCombination*>(combine.get())) {
    ProblemsAt at_combine(problems, "combine");
    serial->check(dims, at_combine);
  }
  int64_t first_width = 0;
  for (const auto& [name, unused] : dims.sources) {
    const AttentionDims own = dims_of_source(dims, name);
    attention->check(own, inner);
    const int64_t width = attention->context_width(own);
    if (first_width == 0) first_width = width;
    if (combine->how == How::kParallel && width != first_width) {
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
  switch (combine->how) {
    case How::kConcat:
      for (const auto& [name, unused] : dims.sources)
        sum += attention->context_width(dims_of_source(dims, name));
      return sum;
    case How::kParallel:
      return attention->context_width(dims_of_source(dims, ""));
    case How::kFlat:
      return attention->context_width(dims_of_width(dims, dims.query));
    case How::kSerial:
    case How::kHierarchical:
      break;
  }
  return dims.query;
}

std::shared_ptr<Attention> MultiSourceConfig::build(const AttentionDims& dims) const {
  switch (combine->how) {
    case How::kConcat:
      return std::make_shared<Concat>(*this, dims);
    case How::kParallel:
      return std::make_shared<Parallel>(*this, dims);
    case How::kSerial:
      return std::make_shared<Serial>(*this, dynamic_cast<const SerialCombination&>(*combine),
                                      dims);
    case How::kFlat:
      return make_flat(*this, dims);
    case How::kHierarchical:
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
