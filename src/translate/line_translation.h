// Conversion of one line before and after search: raw text to a request, and hypotheses to text.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "markup/marked_line.h"
#include "search/search.h"
#include "translate/glossary.h"
#include "translate/shortlist.h"
#include "translate/text_model.h"
#include "translate/translated.h"

namespace heed {

// Raw text that a translation has to contain or must not contain.
struct LexicalConstraints {
  std::string prefix;                // beginning of the translation
  std::vector<std::string> phrases;  // phrases that it contains, each as often as it is given
  std::vector<std::string> avoided;  // phrases that it does not contain, as tokens
};

// Settings for the translation of a line.
struct LineOptions {
  SearchConfig search;
  bool scores = true;            // whether scores and log-probabilities are requested
  bool attention = false;        // whether Translated::attention is requested
  bool alignment = false;        // whether Translated::alignment is requested
  bool replace_unknown = false;  // replace <unk> by the source word it attends to
  // Maximum number of target tokens; overrides a larger limit of `search`.
  int64_t longest_target = std::numeric_limits<int64_t>::max();
  // Target tokens that each translation may contain; nullptr: all.
  std::shared_ptr<const Shortlist> shortlist{};  // none: that of the model
  // Codec::word_joins() of the target, needed for phrases and for a glossary.
  std::shared_ptr<const WordJoins> joins{};
  bool split =
      false;  // whether the sentences of a line are translated each by itself (split_line.h)
  MarkupOptions markup{};                      // of the lines (marked_sentences.h)
  std::shared_ptr<const Glossary> glossary{};  // whose terms are required; nullptr: none
  // Maximum number of terms of a line: search compares each of them with every partial term that a
  // hypothesis may continue.
  int64_t most_terms = std::numeric_limits<int64_t>::max();
  bool has_markup() const { return markup.format != MarkupFormat::kNone || markup.protects.any(); }
  // True if translations are made from attention weights.
  bool reads_attention() const { return attention || alignment || replace_unknown || has_markup(); }
};

// A term of the glossary that a line has.
struct RequiredTerm {
  Glossary::Match match;
  RequiredPhrase phrase;  // without forms if all of them have tokens outside the vocabulary
};

// A line prepared for search.
struct LineInput {
  EncodedLine line;
  int64_t number;                     // from 1
  int64_t sentence = 0;               // of a line that was split, from 0
  bool is_whole = true;               // false: cut to SearchConfig::longest_source()
  std::optional<int32_t> language{};  // of the translation, if the line or its prefix names it
  bool has_target_word = false;       // the line has a word that is not in `line`: that language
  Ids prefix{};
  int64_t given = 0;  // Request::given
  std::vector<RequiredPhrase> phrases{};
  std::vector<RequiredTerm> terms{};  // of the glossary
  std::vector<Ids> avoided{};
  WarningList warnings{};  // of what was read
  int64_t length() const { return line.is_empty() ? 0 : line.length(); }
};

// Reorders or removes translations of a line; may not remove all.
using Choice = std::function<void(std::vector<Translated>& best)>;

// The model and the options have to outlive it.
class LineTranslation {
 public:
  // Throws the errors of suppressed_tokens().
  LineTranslation(const TextModel& model, const LineOptions& options)
      : model_(model),
        options_(options),
        suppressed_(suppressed_tokens(options.search, model.target_codec().vocabulary())) {}

  // Reads malformed UTF-8 as U+FFFD. number: of the line, for errors and for sampling. sentence:
  // number in the line, from 0.
  LineInput read(const SourceLine& line, int64_t number, const LexicalConstraints& constraints = {},
                 int64_t sentence = 0) const;
  // Request for a line that has pieces.
  Request request(const LineInput& input) const;
  // Adds the warnings of the line and of the best translation.
  TranslatedLine translation(const LineInput& input, std::vector<Hypothesis> hypotheses,
                             const Choice& choose = {}) const;
  // Translation of a line without pieces, which is not searched.
  static TranslatedLine of_empty(const LineInput& input);
  // Text of the first tokens of a translation.
  std::string beginning(const LineInput& input, const Hypothesis& hypothesis) const;

 private:
  LineInput encode(const SourceLine& line, int64_t number) const;
  // The token of a target language. Throws Error(kData) for one that the model does not have.
  int32_t language_id(const std::string& piece, int64_t number) const;
  // Throws Error(kData) for a line whose language is not known.
  void expect_language(const Codec& codec, bool is_named, const char* which, int64_t number) const;
  void check_length(int64_t length, LineInput& input) const;
  void take(const LexicalConstraints& constraints, LineInput& input) const;
  void take_terms(LineInput& input) const;
  // Encodes the prefix after the token of the target language, which the prefix may name.
  void take_prefix(const std::string& text, LineInput& input) const;
  // Encodes target text; the token of the target language comes first if there is one, that of the
  // line or the usual one.
  Ids encode_target_text(const std::string& text, const LineInput& input) const;
  // The same without that token.
  Ids encode_phrase(const std::string& text, const LineInput& input) const;
  // Applies Codec::within_text() of the target.
  Ids within_text(const std::string& phrase, Ids ids) const;
  static void warn_of_unknown(const Ids& ids, const char* what, const std::string& text,
                              LineInput& input);
  void check_translation(const LineInput& input, const Translated& best,
                         WarningList& warnings) const;
  // True if the translation has all of these. Other constraints, or probability 0, can forbid one.
  bool has_all(const std::vector<RequiredPhrase>& phrases, const Hypothesis& best) const;
  void check_terms(const LineInput& input, const Hypothesis& best, TranslatedLine& result) const;
  // separated: set to true if line separators became spaces.
  Translated to_text(const LineInput& input, Hypothesis hypothesis, bool& separated) const;

  const TextModel& model_;
  const LineOptions& options_;
  SuppressedTokens suppressed_;
};

}  // namespace heed
