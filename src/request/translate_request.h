// Requests for translations, as JSON, and for attention maps.
#pragma once

#include <string>
#include <vector>

#include "request/offered_models.h"
#include "request/serve_limits.h"
#include "translate/line_translation.h"

namespace heed {

struct TranslateRequest {
  const OfferedModel* model;
  std::shared_ptr<const TextModel>
      text{};  // the model in the direction of the request; nullptr: as it is
  std::vector<SourceLine> lines;
  std::vector<std::string> prefixes;  // of each line, as LexicalConstraints::prefix
  // The same for all lines, without a prefix.
  std::shared_ptr<const LexicalConstraints> phrases;
  LineOptions how;
  bool stream = false;  // translations as events, while they are found
};

// {"texts": ["A man sleeps.", …], "model": "en-de", "beam": 5, …}; docs/serving.md lists the fields.
// Throws HttpError that names everything that is wrong.
TranslateRequest read_translate_request(const std::string& body, const OfferedModels& models,
                                        const ServeLimits& limits);

struct AttentionRequest {
  const OfferedModel* model;
  SourceLine line;
  std::string target;
};

// {"text": "A man sleeps.", "target": "Ein Mann schläft.", "model": "en-de"}; the same errors.
AttentionRequest read_attention_request(const std::string& body, const OfferedModels& models,
                                        const ServeLimits& limits);

}  // namespace heed
