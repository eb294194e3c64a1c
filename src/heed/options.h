// Options of the interface as what the layers below take; what is wrong with them is an
// Error(kUsage).
#pragma once

#include <string>
#include <vector>

#include "heed/translator_v0.h"
#include "load/model_request.h"
#include "translate/batch_translator.h"
#include "translate/line_scores.h"

namespace heed {

ModelRequest request_of(const std::vector<std::string>& models, const v0::LoadOptions& options);

// The model with all texts in the languages of the options.
TextModel in_direction(const TextModel& model, const v0::TextOptions& options);

// Without the warnings.
BatchTranslatorOptions translator_options(const TextModel& model,
                                          const v0::TranslateOptions& options);
LineScoreOptions score_options(const TextModel& model, const v0::TextOptions& options);

// Texts as lines of the model, each with its tag. may_have_breaks: false: Error(kData) for a text with a
// line break.
std::vector<SourceLine> lines_of(const TextModel& model,
                                 const std::vector<std::vector<std::string>>& sources,
                                 const v0::TextOptions& options, bool may_have_breaks);

void expect_pairs(const std::vector<std::vector<std::string>>& sources,
                  const std::vector<std::string>& targets);

}  // namespace heed
