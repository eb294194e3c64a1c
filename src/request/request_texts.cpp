#include "request/request_texts.h"

#include <algorithm>

#include "base/utf8.h"
#include "request/http_error.h"

namespace heed {

void refuse(std::vector<std::string> problems) {
  constexpr size_t kNamed = 10;
  if (problems.size() > kNamed) {
    const size_t others = problems.size() - kNamed;
    problems.resize(kNamed);
    problems.push_back(fmt::format("and {} more problems", others));
  }
  throw_http_error(HttpStatus::kBadRequest, "{}", fmt::join(problems, "; "));
}

const OfferedModel& only_model(const OfferedModels& models, const char* field) {
  if (models.size() == 0)
    throw_http_error(HttpStatus::kNotFound, "the server has no model at present");
  if (models.size() > 1)
    throw_http_error(HttpStatus::kBadRequest, "{}: missing; expected one of {}", field,
                     fmt::join(models.names(), ", "));
  return models.at(0);
}

int64_t characters_of(const std::string& text) {
  return static_cast<int64_t>(count_code_points(replace_malformed(text)));
}

void check_texts(const std::string& place, const std::vector<std::string>& texts,
                 const ServeLimits& limits, JsonFields& fields) {
  int64_t characters = 0;
  for (const std::string& text : texts) characters += characters_of(text);
  if (characters > limits.characters)
    fields.wrong(place, fmt::format("found {} characters, expected {} at most", characters,
                                    limits.characters));
  const auto has_zero = [](const std::string& text) { return text.find('\0') != text.npos; };
  if (std::ranges::any_of(texts, has_zero))
    fields.wrong(place, "holds a zero byte (U+0000); remove it");
}

SourceTexts::SourceTexts(const TextModel& model, const ServeLimits& limits, JsonFields& fields,
                         bool may_have_lines)
    : inputs_(model.inputs), limits_(limits), fields_(fields), may_have_lines_(may_have_lines) {
  if (!model.tags.empty())
    tag_ = fields.text("tag");
  else if (fields.any("tag") != nullptr)
    fields.wrong("tag", "the model has no tags; leave it out");
  if (tag_) std::erase(inputs_, kTagInput);
}

SourceLine SourceTexts::read(const std::string& place, const Json& text) {
  SourceLine line = text.is_object() ? of_object(place, text) : of_string(place, text);
  for (const std::string& part : line) {
    check_texts(place, {part}, limits_, fields_);
    if (!may_have_lines_ && part.find_first_not_of("\r\n", part.find('\n')) != std::string::npos)
      fields_.wrong(place, "holds a line break; give each line by itself");
  }
  // The tag is the last input.
  if (tag_) line.push_back(*tag_);
  return line;
}

SourceLine SourceTexts::of_string(const std::string& place, const Json& text) {
  if (inputs_.size() == 1 && text.is_string()) return {text.get<std::string>()};
  fields_.wrong(place, inputs_.size() == 1
                           ? "expected a text"
                           : fmt::format("expected an object with {}", fmt::join(inputs_, ", ")));
  return {};
}

SourceLine SourceTexts::of_object(const std::string& place, const Json& text) {
  JsonFields parts(text);
  SourceLine line;
  for (const std::string& input : inputs_) {
    const auto part = parts.text(input);
    if (!part && parts.problems().empty()) parts.wrong(input, "missing");
    line.push_back(part.value_or(""));
  }
  for (const std::string& other : parts.others())
    parts.wrong(other, fmt::format("is not an input of the model, which reads {}",
                                   fmt::join(inputs_, ", ")));
  for (const std::string& problem : parts.problems()) fields_.wrong(place, problem);
  return line;
}

}  // namespace heed
