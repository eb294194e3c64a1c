// What stands before and behind the search of one line: raw text becomes a request of search, and
// hypotheses become text.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "search/search.h"
#include "translate/shortlist.h"
#include "translate/text_model.h"
#include "translate/translated.h"

namespace heed {

// What a translation has to contain and must not contain, as raw text.
struct LexicalConstraints {
  std::string prefix;                // it begins so
  std::vector<std::string> phrases;  // that occur in it, each as often as it is given
  std::vector<std::string> avoided;  // phrases that do not occur, as the tokens that they are
};

// How a line is translated.
struct LineOptions {
  SearchConfig search;
  bool scores = true;            // whether scores and log-probabilities are requested
  bool attention = false;        // whether Translated::attention is requested
  bool alignment = false;        // whether Translated::alignment is requested
  bool replace_unknown = false;  // replace <unk> by the source word it attends to
  // Maximum number of target tokens, whatever `search` says.
  int64_t longest_target = std::numeric_limits<int64_t>::max();
  // The target tokens that each translation may have; null: all.
  std::shared_ptr<const Shortlist> shortlist{};
  // Codec::word_joins() of the target, where phrases may be given.
  std::shared_ptr<const WordJoins> joins{};
  bool split =
      false;  // whether the sentences of a line are translated each by itself (split_line.h)
};

// A line with what search needs of it.
struct LineInput {
  EncodedLine line;
  int64_t number;        // from 1
  int64_t sentence = 0;  // of a line that was split, from 0
  bool is_whole = true;  // false: cut to SearchConfig::longest_source()
  Ids prefix{};
  int64_t given = 0;  // Request::given
  std::vector<Ids> phrases{}, avoided{};
  WarningList warnings{};  // of what was read
  int64_t length() const { return line.is_empty() ? 0 : line.length(); }
};

// May reorder and remove the translations of a line, but not all of them.
using Choice = std::function<void(std::vector<Translated>& best)>;

// The model and the options have to outlive it.
class LineTranslation {
 public:
  // Errors of suppressed_tokens().
  LineTranslation(const TextModel& model, const LineOptions& options)
      : model_(model),
        options_(options),
        suppressed_(suppressed_tokens(options.search, model.target_codec().vocabulary())) {}

  // Malformed UTF-8 is read as U+FFFD. number: of the line, for errors and for sampling; sentence: of
  // the line, from 0.
  LineInput read(const SourceLine& line, int64_t number, const LexicalConstraints& constraints = {},
                 int64_t sentence = 0) const;
  // Of a line that has pieces.
  Request request(const LineInput& input) const;
  // With the warnings of the line and of the best translation.
  Translation translation(const LineInput& input, std::vector<Hypothesis> hypotheses,
                          const Choice& choose = {}) const;
  // Of a line without pieces, which is not searched.
  static Translation of_empty(const LineInput& input);
  // The text of the first tokens of a translation.
  std::string beginning(const LineInput& input, const Hypothesis& hypothesis) const;

 private:
  LineInput encode(const SourceLine& line, int64_t number) const;
  void check_length(int64_t length, LineInput& input) const;
  void take(const LexicalConstraints& constraints, LineInput& input) const;
  // The language of the target, which a prefix may name, stands before it.
  void take_prefix(const std::string& text, LineInput& input) const;
  // Target text as ids, with the token of its language first if there is one.
  Ids encode_target_text(const std::string& text, const LineInput& input) const;
  // The same without that token.
  Ids encode_phrase(const std::string& text, const LineInput& input) const;
  // Codec::within_text() of the target.
  Ids within_text(const std::string& phrase, Ids ids) const;
  static void warn_of_unknown(const Ids& ids, const char* what, const std::string& text,
                              LineInput& input);
  void check_translation(const LineInput& input, const Translated& best,
                         WarningList& warnings) const;
  // Other constraints, and the probability 0, can forbid a phrase.
  bool has_all_phrases(const LineInput& input, const Hypothesis& best) const;
  // separated: becomes true if line separators became spaces.
  Translated to_text(const EncodedLine& line, Hypothesis hypothesis, bool& separated) const;

  const TextModel& model_;
  const LineOptions& options_;
  SuppressedTokens suppressed_;
};

}  // namespace heed
