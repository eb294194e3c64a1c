// Declarations of heed/translator.h, which programs include. The version of the interface is part
// of its symbol names. Inside, heed::Error is another class than heed::v0::Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "heed/export.h"

namespace heed::v0 {

// The values are the exit codes of the program.
enum class ErrorKind {
  kFailure = 1,   // none of the others
  kUsage = 2,     // an option, or texts that do not fit the model's inputs
  kData = 3,      // a text that cannot be used
  kModel = 4,     // a model that is missing, damaged or of another kind
  kIo = 5,        // a file that cannot be opened, libtorch that is missing
  kDiverged = 6,  // a training that gave values that are not numbers
};

// The only exception that the functions below throw, with the message of the program.
class HEED_API Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message);
  ~Error() override;
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

struct LoadOptions {
  std::string device = "auto";     // auto (a GPU if there is one), cpu, cuda, cuda:N
  std::string precision = "auto";  // auto (that of a packed model, else fp32), fp32; for standard
                                   // models on a CPU also bf16, int8
};

// Settings of batches, threads and messages.
struct TextOptions {
  std::int64_t batch = 0;  // texts that go through the model together, to 100,000; 0: what suits it
  std::int64_t workers = 0;  // threads, to 1024; 0: one a core, or one on a GPU
  std::string tag;           // of all texts, such as the target language, for a model with tags
  // Languages of the texts and of their translations, for a model of many: its codes, or others that stand
  // for one of its languages. "": the language that the model has, or that each text names.
  std::string source_language, target_language;
  // Receives the warnings of all texts, one message for each kind. The result of each text has its
  // warnings as well.
  std::function<void(const std::string& message)> warn;
  // Called before each batch, from several threads; returning true ends the call with
  // Error(kFailure).
  std::function<bool()> stop;
};

struct TranslateOptions : TextOptions {
  std::int64_t nbest = 1;        // translations of each text, to 1000; widens a beam not given
  bool alignment = false;        // whether Translation::alignment is wanted
  bool attention = false;        // whether Translation::attention is wanted
  bool replace_unknown = false;  // <unk> becomes the source word that it attends to most
  // Translates each sentence of a text separately if the model has one input. A text may then
  // contain line breaks, which are kept. docs/tasks.md, "Several sentences on a line", has the
  // rules.
  bool split = true;
  // Keys of the config's section `search` (docs/config.md): {{"beam", "8"}}.
  std::map<std::string, std::string> search;
};

// A warning about a text and its translation.
struct Warning {
  std::string kind;     // "cut", "unknown", …: docs/warnings.md lists them
  std::string message;  // of the program
};

struct Translation {
  std::string text;
  double score = 0;            // by which translations are ranked
  double log_probability = 0;  // of the tokens and the end, natural logarithm
  bool finished = true;        // false: cut at the maximum length
  std::vector<std::string> tokens;
  std::vector<double> log_probabilities;  // of each token and of the end; of an empty text none
  // (source word, target word), from 0, for each target word: the source word with the largest
  // weight.
  std::vector<std::pair<std::int64_t, std::int64_t>> alignment;
  // A row for each token and the end, a column for each source token and the end; empty if the
  // model has no attention over its source.
  std::vector<std::vector<float>> attention;
};

struct Translations {
  std::vector<std::string> source_tokens;
  std::vector<Translation> best;  // best first; never empty
  std::vector<Warning> warnings;
};

struct Score {
  double log_probability = 0;  // of the tokens and the end; -infinity: the model excludes it
  std::vector<std::string> tokens;
  std::vector<double> log_probabilities;  // of each token and of the end
  std::vector<Warning> warnings;
};

// A loaded model. Several threads may call the const functions of one object at the same time.
class HEED_API Translator {
 public:
  // model: a run (its best checkpoint), a checkpoint or a model folder.
  explicit Translator(const std::string& model, const LoadOptions& options = {});
  // Several models form an ensemble.
  explicit Translator(const std::vector<std::string>& models, const LoadOptions& options = {});
  ~Translator();
  Translator(Translator&&) noexcept;
  Translator& operator=(Translator&&) noexcept;

  // Element i is the result of texts[i]; an empty text has an empty translation.
  std::vector<Translations> translate(const std::vector<std::string>& texts,
                                      const TranslateOptions& options = {}) const;
  // Element i is the score of targets[i] as a translation of sources[i].
  std::vector<Score> score(const std::vector<std::string>& sources,
                           const std::vector<std::string>& targets,
                           const TextOptions& options = {}) const;

  // Names of the inputs that each translation needs: the sources, then edges, factors and "tag" if
  // the model reads them.
  const std::vector<std::string>& inputs() const;
  const std::vector<std::string>& tags() const;  // that a text may have
  // Codes that TextOptions::source_language and target_language may have; none for a model without a
  // choice.
  std::vector<std::string> source_languages() const;
  std::vector<std::string> target_languages() const;

  // For models with several inputs: sources[i] has a text for each of inputs(), without the tag if
  // the options have it.
  std::vector<Translations> translate_inputs(const std::vector<std::vector<std::string>>& sources,
                                             const TranslateOptions& options = {}) const;
  std::vector<Score> score_inputs(const std::vector<std::vector<std::string>>& sources,
                                  const std::vector<std::string>& targets,
                                  const TextOptions& options = {}) const;

 private:
  struct Loaded;
  std::shared_ptr<const Loaded> loaded_;
};

// Version of the library: "0.1.0".
HEED_API const char* version();

}  // namespace heed::v0
