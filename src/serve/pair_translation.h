// Translation from a language into another, by the model of the pair or by two models with a language
// between.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "request/request_texts.h"
#include "serve/api.h"
#include "serve/served_glossary.h"
#include "text/language_detector.h"

namespace heed {

// Texts of a request that are in one language.
struct PairTexts {
  std::string source, target;   // codes
  std::vector<size_t> numbers;  // of the texts in the request
  std::vector<std::string> texts;
};

struct PairOptions {
  bool split = true;  // whether each sentence is translated by itself, where the model can
  int64_t nbest = 1;  // translations of a text
  MarkupFormat markup = MarkupFormat::kNone;         // of the texts
  std::shared_ptr<const ServedGlossary> glossary{};  // of the pair
};

// The language between; "": the server has a model of the pair. Equal languages are a pair.
std::string language_between(const ModelLease& models, const std::string& source,
                             const std::string& target);

// Translates texts whose pairs the server has. A text whose languages are equal is its own
// translation. Throws HttpError and ModelNotLoaded; nothing is translated then.
void translate_pairs(const ApiCall& call, ServedModels& models, std::vector<PairTexts> texts,
                     const PairOptions& options, const std::shared_ptr<TranslateReply>& reply);

// The language of a text, of those that the server translates into `target`.
DetectedLanguage source_of(const ModelLease& models, const std::string& text,
                           const std::string& target);

// Checks the number and the lengths of texts.
void check_text_limits(const std::string& field, const std::vector<std::string>& texts,
                       const ServeLimits& limits, JsonFields& fields);

}  // namespace heed
