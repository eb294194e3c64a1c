#include "translate/text_model.h"

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"
#include "config/writer.h"

namespace heed {

namespace {

void check_ensemble(const LoadedModel& first, const ModelPlan& plan, const LoadedModel& other,
                    const ModelPlan& own) {
  const auto inputs = inputs_of(first.config), others = inputs_of(other.config);
  if (others != inputs) {
    throw_error(ErrorKind::kModel,
                "models of an ensemble read the same, but one reads '{}' and one '{}'",
                fmt::join(inputs, ", "), fmt::join(others, ", "));
  }
  if (first.config.tags != other.config.tags) {
    throw_error(ErrorKind::kModel,
                "models of an ensemble have the same tags, but one has '{}' and one '{}'",
                fmt::join(first.config.tags, ", "), fmt::join(other.config.tags, ", "));
  }
  if (first.config.model.output->copies() != other.config.model.output->copies()) {
    throw_error(ErrorKind::kModel,
                "models of an ensemble give probabilities to the same pieces, but one copies from "
                "the source and one does not");
  }
  if (plan.attended != own.attended) {
    throw_error(ErrorKind::kModel,
                "models of an ensemble attend to the same of several sources, but one to '{}' and "
                "one to '{}'",
                plan.attended_source(), own.attended_source());
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
  if (needs_of(config.model).edges) inputs.push_back(kEdges);
  if (!config.tags.empty()) inputs.push_back(kTagInput);
  return inputs;
}

namespace {

std::optional<size_t> copied_source(size_t aligned, bool copies) {
  return copies ? std::optional(aligned) : std::nullopt;
}

std::unordered_set<std::string> words_in(const std::string& line) {
  const std::vector<std::string> words = split_words(line);
  return {words.begin(), words.end()};
}

PairEncoder encoder_of(const TextModel& model) {
  return pair_encoder(model.sources, model.codecs, copied_source(model.aligned, model.copies),
                      model.tags);
}

}  // namespace

PairEncoder pair_encoder(const std::vector<std::string>& sources, const Codecs& codecs,
                         std::optional<size_t> copied, const Tags& tags) {
  PairEncoder encoder{.codecs = {}, .copied = copied, .tags = tags};
  for (const std::string& source : sources) encoder.codecs.push_back(codecs.at(source));
  encoder.codecs.push_back(codecs.at(kTargetSide));
  return encoder;
}

PairEncoder pair_encoder(const SavedModelConfig& config, const Codecs& codecs) {
  PairEncoder encoder = pair_encoder(
      config.sources, codecs,
      copied_source(plan_of(config.model).attended, config.model.output->copies()), config.tags);
  encoder.writes = config.model.output->writes();
  return encoder;
}

TextModel text_model(std::vector<LoadedModel> models) {
  HEED_CHECK(!models.empty());
  const LoadedModel& first = models.front();
  const ModelPlan plan = plan_of(first.config.model);
  TextModel result{.networks = {},
                   .sources = first.config.sources,
                   .inputs = inputs_of(first.config),
                   .tags = first.config.tags,
                   .codecs = first.codecs,
                   .search = first.config.search,
                   .max_length = first.config.max_length,
                   .target_words = words_in(first.config.target_words),
                   .aligned = plan.attended,
                   .copies = first.config.model.output->copies(),
                   .shape = find_transformer_shape(write_config(first.config))};
  for (const LoadedModel& model : models) {
    const ModelPlan own = plan_of(model.config.model);
    check_ensemble(first, plan, model, own);
    result.networks.push_back(model.network);
    result.has_source_weights = result.has_source_weights || own.has_source_weights();
    if (model.config.max_length && result.max_length)
      result.max_length = std::min(*result.max_length, *model.config.max_length);
  }
  return result;
}

bool EncodedLine::is_empty() const {
  return std::ranges::all_of(example.sources, [](const Ids& ids) { return ids.empty(); });
}

int64_t EncodedLine::length() const {
  size_t longest = 0;
  for (const Ids& ids : example.sources) longest = std::max(longest, ids.size());
  return static_cast<int64_t>(longest);
}

void EncodedLine::cut(int64_t longest) {
  const auto most = static_cast<size_t>(longest);
  for (Ids& ids : example.sources) ids.resize(std::min(ids.size(), most));
  for (auto& own : pieces) own.resize(std::min(own.size(), most));
}

std::vector<std::string> EncodedLine::behind() const {
  return example.copyable ? example.copyable->behind : std::vector<std::string>();
}

EncodedLine encode_line(const TextModel& model, const SourceLine& line, int64_t number) {
  HEED_CHECK(line.size() == model.inputs.size(), "a line for each input");
  std::optional<PairEncoder::EdgesLine> edges;
  if (model.reads_edges())
    edges = {line[model.sources.size()], fmt::format("line {} of the edges", number)};
  EncodedLine encoded;
  encoded.example =
      encoder_of(model).encode_sources(line, edges, PairEncoder::kWhole, &encoded.pieces);
  if (!model.tags.empty() && !(encoded.is_empty() && line.back().empty()))
    encoded.example.tag = tag_number(model.tags, line.back(), fmt::format("line {}", number));
  return encoded;
}

Ids encode_target(const TextModel& model, const std::string& line, const EncodedLine& source,
                  std::vector<std::string>* surface) {
  return encoder_of(model).encode_target(line, source.example, PairEncoder::kWhole, surface);
}

SourceBatches source_batches(const TextModel& model, const std::vector<EncodedLine>& lines,
                             const std::vector<size_t>& chosen) {
  std::vector<const Example*> examples;
  for (const size_t line : chosen) examples.push_back(&lines[line].example);
  return source_batches(examples, model.sources, model.device());
}

}  // namespace heed
