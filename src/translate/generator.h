// Texts of a language model that continue given beginnings: what `heed generate` uses.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "translate/translator.h"

namespace heed {

struct GeneratorOptions {
  SearchConfig search;  // the maximum length counts the tokens of the beginning
  int64_t batch = 64;   // texts that go through the model together
  int64_t workers = 1;  // threads
  LineWarnings* warnings =
      nullptr;  // of malformed and unknown beginnings and of cut texts; nullptr: none
  // As those of TranslatorOptions.
  std::function<void()> before_batch{};
  std::function<void(int64_t)> after_batch{};
};

class Generator {
 public:
  // Of a model without sources.
  Generator(TextModel model, GeneratorOptions options);
  // The texts that begin so, with their beginnings; first: number of the first of them, by which
  // samples are drawn.
  std::vector<Translation> generate(const std::vector<std::string>& beginnings,
                                    int64_t first) const;

 private:
  Request request_of(const std::string& beginning, int64_t number, WarningList& warnings) const;
  // separated: becomes true if line separators became spaces.
  Translated to_text(const Hypothesis& hypothesis, bool& separated) const;

  TextModel model_;
  GeneratorOptions options_;
  SuppressedTokens suppressed_;
};

}  // namespace heed
