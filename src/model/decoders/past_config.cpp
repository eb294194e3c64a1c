#include "model/decoders/past_config.h"

#include "base/error.h"
#include "nn/attention/staged_config.h"

namespace heed {

PastConfig::PastConfig() {
  const auto staged = std::make_shared<StagedConfig>();
  staged->terms = {fresh_kind(terms(), "directional")};
  attention = staged;
}

int64_t PastConfig::count_of(Parts parts) {
  return parts == Parts::kWhole ? 1 : parts == Parts::kKeyValue ? 2 : 3;
}

void PastConfig::fields(Fields& f) {
  static const Words<Parts> words = {{"whole", Parts::kWhole},
                                     {"key_value", Parts::kKeyValue},
                                     {"key_value_predict", Parts::kKeyValuePredict}};
  f.choice("parts", parts, words,
           "parts of a state: none, key and value, or key, value and prediction");
  f.one_of("attention", attention, attentions(),
           "attention over the states so far; `terms: [directional]` excludes the current one");
}

AttentionDims PastConfig::attention_dims(int64_t width) const {
  const int64_t part = width / count_of(parts);
  return {.place = Place::kDecoderSelf, .query = part, .source = {.key = part, .value = part}};
}

void PastConfig::check(int64_t width, Problems& problems) const {
  if (width % count_of(parts) != 0) {
    const int64_t below = width - width % count_of(parts);
    problems.add("parts",
                 fmt::format("are {} of the same width, but the state has width {}: use width {}{}",
                             count_of(parts), width, below > 0 ? fmt::format("{} or ", below) : "",
                             below + count_of(parts)));
    return;
  }
  if (!attention->reads()) {
    problems.add("attention", "has no effect with `none`: leave `past` out");
    return;
  }
  ProblemsAt inner(problems, "attention");
  attention->check(attention_dims(width), inner);
}

int64_t PastConfig::output_width(int64_t width) const {
  const AttentionDims dims = attention_dims(width);
  return dims.source.value + attention->context_width(dims);
}

}  // namespace heed
