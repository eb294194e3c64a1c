// The texts and the model of a request, in whatever form it is, within the limits of the server.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "request/json_fields.h"
#include "request/offered_models.h"
#include "request/serve_limits.h"

namespace heed {

// Throws HttpError(kBadRequest) that names the first problems: a request may have as many as texts.
[[noreturn]] void refuse(std::vector<std::string> problems);

// The only model. field: name of the field that names a model, where there are several.
const OfferedModel& only_model(const OfferedModels& models, const char* field);

int64_t characters_of(const std::string& text);

// Adds a problem for texts that are together longer than one may be, and for a zero byte: texts in
// the C interface of the library end at it.
void check_texts(const std::string& place, const std::vector<std::string>& texts,
                 const ServeLimits& limits, JsonFields& fields);

// Reads the inputs of a model from a request: all of them, or all but the tag, which may be given
// once.
class SourceTexts {
 public:
  // may_have_lines: true if a text may contain line breaks.
  SourceTexts(const TextModel& model, const ServeLimits& limits, JsonFields& fields,
              bool may_have_lines);
  // Reads the inputs of one text; adds its problems to those of the fields.
  SourceLine read(const std::string& place, const Json& text);

 private:
  SourceLine of_string(const std::string& place, const Json& text);
  SourceLine of_object(const std::string& place, const Json& text);

  std::vector<std::string> inputs_;
  const ServeLimits& limits_;
  JsonFields& fields_;
  const bool may_have_lines_;
  std::optional<std::string> tag_;
};

}  // namespace heed
