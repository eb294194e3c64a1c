#include "cli/tensors/attention_maps.h"

#include <torch/torch.h>

#include "base/error.h"
#include "cli/tensors/sentence_map.h"

namespace heed {

namespace {

// What stands along the sides of the maps.
struct Labels {
  std::map<std::string, std::vector<std::string>> sources;  // by name, with kEnd
  std::vector<std::string> inputs;                          // kBegin, then the target
  std::vector<std::string> outputs;                         // the target, then kEnd
};

Labels make_labels(const TextModel& model, const EncodedLine& source, const Ids& target) {
  const Vocabulary& vocabulary = model.target_codec().vocabulary();
  Labels labels{.sources = {}, .inputs = {vocabulary.piece(kBegin)}, .outputs = {}};
  for (size_t i = 0; i < model.sources.size(); ++i) {
    std::vector<std::string>& own = labels.sources[model.sources[i]] = source.pieces[i];
    const bool lacks = own.empty() && model.sources.size() > 1;
    own.push_back(lacks ? "" : model.source_codec(i).vocabulary().piece(kEnd));
  }
  for (const std::string& piece : model.target_codec().pieces(target, source.behind())) {
    labels.inputs.push_back(piece);
    labels.outputs.push_back(piece);
  }
  labels.outputs.push_back(vocabulary.piece(kEnd));
  return labels;
}

// 1, 2, 3 …: names of rows that are no pieces.
std::vector<std::string> numbers(int64_t count) {
  std::vector<std::string> names;
  for (int64_t i = 1; i <= count; ++i) names.push_back(std::to_string(i));
  return names;
}

// What stands along the weights of this attention: the pieces of a source, or the names of all.
std::vector<std::string> source_labels(const Attended& attended, const Labels& labels) {
  const auto own = labels.sources.find(attended.source);
  if (own != labels.sources.end()) return own->second;
  if (labels.sources.empty()) return {};  // a language model
  if (!attended.place.ends_with(".sources")) return labels.sources.begin()->second;
  std::vector<std::string> names;
  for (const auto& [name, unused] : labels.sources) names.push_back(name);
  return names;
}

// What reads in an encoder: the pieces of the same source, or of the one that reads another.
std::vector<std::string> reader_labels(const Attended& attended, const Labels& labels) {
  constexpr std::string_view kReader = "encoder.co.";
  if (!attended.place.starts_with(kReader)) return source_labels(attended, labels);
  const auto reader = labels.sources.find(attended.place.substr(kReader.size()));
  return reader == labels.sources.end() ? source_labels(attended, labels) : reader->second;
}

// weights [T,S]
AttentionMap make_map(const std::string& title, const Tensor& weights, const Labels& labels,
                      const Attended& attended) {
  const std::string& place = attended.place;
  const bool in_encoder = place.starts_with("encoder.");
  const bool self = place.find(".self.") != std::string::npos;
  const std::vector<std::string> source = source_labels(attended, labels);
  AttentionMap map{.title = title,
                   .source = self && !in_encoder ? labels.inputs : source,
                   .target = in_encoder ? reader_labels(attended, labels) : labels.outputs,
                   .weights = {}};
  // Of what is made of the pieces there are fewer: sentences, or one for all.
  if (static_cast<int64_t>(map.source.size()) != weights.size(1))
    map.source = numbers(weights.size(1));
  if (static_cast<int64_t>(map.target.size()) != weights.size(0))
    map.target = numbers(weights.size(0));
  const Tensor rows = weights.to(torch::kCPU, torch::kDouble).contiguous();  // [T,S]
  for (int64_t t = 0; t < rows.size(0); ++t) {
    const double* row = rows.data_ptr<double>() + t * rows.size(1);
    map.weights.emplace_back(row, row + rows.size(1));
  }
  return map;
}

// Each head of this attention, and of the parts that it consists of. Of a feature-wise score, with
// a head a feature, the mean alone.
void add_maps(const Attended& attended, const Labels& labels, std::vector<AttentionMap>& maps) {
  constexpr int64_t kMostHeads = 32;
  const auto add = [&](const std::string& title, const Tensor& weights) {
    maps.push_back(make_map(title, weights, labels, attended));
  };
  if (attended.weights.defined()) {
    const Tensor weights = attended.weights[0];  // [H,T,S]
    const int64_t heads = weights.size(0);
    if (heads == 1) add(attended.place, weights[0]);
    if (heads > kMostHeads)
      add(fmt::format("{}, mean of {} heads", attended.place, heads), weights.mean(0));
    for (int64_t head = 0; heads > 1 && heads <= kMostHeads && head < heads; ++head)
      add(fmt::format("{}, head {}", attended.place, head + 1), weights[head]);
  }
  for (const Attended& part : attended.parts) add_maps(part, labels, maps);
}

// What the decoder's last layer read of the source, or else whatever has weights; nullptr if nothing
// has.
const Attended* first_to_show(const Step& step) {
  if (const Attended* alignment = alignment_of(step)) return alignment;
  for (const Attended& attended : step.attended) {
    if (attended.weights.defined()) return &attended;
  }
  return nullptr;
}

}  // namespace

std::vector<AttentionMap> attention_maps(const TextModel& model, const EncodedLine& source,
                                         const Ids& target) {
  const torch::InferenceMode no_gradients;
  Seq2Seq& network = *model.networks.front();
  Pass pass;
  pass.keep_weights = true;
  EncoderOutput encoded;
  State state = network.start(source_batches(model, {source}, {0}), pass, encoded);
  const Step step = network.advance(target_batch({target}, model.device()).inputs, state);

  const Labels labels = make_labels(model, source, target);
  std::vector<AttentionMap> maps;
  if (const Attended* first = first_to_show(step)) {
    const AttentionMap mean =
        make_map(first->place + ", mean of its heads", first->weights[0].mean(0), labels, *first);
    const auto codec = model.codecs.find(
        first->source.empty() && !model.sources.empty() ? model.sources[0] : first->source);
    if (codec != model.codecs.end()) {
      if (auto sentences = sentence_map(mean, codec->second->tokenizer()))
        maps.push_back(std::move(*sentences));
    }
    maps.push_back(mean);
  }
  for (const Attended& attended : step.attended) add_maps(attended, labels, maps);
  for (const Attended& attended : encoded.attended) add_maps(attended, labels, maps);
  return maps;
}

}  // namespace heed
