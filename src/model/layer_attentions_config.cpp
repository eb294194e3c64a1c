#include "model/layer_attentions_config.h"

#include <charconv>
#include <optional>
#include <string_view>

#include "base/error.h"

namespace heed {

namespace {

struct LayerRange {
  int64_t first = 0, last = 0;  // counted from 1
  bool holds(int64_t layer) const { return first <= layer && layer <= last; }
};

std::optional<int64_t> number_in(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole && number >= 1 ? std::optional(number) : std::nullopt;
}

std::optional<LayerRange> range_of(std::string_view key) {
  const size_t dash = key.find('-');
  const auto first = number_in(key.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : number_in(key.substr(dash + 1));
  if (!first || !last || *first > *last) return std::nullopt;
  return LayerRange{*first, *last};
}

}  // namespace

template <>
void Fields::map<LayerAttention>(const char* name, LayerAttentions& values, const char* help) {
  MapField field = map_field(values);
  field.visit_item = [&values, help](const std::string& key, Fields& f) {
    f.one_of(key.c_str(), values.at(key).attention, attentions(), help);
  };
  field.visit_fresh = [help](Fields& f) {
    LayerAttention fresh;
    f.one_of("", fresh.attention, attentions(), help);
  };
  show(name, field, help);
}

const std::shared_ptr<AttentionConfig>& attention_of_layer(
    int64_t layer, const LayerAttentions& layers, const std::shared_ptr<AttentionConfig>& all) {
  for (const auto& [key, own] : layers) {
    const auto range = range_of(key);
    if (range && range->holds(layer + 1)) return own.attention;
  }
  return all;
}

void check_each(const LayerAttentions& layers, int64_t count, Problems& problems,
                const std::function<void(const AttentionConfig&, Problems&)>& check) {
  std::map<int64_t, std::string> owners;  // keys of the layers
  for (const auto& [key, own] : layers) {
    ProblemsAt at(problems, key);
    if (own.attention) check(*own.attention, at);
    const auto range = range_of(key);
    if (!range || range->last > count) {
      at.add("", fmt::format("is not a layer of {}: write a number or a range, such as 1-{}", count,
                             count));
      continue;
    }
    for (int64_t layer = range->first; layer <= range->last; ++layer) {
      const auto [owner, is_new] = owners.emplace(layer, key);
      if (!is_new) at.add("", fmt::format("layer {} is in {} already", layer, owner->second));
    }
  }
  if (std::ssize(owners) == count)
    problems.add("", "has all layers: write the attention of most of them as that of all");
}

}  // namespace heed
