// Options that name a corpus: TABLE, or --source and --target.
#pragma once

#include "cli/arguments.h"
#include "data/corpus_choice.h"

namespace heed {

void add_corpus_options(CLI::App& command, CorpusOptions& corpus);

}  // namespace heed
