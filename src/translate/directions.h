// The directions of a model of many languages: one whose lines begin with the token of their language
// (M2M-100, NLLB, mBART-50), or with that of the target language (OPUS-MT).
//
// The languages of all lines are chosen once (Directions::choose). A line chooses its own by tokens before
// its text: ">>eng_Latn<< …" the source language, ">>eng_Latn<< >>deu_Latn<< …" both.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "translate/direction.h"
#include "translate/text_model.h"

namespace heed {

class Directions {
 public:
  explicit Directions(const TextModel& model);

  // Codes of the languages that may be chosen; none: the model has no choice.
  const std::vector<std::string>& sources() const { return sources_; }
  const std::vector<std::string>& targets() const { return targets_; }
  // True for languages that have to be chosen, or named by each line.
  bool needs_source() const { return needs_source_; }
  bool needs_target() const { return needs_target_; }

  // The model with all lines in this direction, except those that choose another. Throws Error(kUsage) for a
  // language that the model does not have.
  TextModel choose(const Direction& direction) const;
  // Code of the model that this one stands for. Throws Error(kUsage) that lists the languages; place: begins
  // its message.
  std::string source(const std::string& code, const char* place = "source language: ") const;
  std::string target(const std::string& code, const char* place = "target language: ") const;

 private:
  const TextModel& model_;
  std::vector<std::string> sources_, targets_;
  bool target_is_in_source_ = false;  // the token of the target language begins the source
  bool needs_source_ = false, needs_target_ = false;
};

// Tokens of languages at the beginning of a line.
struct LineLanguages {
  std::string source, target;  // ">>eng_Latn<<"; "": the line has none
  std::string text;            // the line without the token of the target language
};
// Reads those of a line of this model.
LineLanguages languages_in(const TextModel& model, const std::string& line);
// ">>deu_Latn<<" if the beginning of a translation names its language so; else "".
std::string target_language_in(const TextModel& model, std::string_view prefix);

}  // namespace heed
