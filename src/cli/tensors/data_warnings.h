// What the data of a config show that is nearly always a mistake (data/corpus_checks.h).
#pragma once

#include "cli/tensors/run_config.h"
#include "data/cleaning.h"
#include "data/data_cache.h"
#include "data/pair_encoder.h"
#include "data/training_text.h"
#include "text/codecs.h"

namespace heed {

// Warns of it, and counts what is left out whatever the tokenizer. Throws Error(kData) where less
// than data.min_kept is left.
// config: as read_run_config() gives it. text: its training data. cache: may know the findings.
CorpusReport warn_of_data(const RunConfig& config, const TrainingText& text, DataCache& cache);
// Warns where most tokens of the first lines are <unk>.
void warn_of_unknown_tokens(const RunConfig& config, const TrainingText& text,
                            const Codecs& codecs);
// Warns of labels of words (data/source_factors.h) that no token has, in the first lines: a token that is
// part of several words has the label of the first.
void warn_of_lost_labels(const PairEncoder& encoder, const TrainingText& text);
// Reads the validation and test sets. Throws what read_sides() does.
void check_evaluation_sets(const RunConfig& config);

}  // namespace heed
