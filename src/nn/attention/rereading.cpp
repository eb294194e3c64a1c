#include "nn/attention/rereading.h"

#include "nn/torch.h"

#include "nn/attention/empty_rows.h"
#include "nn/attention/staged.h"

namespace heed {

RereadingConfig::RereadingConfig() : attention(std::make_shared<StagedConfig>()) {}

void RereadingConfig::fields(Fields& f) const {
  static const Words<Update> words = {{"add", Update::kAdd}, {"gru", Update::kGru}};
  f.one_of("attention", attention, attentions(), "attention of each hop");
  f.choice("update", update, words,
           "next query: sum of query and context vector, or a GRU of both");
  f.field("shared", shared, "share the parameters of all hops");
}

void RereadingConfig::check(const AttentionDims& dims, Problems& problems) const {
  ProblemsAt inner(problems, "attention");
  attention->check(dims, inner);
  const int64_t width = attention->context_width(dims);
  if (width == dims.query) return;
  problems.add(
      "", fmt::format(
              "{} adds the context vector, of width {}, to the query, of width {}: make them equal",
              type, width, dims.query));
}

Rereading::Rereading(const RereadingConfig& config, const AttentionDims& dims, int64_t readings)
    : readings_(readings) {
  const int64_t count = config.shared ? 1 : readings;
  for (int64_t i = 0; i < count; ++i) {
    attentions_.push_back(
        register_module(fmt::format("attention_{}", i), config.attention->build(dims)));
  }
  if (config.update == RereadingConfig::Update::kGru)
    cell_ = register_module("cell", torch::nn::GRUCell(dims.query, dims.query));
}

Attention& Rereading::attention(int64_t reading) {
  return *attentions_[attentions_.size() == 1 ? 0 : static_cast<size_t>(reading)];
}

void Rereading::start(const Sources& sources, StateView state) {
  for (int64_t i = 0; i < readings_; ++i)
    attention(i).start(sources, state.view(fmt::format("reading_{}", i)));
  put_empty_rows(sources.begin()->second, state);
}

void Rereading::extend(const Tensor& keys, const Tensor& values, const Tensor& positions,
                       StateView state) {
  for (int64_t i = 0; i < readings_; ++i)
    attention(i).extend(keys, values, positions, state.view(fmt::format("reading_{}", i)));
}

Attended Rereading::read(int64_t reading, const Tensor& query, const Tensor& positions,
                         StateView state) {
  Attended attended =
      attention(reading).attend(query, positions, state.view(fmt::format("reading_{}", reading)));
  attended.part = Part::kHop;
  attended.hop = reading;
  return attended;
}

Tensor Rereading::updated(const Tensor& query, const Tensor& context) {
  if (!cell_) return query + context;
  return cell_(context.flatten(0, 1), query.flatten(0, 1)).view(query.sizes());
}

}  // namespace heed
