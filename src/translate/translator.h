// Translation of raw lines: what `heed translate`, `heed evaluate --model` and validation use.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/line_warnings.h"
#include "search/search.h"
#include "translate/alignment.h"
#include "translate/shortlist.h"
#include "translate/text_model.h"

namespace heed {

// One of the translations of a line.
struct Translated {
  std::string text;
  double score = 0, log_probability = 0;
  bool finished = true;                   // false: cut at the maximum length
  std::vector<double> log_probabilities;  // of each of the pieces and kEnd
  std::vector<std::string> pieces;        // unknown ones replaced if replace_unknown
  AttentionMatrix attention;              // [pieces and kEnd][source pieces and kEnd]
  Alignment alignment;                    // of words
};

// With the scores of a hypothesis, without its text.
Translated with_scores_of(const Hypothesis& hypothesis);

// What a translation has to contain and must not contain, as raw text.
struct LexicalConstraints {
  std::string prefix;                // it begins so
  std::vector<std::string> phrases;  // that occur in it, each as often as it is given
  std::vector<std::string> avoided;  // phrases that do not occur, as the tokens that they are
};

struct TranslatorOptions {
  SearchConfig search;
  int64_t batch = 64;            // sentences that go through the model together
  int64_t workers = 1;           // threads
  bool attention = false;        // whether Translated::attention is requested
  bool alignment = false;        // whether Translated::alignment is requested
  bool replace_unknown = false;  // replace <unk> by the source word it attends to
  // Maximum number of source pieces; longer lines are cut, with a warning: the memory of a
  // Transformer is quadratic in the length.
  int64_t longest_source = 2048;
  // The target tokens that each translation may have; null: all.
  std::shared_ptr<const Shortlist> shortlist{};
  // Receives warnings of lines that are malformed or too long; nullptr: none.
  LineWarnings* warnings = nullptr;
  // Gives the lexical constraints of the next translation, in the order of the lines. Not set: there
  // are none.
  std::function<LexicalConstraints()> next_constraints{};
  // May reorder and remove the translations of a line, but not all of them; called from the worker
  // threads.
  std::function<void(std::vector<Translated>& best)> choose{};
  // Called before each batch, from the worker threads; may throw, which ends the work.
  std::function<void()> before_batch{};
  // Called with the number of sentences of each batch that is done, from the worker threads.
  std::function<void(int64_t)> after_batch{};
};

struct Translation {
  std::vector<std::string> source;  // pieces of the source that attention is over
  std::vector<Translated> best;     // as many as search.nbest, best first; never empty
  const std::string& text() const { return best.front().text; }
};

class Translator {
 public:
  Translator(TextModel model, TranslatorOptions options);
  const TextModel& model() const { return model_; }

  // The translation of line i at position i. A line without pieces has an empty translation.
  // Malformed UTF-8 is read as U+FFFD, and that, lines longer than any of the training and lines of
  // unknown words are noted in the warnings by their numbers; first_line: that of the first.
  // constraints: none, or those of each line. Errors: those of search().
  std::vector<Translation> translate(const std::vector<SourceLine>& lines, int64_t first_line = 1,
                                     const std::vector<LexicalConstraints>& constraints = {}) const;

  // Translates all lines of `next` until it returns false. Lines are sorted within windows of this
  // size and written in order. first_line: the number of the first. Returns how many there were.
  int64_t translate_all(const std::function<bool(SourceLine&)>& next,
                        const std::function<void(const Translation&)>& write,
                        int64_t window = 10000, int64_t first_line = 1) const;

 private:
  // A line with what search needs of it.
  struct Input {
    EncodedLine line;
    int64_t number;  // from 1
    Ids prefix{};
    std::vector<Ids> phrases{}, avoided{};
  };
  EncodedLine read_line(const SourceLine& line, int64_t number) const;
  void translate_group(const std::vector<Input>& inputs, const std::vector<size_t>& group,
                       std::vector<Translation>& translations) const;
  Request request_of(const Input& input) const;
  // Warns of a translation without all phrases.
  void check_phrases(const Input& input, const Hypothesis& best) const;
  void take(const LexicalConstraints& constraints, Input& input) const;
  Translated to_text(const EncodedLine& line, Hypothesis hypothesis) const;

  TextModel model_;
  TranslatorOptions options_;
  std::shared_ptr<const std::vector<bool>> continuations_;  // of the words of phrases
};

}  // namespace heed
