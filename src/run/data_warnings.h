// Warnings about training data that are nearly always a mistake (data/corpus_checks.h).
#pragma once

#include "data/cleaning.h"
#include "data/data_cache.h"
#include "data/evaluation_set.h"
#include "data/pair_encoder.h"
#include "data/pair_index.h"
#include "data/training_text.h"
#include "run/run_files.h"
#include "text/codecs.h"

namespace heed {

// Warns about the training data. Throws Error(kData) if less than data.min_kept remains, whatever
// the tokenizer. text: the training data of `files`. cache: may have the findings.
void warn_of_data(const RunConfig& config, const RunFiles& files, const TrainingText& text,
                  DataCache& cache);
// Warns if most tokens of the first lines are <unk>.
void warn_of_unknown_tokens(const RunConfig& config, const TrainingText& text,
                            const Codecs& codecs);
// Warns about lines of a validation or test set that are longer than training pairs may be. They
// are scored in full.
void warn_of_long_lines(const EvaluationSet& set, const Cleaning& cleaning);
// Warns about corpora of which no pair is kept. Throws Error(kData) if these are all corpora of a
// tag. phases: the data of each phase, and the report on them.
void check_remaining_pairs(
    const std::vector<std::pair<const DataConfig*, const CorpusReport*>>& phases);
// Warns if search would cut off translations as long as the training targets.
void warn_of_long_targets(const SearchConfig& search, const PairIndex& index);
// Warns about labels of words (data/source_factors.h) that no token gets, in the first lines: a
// token that is part of several words gets the label of the first.
void warn_of_lost_labels(const PairEncoder& encoder, const TrainingText& text);

}  // namespace heed
