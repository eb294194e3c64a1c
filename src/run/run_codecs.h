// The codecs of a config's training data.
#pragma once

#include <map>
#include <string>

#include "data/training_text.h"
#include "model/saved_model_config.h"
#include "run/run_config.h"
#include "text/codecs.h"

namespace heed {

// The codecs of a new run, including those of the source factors. A run that starts from a model
// takes the model's codecs, with new tokens if init.extend_vocabulary is set; otherwise they are
// learned (build_codecs()). initial: that model; nullptr: none. Throws Error(kUsage) if the text is
// tokenized differently from that model's.
Codecs new_codecs(const RunConfig& config, const TrainingText& text, const ModelText* initial);
// Learns only the codecs of the source factors.
Codecs learn_label_codecs(const RunConfig& config, const TrainingText& text,
                          const Codecs& former = {});
// Loads all codecs from the folder that they were saved in. Throws the errors of load_codecs().
Codecs load_run_codecs(const std::filesystem::path& folder, const RunConfig& config);

// Files of saved codecs: contents by name.
using CodecFiles = std::map<std::string, std::string>;
CodecFiles codec_files(const RunConfig& config, const Codecs& codecs);
// The inverse of codec_files().
Codecs load_codec_files(const RunConfig& config, const CodecFiles& files);
// One line for all vocabularies: "vocabulary: source and target 8,000 subwords".
std::string describe_vocabularies(const RunConfig& config, const Codecs& codecs);
// Hash of everything that segmentation and ids depend on.
std::string hash_of_codecs(const RunConfig& config, const Codecs& codecs);

}  // namespace heed
