// The module for browsers: a packed model in the memory of the page, and translations as JSON. worker.js
// calls these functions. Each returns a text that is valid until the next call.
#include <emscripten.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "base/packed_file.h"
#include "load/fast_model.h"
#include "load/pack_model.h"
#include "request/http_error.h"
#include "request/line_json.h"
#include "request/offered_models.h"
#include "request/serve_limits.h"
#include "request/translate_request.h"
#include "translate/batch_translator.h"

namespace heed {

namespace {

struct OpenModel {
  OfferedModel offered;
  OfferedModels all;
};
std::unique_ptr<OpenModel> open_model;

std::string card_of(const std::filesystem::path& model) {
  return is_there(model / kModelCard) ? read_file(model / kModelCard) : "";
}

Json open(const std::string& path, const std::string& name) {
  if (!is_packed_file(path))
    throw_error(ErrorKind::kModel, "{}: is not a packed model; `heed pack` makes one", name);
  std::optional<TextModel> model = load_fast_model({.paths = {path}});
  if (!model)
    throw_error(ErrorKind::kModel, "{}: {} needs libtorch, which no browser has", name,
                reason_for_libtorch({.paths = {path}}));
  auto opened = std::make_unique<OpenModel>();
  opened->offered = {.name = name,
                     .text = std::make_shared<const TextModel>(std::move(*model)),
                     .search = {},
                     .summary_search = {},
                     .joins = {}};
  OfferedModel& offered = opened->offered;
  offered.search = offered.summary_search = offered.text->search;
  offered.joins = std::make_shared<const WordJoins>(offered.text->target_codec().word_joins());
  opened->all.add(offered);
  open_model = std::move(opened);
  const ServeLimits limits;
  return {{"models", Json::array({model_json(open_model->offered)})},
          {"limits", {{"characters", limits.characters}, {"beam", limits.beam}}},
          {"card", card_of(path)}};
}

// A body of POST /translate (docs/serving.md), and the lines of its answer.
Json translate(const std::string& body) {
  HEED_CHECK(open_model);
  TranslateRequest request = read_translate_request(body, open_model->all, {});
  std::vector<LexicalConstraints> constraints(request.lines.size(), *request.phrases);
  for (size_t i = 0; i < constraints.size(); ++i) constraints[i].prefix = request.prefixes[i];
  const auto& text = request.text ? request.text : open_model->offered.text;
  const BatchTranslator translator(*text, {.line = request.how});
  Json lines = Json::array();
  for (const TranslatedLine& line : translator.translate(request.lines, 1, constraints))
    lines.push_back(line_json(std::ssize(lines) + 1, line, request.how));
  return {{"model", open_model->offered.name}, {"lines", std::move(lines)}};
}

// The text of call(), or {"error": …}.
template <class Call>
const char* text_of(const Call& call) {
  static std::string text;
  try {
    text = json_text(call());
  } catch (...) {
    text = json_text({{"error", current_http_error().reason()}});
  }
  return text.c_str();
}

}  // namespace

}  // namespace heed

extern "C" {

EMSCRIPTEN_KEEPALIVE const char* heed_open(const char* path, const char* name) {
  return heed::text_of([&] { return heed::open(path, name); });
}
EMSCRIPTEN_KEEPALIVE const char* heed_translate(const char* body) {
  return heed::text_of([&] { return heed::translate(body); });
}
}
