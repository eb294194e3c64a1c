// A corpus written in another format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/corpus_choice.h"
#include "data/pair_writer.h"

namespace heed {

struct ConversionOptions {
  std::vector<std::string> inputs;            // one file with both sides, or two (column_reader.h)
  std::optional<std::string> source, target;  // columns, keys or languages of one file
  std::vector<std::string> outputs;           // two for kText, else one
  std::optional<PairForm> form;               // none: by the name of the output
  // Keys of JSON lines and languages of a translation memory; none: as in the input.
  std::optional<std::string> source_name, target_name;
};

// Writes the files, all or none, and logs the counts. Leaves out rows without a text and pairs with
// malformed UTF-8, and warns of both. Throws Error(kUsage) for options that do not fit together,
// Error(kData) for files of unequal length or mostly malformed ones, and what choose_corpus() throws.
void convert_corpus(const ConversionOptions& options);

}  // namespace heed
