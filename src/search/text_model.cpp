#include "search/text_model.h"

#include <algorithm>

#include "base/error.h"

namespace heed {

namespace {

void check_ensemble(const LoadedModel& first, const LoadedModel& other) {
  const auto inputs = inputs_of(first.config), others = inputs_of(other.config);
  if (others != inputs) {
    throw_error(ErrorKind::kModel,
                "models of an ensemble read the same, but one reads '{}' and one '{}'",
                fmt::join(inputs, ", "), fmt::join(others, ", "));
  }
  if (first.config.model.output->copies() != other.config.model.output->copies()) {
    throw_error(ErrorKind::kModel,
                "models of an ensemble give probabilities to the same pieces, but one copies from "
                "the source and one does not");
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

std::vector<std::string> inputs_of(const SavedModelConfig& config) {
  std::vector<std::string> inputs = config.sources;
  if (reads_edges(config.model)) inputs.push_back(kEdges);
  return inputs;
}

TextModel text_model(std::vector<LoadedModel> models) {
  HEED_CHECK(!models.empty());
  const LoadedModel& first = models.front();
  TextModel result{.networks = {},
                   .sources = first.config.sources,
                   .inputs = inputs_of(first.config),
                   .codecs = first.codecs,
                   .search = first.config.search,
                   .max_length = first.config.max_length,
                   .copies = first.config.model.output->copies()};
  for (const LoadedModel& model : models) {
    check_ensemble(first, model);
    result.networks.push_back(model.network);
    result.has_source_weights =
        result.has_source_weights || model.config.model.has_source_weights();
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

EncodedLine encode_line(const TextModel& model, const SourceLine& line, int64_t number) {
  HEED_CHECK(line.size() == model.inputs.size(), "a line for each input");
  EncodedLine encoded;
  for (size_t i = 0; i < model.sources.size(); ++i)
    encoded.ids.push_back(
        model.source_codec(i).encode(line[i], i == 0 ? &encoded.pieces : nullptr));
  if (model.reads_edges()) {
    encoded.edges =
        read_edges(line.back(), line.front(), encoded.pieces, model.source_codec().tokenizer(),
                   fmt::format("line {} of the edges", number));
  }
  if (model.copies) encoded.copyable = copyable(encoded.pieces, model.target_codec().vocabulary());
  return encoded;
}

Ids encode_target(const TextModel& model, const std::string& line, const EncodedLine& source,
                  std::vector<std::string>* surface) {
  std::vector<std::string> pieces;
  Ids ids = model.target_codec().encode(line, &pieces);
  if (model.copies)
    ids = with_copied(std::move(ids), pieces, source.copyable, model.target_codec().vocabulary());
  if (surface) *surface = std::move(pieces);
  return ids;
}

SourceBatches source_batches(const TextModel& model, const std::vector<EncodedLine>& lines,
                             const std::vector<size_t>& chosen) {
  SourceBatches batches;
  for (size_t i = 0; i < model.sources.size(); ++i) {
    std::vector<Ids> sentences;
    for (const size_t line : chosen) sentences.push_back(lines[line].ids[i]);
    batches[model.sources[i]] = source_batch(sentences, model.device());
  }
  if (model.reads_edges()) {
    std::vector<Edges> edges;
    for (const size_t line : chosen) edges.push_back(lines[line].edges.value());
    put_edges(batches.at(model.sources.front()), edges);
  }
  if (model.copies) {
    std::vector<Copyable> copyable;
    for (const size_t line : chosen) copyable.push_back(lines[line].copyable);
    put_copyable(batches.at(model.sources.front()), copyable);
  }
  return batches;
}

}  // namespace heed
