// What follows from the config of a model before a tensor exists: which encoder each source has, the
// widths between the parts, the source that the decoder attends to. Resolved here for the checks, the
// network, the encoding of lines, search and pictures; in no other place.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/model_config.h"
#include "nn/needs.h"

namespace heed {

struct SourcePlan {
  std::string name;
  std::string owner;  // the source whose encoder it has: itself, unless it shares one
  std::shared_ptr<const EncoderConfig> encoder;
  SourceDims dims;  // of what the encoder gives
  bool shares() const { return owner != name; }
};

struct ModelPlan {
  std::vector<SourcePlan> sources;  // by name; none: a language model
  DecoderDims decoder;              // with the sources of the joiner, without tags
  OutputDims output;
  // The number of the source that alignments, coverage and copying go by; 0 where there is none.
  size_t attended = 0;
  Needs needs;

  AllSourceDims encoded() const;  // of what the encoders give, which a joiner takes
  // Whether the decoder's attention has weights over that source, which alignments and coverage need.
  bool has_source_weights() const { return output.attention.heads > 0; }
  std::string attended_source() const { return sources.empty() ? "" : sources[attended].name; }
};

// Of a config that check_plan() finds no fault with.
ModelPlan plan_of(const ModelConfig& config);
// Of any in which no kind is null: none where a source has no encoder in the end.
std::optional<ModelPlan> find_plan(const ModelConfig& config);
// What the parts of a model have to say of each other.
void check_plan(const ModelConfig& config, Problems& problems);

}  // namespace heed
