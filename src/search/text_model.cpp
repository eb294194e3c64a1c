#include "search/text_model.h"

#include <algorithm>

#include "base/error.h"

namespace heed {

namespace {

void check_ensemble(const LoadedModel& first, const LoadedModel& other) {
  if (other.config.sources != first.config.sources) {
    throw_error(ErrorKind::kModel,
                "models of an ensemble read the same sources, but one reads '{}' and one '{}'",
                fmt::join(first.config.sources, ", "), fmt::join(other.config.sources, ", "));
  }
  for (const auto& [side, codec] : first.codecs) {
    const auto found = other.codecs.find(side);
    if (found != other.codecs.end() && found->second->vocabulary() == codec->vocabulary()) continue;
    throw_error(ErrorKind::kModel,
                "models of an ensemble share their vocabularies, but those of '{}' differ (hash {} "
                "and {}); train them with the same",
                side, codec->vocabulary().hash(),
                found == other.codecs.end() ? "none" : found->second->vocabulary().hash());
  }
}

}  // namespace

TextModel text_model(std::vector<LoadedModel> models) {
  HEED_CHECK(!models.empty());
  const LoadedModel& first = models.front();
  TextModel result{.networks = {},
                   .sources = first.config.sources,
                   .codecs = first.codecs,
                   .search = first.config.search,
                   .max_length = first.config.max_length};
  for (const LoadedModel& model : models) {
    check_ensemble(first, model);
    result.networks.push_back(model.network);
    if (model.config.max_length && result.max_length)
      result.max_length = std::min(*result.max_length, *model.config.max_length);
  }
  return result;
}

bool EncodedLine::is_empty() const {
  return std::all_of(ids.begin(), ids.end(), [](const Ids& side) { return side.empty(); });
}

int64_t EncodedLine::length() const {
  size_t longest = 0;
  for (const Ids& side : ids) longest = std::max(longest, side.size());
  return static_cast<int64_t>(longest);
}

EncodedLine encode_line(const TextModel& model, const SourceLine& line) {
  HEED_CHECK(line.size() == model.sources.size(), "a line for each source");
  EncodedLine encoded;
  for (size_t i = 0; i < line.size(); ++i)
    encoded.ids.push_back(
        model.source_codec(i).encode(line[i], i == 0 ? &encoded.pieces : nullptr));
  return encoded;
}

SourceBatches source_batches(const TextModel& model, const std::vector<EncodedLine>& lines,
                             const std::vector<size_t>& chosen) {
  SourceBatches batches;
  for (size_t i = 0; i < model.sources.size(); ++i) {
    std::vector<Ids> sentences;
    for (const size_t line : chosen) sentences.push_back(lines[line].ids[i]);
    batches[model.sources[i]] = source_batch(sentences, model.device());
  }
  return batches;
}

}  // namespace heed
