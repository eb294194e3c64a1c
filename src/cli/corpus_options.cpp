#include "cli/corpus_options.h"

namespace heed {

void add_corpus_options(CLI::App& command, CorpusOptions& corpus) {
  command
      .add_option(
          "TABLE", corpus.file,
          "Both sides in one file: tab-separated values, JSON lines or TMX, plain or compressed")
      ->type_name("");
  command
      .add_option("--source", corpus.source,
                  "Source sentences, one a line, plain or compressed; of a TABLE the column, by "
                  "number or name, the key or the language")
      ->type_name("FILE");
  command
      .add_option("--target", corpus.target,
                  "Target sentences, line by line; of a TABLE the column, key or language")
      ->type_name("FILE");
}

}  // namespace heed
