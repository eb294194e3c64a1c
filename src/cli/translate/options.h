// Options of `heed translate`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "markup/marked_line.h"
#include "search/sampling.h"
#include "translate/shards/shard.h"
#include "translate/shortlist.h"

namespace heed {

// Constraint files of `heed translate`, each with a line for each source line.
struct ConstraintFiles {
  std::optional<std::string> prefix, phrases, avoided;
};

// `--document` without a name: the format by the ending of the file.
inline constexpr const char* kFormatOfName = "auto";

// Translations that are compared with references.
struct CollectedTranslations {
  std::vector<std::string> lines{};
  // [references][lines]. The joiner of the model's subwords is removed from them, as from
  // translations.
  std::vector<std::vector<std::string>> references{};
  bool ignores_case = false;  // in the comparison; else a warning if the model lower-cases
};

enum class TranslationFormat {
  kText,
  kJson,       // an object for each line
  kJsonTexts,  // the same without tokens and warnings
  kTsv,        // a row for each line: its sources, then the translation
};

inline bool is_json(TranslationFormat format) {
  return format == TranslationFormat::kJson || format == TranslationFormat::kJsonTexts;
}

struct TranslateOptions {
  std::vector<std::string> models;  // several: an ensemble
  SearchOptions search;
  DecodingOptions decoding;
  bool summarize = false;           // with the defaults of summary_search()
  std::vector<std::string> inputs;  // FILE or NAME=FILE; none: standard input
  std::optional<std::string> tag;   // of every line
  Direction direction;              // of every line that does not name its own
  std::string output = "-";
  std::optional<LineShard> shard;  // of the lines; none: all of them
  std::optional<int64_t> nbest;
  TranslationFormat format = TranslationFormat::kText;
  std::optional<SamplingOptions> sampling;
  std::optional<std::string> risk_metric;     // of minimum Bayes risk among the nbest
  std::optional<std::string> risk_tokenizer;  // of BLEU as that metric
  ConstraintFiles constraints;
  std::optional<std::string> glossary;
  std::string glossary_match = "exact";  // kGlossaryMatches
  std::optional<std::string> shortlist;
  ShortlistSizes shortlist_sizes;
  bool interactive = false;
  bool split = false;  // the lines into sentences
  MarkupOptions markup;
  bool replace_unknown = false;
  std::optional<std::string> attention, alignments, delays;
  std::optional<std::string> seconds;   // file that gets the time of the translation
  std::optional<std::string> document;  // name of its format, or kFormatOfName; none: lines
  const std::vector<std::string>* texts =
      nullptr;                               // if given, they are translated and not the inputs
  CollectedTranslations* collect = nullptr;  // if given, they go here and not to `output`
};

}  // namespace heed
