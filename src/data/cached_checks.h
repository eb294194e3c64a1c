// The checks of corpus_checks.h, whose findings a later start takes from the folder `data.cache`.
#pragma once

#include "data/corpus_checks.h"
#include "data/data_cache.h"

namespace heed {

// Throws what check_corpora() throws, and Error(kIo) where the findings cannot be kept.
CorpusFindings cached_checks(const TrainingText& text, const CorpusChecks& checks,
                             DataCache& cache);

}  // namespace heed
