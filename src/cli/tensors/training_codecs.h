// The codecs of a config's training data.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "cli/tensors/run_config.h"
#include "data/training_text.h"
#include "text/codecs.h"
#include "train/initial_model.h"

namespace heed {

// The codecs of a new run, those of the source factors included: of the model that it starts from, with
// new tokens if init.extend_vocabulary is set; without such a model they are learned (build_codecs()).
// Throws Error(kUsage) where the text is tokenized unlike that model's.
Codecs new_codecs(const RunConfig& config, const TrainingText& text,
                  const std::optional<InitialModel>& initial);
// Those of the source factors alone.
Codecs learn_label_codecs(const RunConfig& config, const TrainingText& text,
                          const Codecs& former = {});
// All of them, from a folder that they were saved in. Throws what load_codecs() throws.
Codecs load_run_codecs(const std::filesystem::path& folder, const RunConfig& config);

// The files that they are saved in: bytes by name.
using CodecFiles = std::map<std::string, std::string>;
CodecFiles codec_files(const RunConfig& config, const Codecs& codecs);
// The inverse.
Codecs load_codec_files(const RunConfig& config, const CodecFiles& files);
// Of all that their segmentation and ids depend on.
std::string hash_of_codecs(const RunConfig& config, const Codecs& codecs);

}  // namespace heed
