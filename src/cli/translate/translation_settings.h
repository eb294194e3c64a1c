// The files that a translation writes, and all that its text depends on, apart from its input, by
// name.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/same_file.h"
#include "cli/options.h"
#include "cli/translate/options.h"
#include "search/search_config.h"

namespace heed {

// search: that the options and the model result in. Models are told apart by the hashes of their
// manifests, so a copy is the same model. Batch size, number of workers and device are left out: they
// change the text by rounding only, and a shard that has run out of memory continues with others.
std::map<std::string, std::string> translation_settings(const TranslateOptions& options,
                                                        const SearchConfig& search);

// The files that the options name: the translations, attention weights, word alignments.
std::vector<NamedFile> output_files(const TranslateOptions& options);
// False if standard output or the caller gets all.
bool writes_files(const TranslateOptions& options);

}  // namespace heed
