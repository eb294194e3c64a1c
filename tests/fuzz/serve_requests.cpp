// Bodies of requests to the server; the first line is the path that reads them.
#include "fuzz/fuzzing.h"
#include "request/http_error.h"
#include "request/translate_request.h"
#include "search/engine.h"
#include "text/words.h"

namespace heed {

namespace {

// Computes nothing, because no line is translated.
class NoEngine final : public Engine {
  std::unique_ptr<Decoding> start(const std::vector<const Example*>&, bool) const override {
    HEED_CHECK(false);
    return nullptr;
  }
};

TextModel small_model() {
  TextModel model;
  const auto codec = std::make_shared<const Codec>(
      std::make_shared<WordTokenizer>("", false),
      std::make_shared<const Vocabulary>(std::vector<std::string>{"a", "b", "c"}));
  model.sources = model.inputs = {"source"};
  model.codecs = {{"source", codec}, {kTargetSide, codec}};
  model.engine = std::make_shared<NoEngine>();
  return model;
}

const OfferedModels& models() {
  static const OfferedModel model{.name = "m",
                                  .text = std::make_shared<const TextModel>(small_model()),
                                  .search = {},
                                  .summary_search = {},
                                  .joins = {}};
  static const OfferedModels models = [] {
    OfferedModels all;
    all.add(model);
    return all;
  }();
  return models;
}

}  // namespace

void try_input(std::string_view bytes) {
  const std::string path = take_until(bytes, '\n'), body(bytes);
  const ServeLimits limits;
  try {
    if (path == "attention")
      read_attention_request(body, models(), limits);
    else if (path == "opennmt")
      read_opennmt_request(body, models(), limits);
    else
      read_translate_request(body, models(), limits);
  } catch (const HttpError& error) {
    // Errors of the client are expected; their messages are not much longer than the request.
    HEED_CHECK(error.status() != HttpStatus::kInternal, "{}", error.what());
    HEED_CHECK(std::string_view(error.what()).size() < 20'000);
  }
}

}  // namespace heed
