#include "cli/tensors/attention_maps.h"

#include <torch/torch.h>

#include "base/error.h"

namespace heed {

namespace {

// What stands along the sides of the maps.
struct Labels {
  std::vector<std::string> source;   // with kEnd
  std::vector<std::string> inputs;   // kBegin, then the target
  std::vector<std::string> outputs;  // the target, then kEnd
};

Labels make_labels(const TextModel& model, const EncodedLine& source, const Ids& target) {
  const Vocabulary& vocabulary = model.target_codec().vocabulary();
  Labels labels{.source = source.pieces, .inputs = {vocabulary.piece(kBegin)}, .outputs = {}};
  labels.source.push_back(model.source_codec().vocabulary().piece(kEnd));
  for (const std::string& piece : model.target_codec().pieces(target, source.copyable.behind)) {
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

// weights [T,S]
AttentionMap make_map(const std::string& title, const Tensor& weights, const Labels& labels,
                      const std::string& place) {
  const bool in_encoder = place.starts_with("encoder."), pooled = place == "encoder.pool";
  const bool self = place.find(".self.") != std::string::npos;
  AttentionMap map{.title = title,
                   .source = self && !in_encoder ? labels.inputs : labels.source,
                   .target = pooled       ? numbers(weights.size(0))
                             : in_encoder ? labels.source
                                          : labels.outputs,
                   .weights = {}};
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
    maps.push_back(make_map(title, weights, labels, attended.place));
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
    maps.push_back(make_map(first->place + ", mean of its heads", first->weights[0].mean(0), labels,
                            first->place));
  }
  for (const Attended& attended : step.attended) add_maps(attended, labels, maps);
  for (const Attended& attended : encoded.attended) add_maps(attended, labels, maps);
  return maps;
}

}  // namespace heed
