// Continuations of given beginnings by a language model, for `heed generate`.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "translate/batch_translator.h"

namespace heed {

struct GeneratorOptions {
  SearchConfig search;  // the maximum length counts the tokens of the beginning
  int64_t batch = 64;   // texts that go through the model together
  int64_t workers = 1;  // threads
  LineWarnings* warnings =
      nullptr;  // of malformed and unknown beginnings and of cut texts; nullptr: none
  // Same as in BatchTranslatorOptions.
  std::function<void()> before_batch{};
  std::function<void(int64_t)> after_batch{};
};

class Generator {
 public:
  // The model must not have sources.
  Generator(TextModel model, GeneratorOptions options);
  // Completed texts, beginnings included. first: number of the first text, which its samples depend
  // on.
  std::vector<TranslatedLine> generate(const std::vector<std::string>& beginnings,
                                       int64_t first) const;

 private:
  Request request_of(const std::string& beginning, int64_t number, WarningList& warnings) const;
  // separated: set to true if line separators became spaces.
  Translated to_text(const Hypothesis& hypothesis, bool& separated) const;

  TextModel model_;
  GeneratorOptions options_;
  SuppressedTokens suppressed_;
};

}  // namespace heed
