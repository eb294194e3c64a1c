// Options of each command as plain values, filled from the command line. Free of libtorch, because
// the program and the library with the tensors both include it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cli/shard.h"
#include "load/model_request.h"
#include "search/sampling.h"
#include "translate/shortlist.h"

namespace heed {

struct TrainOptions {
  std::string config;
  std::vector<std::string> set;       // key=value, each overrides the config
  std::optional<std::string> run;     // instead of the config's `run`
  std::optional<std::string> device;  // instead of the config's `device`
  bool resume = false, overwrite = false, dry_run = false;
  bool auto_resume = false;   // resume where there is a run
  bool data_changed = false;  // a resumed run may go on with other data
};

// Settings of search; a setting that is not given is the model's.
struct SearchOptions {
  std::vector<std::string> set;  // --set search.KEY=VALUE
  // Options made from the keys of `search`, by key.
  std::map<std::string, std::string> values;
  std::map<std::string, std::vector<std::string>> lists;
  std::optional<int64_t> max_length;  // target tokens; for max_length_ratio and max_length_extra
};

// Device of a model, and number of lines that it decodes at once.
struct DecodingOptions {
  std::optional<int64_t> batch;    // sentences; none: Engine::best_batch()
  std::optional<int64_t> workers;  // threads; none: one per core, or one on a GPU
  std::string device = "auto";
  Precision precision = Precision::kFloat;  // of translation, not of scoring
};

// Constraint files of `heed translate`, each with a line for each source line.
struct ConstraintFiles {
  std::optional<std::string> prefix, phrases, avoided;
};

// Translations that are compared with references.
struct CollectedTranslations {
  std::vector<std::string> lines{};
  // [references][lines]. The joiner of the model's subwords is removed from them, as from
  // translations.
  std::vector<std::vector<std::string>> references{};
  bool ignores_case = false;  // in the comparison; else a warning if the model lower-cases
};

struct TranslateOptions {
  std::vector<std::string> models;  // several: an ensemble
  SearchOptions search;
  DecodingOptions decoding;
  bool summarize = false;           // with the defaults of summary_search()
  std::vector<std::string> inputs;  // FILE or NAME=FILE; none: standard input
  std::optional<std::string> tag;   // of every line
  std::string output = "-";
  std::optional<LineShard> shard;  // of the lines; none: all of them
  std::optional<int64_t> nbest;
  bool json = false;  // an object for each line
  std::optional<SamplingConfig> sampling;
  std::optional<std::string> risk_metric;     // of minimum Bayes risk among the nbest
  std::optional<std::string> risk_tokenizer;  // of BLEU as that metric
  ConstraintFiles constraints;
  std::optional<std::string> shortlist;
  ShortlistSizes shortlist_sizes;
  bool interactive = false;
  bool split = false;  // the lines into sentences
  bool replace_unknown = false;
  std::optional<std::string> attention, alignments;
  CollectedTranslations* collect = nullptr;  // if given, they go here and not to `output`
};

// An n-best list that is scored and re-ranked.
struct RerankingOptions {
  std::string list;
  std::string feature = "Score";       // name of the appended feature
  double length_penalty = 0;           // α that normalizes its value
  std::optional<std::string> weights;  // file: rank by the weighted sum of all features
  bool best = false;                   // write the best texts alone
};

struct ScoreOptions {
  std::vector<std::string> models;
  std::vector<std::string> sources;  // FILE or NAME=FILE
  std::optional<std::string> tag;    // of every line
  std::string target;                // unless there is an n-best list
  std::optional<RerankingOptions> reranking;
  std::string output = "-";
  bool tokens = false;  // an object for each line
  DecodingOptions decoding;
};

struct InspectOptions {
  std::vector<std::string> models;  // several: side by side
  bool config = false;              // the config alone, of one model
  bool json = false;
};

struct AverageOptions {
  std::vector<std::string> models;
  std::string output;
  std::optional<int64_t> last, best;  // checkpoints of one run
};

// A model of another toolkit that is converted to a model of heed.
struct ImportOptions {
  enum class Format { kHf, kJoeynmt, kOpennmt, kCTranslate2 };
  Format format = Format::kHf;
  std::string model;                             // its folder, or a file
  std::string python = "python3";                // for formats that only Python can read
  std::string output;                            // folder of the new model
  std::string source_language, target_language;  // codes; of models of many languages
  std::string source_spm, target_spm;            // SentencePiece models; "": searched for
  bool tokenized = false;                        // text is tokens between spaces
  std::string source_end;                        // yes or no; "": as the model says
};

struct ExportOptions {
  enum class Format { kHf, kCTranslate2 };
  Format format = Format::kHf;
  std::string model;
  std::string folder;  // that is made
};

struct CheckOptions {
  std::string config;
  std::vector<std::string> set;  // key=value, each overrides the config
};

struct PlotAttentionOptions {
  std::vector<std::string> models;    // several: an ensemble
  std::vector<std::string> inputs;    // FILE or NAME=FILE; none: standard input
  std::optional<std::string> tag;     // of every line
  std::optional<std::string> target;  // the map of this translation instead of the model's own
  std::vector<int64_t> lines{1};      // of the input, from 1, in the order of the maps
  std::vector<std::string> pictures;  // files, by their endings; none: the terminal
  bool words = false;                 // the tokens of a word joined
  std::optional<std::string> place;   // of attention: "decoder.cross.1"
  std::optional<int64_t> head;        // from 1; none: the mean of all
  std::optional<std::string> title;   // none: the source line
  bool no_title = false;
  std::optional<int64_t> width;  // columns of the terminal, or pixels of a picture
  SearchOptions search;
  std::string device = "auto";
};

// All commands that the library with the tensors can run.
using TensorCommand =
    std::variant<TrainOptions, ScoreOptions, InspectOptions, AverageOptions, CheckOptions,
                 PlotAttentionOptions, ImportOptions, ExportOptions>;

}  // namespace heed
