#include "model/decoders/alignment_config.h"

#include <charconv>
#include <set>

#include "base/error.h"
#include "config/sizes.h"

namespace heed {

namespace {

// Counted from 1; nullopt if the text is not such a number.
std::optional<int64_t> number_of(const std::string& text) {
  int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [behind, error] = std::from_chars(text.data(), end, number);
  const bool is_number = error == std::errc() && behind == end && number >= 1;
  return is_number ? std::optional(number) : std::nullopt;
}

}  // namespace

void AlignmentConfig::fields(Fields& f) {
  f.field("layer", layer, kLayers,
          "the layer, from 1; none: the last one that has weights over the source");
  f.list("heads", heads, "its heads, from 1, whose mean is taken: [1, 3]; none: all");
  f.peers("layer", {.opennmt = "alignment_layer", .marian = "transformer-guided-alignment-layer"});
  f.peers("heads", {.opennmt = "alignment_heads",
                    .note = "`alignment_heads: 2` of OpenNMT-py is `heads: [1, 2]`"});
}

void AlignmentConfig::check(int64_t layers, Problems& problems) const {
  if (layer && *layer > layers)
    problems.add("layer", fmt::format("found {}, but the decoder has {}", *layer, layers));
  std::set<int64_t> known;
  for (const std::string& head : heads) {
    const auto number = number_of(head);
    if (!number)
      problems.add("heads", fmt::format("found '{}', expected numbers from 1", head));
    else if (!known.insert(*number).second)
      problems.add("heads", fmt::format("head {} is there twice", *number));
  }
}

void AlignmentConfig::check_heads(int64_t count, Problems& problems) const {
  if (count == 0 && (layer || !heads.empty()))
    return problems.add(
        layer ? "layer" : "heads",
        "needs attention weights over one source, which this layer does not have: choose another "
        "layer, or leave it out");
  for (const std::string& head : heads) {
    if (number_of(head).value_or(0) > count)
      problems.add("heads", fmt::format("found {}, but the layer has {} heads", head, count));
  }
}

std::vector<int64_t> AlignmentConfig::chosen_heads() const {
  std::vector<int64_t> numbers;
  for (const std::string& head : heads) numbers.push_back(number_of(head).value_or(1) - 1);
  return numbers;
}

}  // namespace heed
