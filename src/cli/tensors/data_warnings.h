// What the data of a config show that is nearly always a mistake (data/corpus_checks.h).
#pragma once

#include "cli/tensors/run_config.h"
#include "data/cleaning.h"
#include "data/data_cache.h"
#include "data/evaluation_set.h"
#include "data/pair_encoder.h"
#include "data/pair_index.h"
#include "data/training_text.h"
#include "text/codecs.h"

namespace heed {

// Warns of it. Throws Error(kData) where less than data.min_kept is left, whatever the tokenizer.
// config: as read_run_config() gives it. text: its training data. cache: may know the findings.
void warn_of_data(const RunConfig& config, const TrainingText& text, DataCache& cache);
// Warns where most tokens of the first lines are <unk>.
void warn_of_unknown_tokens(const RunConfig& config, const TrainingText& text,
                            const Codecs& codecs);
// Warns of lines of a validation or test set that are longer than training pairs may be. They are
// scored whole.
void warn_of_long_lines(const EvaluationSet& set, const Cleaning& cleaning);
// Warns of corpora of which no pair is left. Throws Error(kData) where these are all of a tag.
// phases: the data of each, and what is left of them.
void check_what_is_left(
    const std::vector<std::pair<const DataConfig*, const CorpusReport*>>& phases);
// Warns where search would cut off translations as long as the training targets are.
void warn_of_long_targets(const SearchConfig& search, const PairIndex& index);
// Warns of labels of words (data/source_factors.h) that no token has, in the first lines: a token that is
// part of several words has the label of the first.
void warn_of_lost_labels(const PairEncoder& encoder, const TrainingText& text);

}  // namespace heed
