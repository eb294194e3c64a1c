// Properties of a model that follow from its config: the encoder of each source, the widths between
// the parts, the source that the decoder attends to. They are resolved only here, for the checks,
// the network, the encoding of lines, search and plots.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/model_config.h"
#include "nn/attention/terms/wait_k_config.h"
#include "nn/needs_spec.h"

namespace heed {

struct SourcePlan {
  std::string name;
  std::string owner;  // the source whose encoder it uses; itself unless the encoder is shared
  std::shared_ptr<const EncoderConfig> encoder;
  int64_t input = 0;  // input width of the encoder
  SourceDims dims{};  // of the encoder output
  bool shares() const { return owner != name; }
};

struct ModelPlan {
  std::vector<SourcePlan> sources;  // by name; none: a language model
  DecoderDims decoder;              // with the sources of the joiner, without tags
  OutputDims output;
  // Index of the source that alignments, coverage and copying use; 0 if there is none.
  size_t attended = 0;
  bool output_aligns = false;  // OutputConfig::aligns()
  Needs needs;

  AllSourceDims encoded() const;  // of the encoder outputs, before a joiner
  // True if the decoder's attention or the output has weights over that source, which alignments
  // and coverage need.
  bool has_source_weights() const { return output.attention.heads > 0 || output_aligns; }
  // True if that attention is over the sentences of its source.
  bool attends_to_sentences() const;
  std::string attended_source() const { return sources.empty() ? "" : sources[attended].name; }
};

// For a config that passes check_plan().
ModelPlan plan_of(const ModelConfig& config);
// For any config in which no kind is null; nullopt if a source has no encoder.
std::optional<ModelPlan> find_plan(const ModelConfig& config);
// Smallest number of positions in a learned table (position embeddings, projections of Linformer)
// below this key of the model, "encoder" or "decoder". Later positions share the last one. Positions
// of sentences do not count. nullopt if the part has no learned table.
std::optional<int64_t> learned_positions(const ModelConfig& config, const std::string& part);
// Smallest number of source positions that a score knows (location_based). Later tokens are not
// read. nullopt if all scores know all positions.
std::optional<int64_t> scored_positions(const ModelConfig& config);
// The policy of simultaneous translation, from the terms wait_k of the attentions over the source;
// nullopt: the whole source is read first.
std::optional<WaitKConfig> reading_policy(const ModelConfig& config);
// Checks that involve several parts of the model.
void check_plan(const ModelConfig& config, Problems& problems);

}  // namespace heed
