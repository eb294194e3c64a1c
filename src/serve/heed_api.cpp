#include "serve/heed_api.h"

#include "request/line_json.h"
#include "translate/translation_json.h"

namespace heed {

namespace {

// Sends all lines in one body: {"model": "en-de", "lines": [{"line": 1, "translations": […]}, …]}, with
// each line as in `heed translate --format json`, and with "source_tokens" and "attention" if
// requested.
class WholeReply final : public TranslateReply {
 public:
  WholeReply(const TranslateRequest& request, ReplyTo to)
      : TranslateReply(request.lines.size(), std::move(to)),
        model_(request.model->name),
        how_(request.how),
        lines_(request.lines.size()) {}

  bool add(size_t line, const TranslatedLine& translation) override {
    lines_[line] = json_text(line_json(static_cast<int64_t>(line) + 1, translation, how_));
    return to_.http->reserve(std::ssize(lines_[line]));
  }
  void finish() override {
    std::vector<std::string> body = {fmt::format("{{\"model\":{},\"lines\":[", json_text(model_))};
    for (std::string& line : lines_) {
      if (body.size() > 1) body.push_back(",");
      body.push_back(std::move(line));
    }
    body.push_back("]}\n");
    to_.http->send_parts(static_cast<int>(HttpStatus::kOk), kJsonType, std::move(body));
  }
  void send_failure(const HttpError& error) override {
    lines_.clear();
    TranslateReply::send_failure(error);
  }

 private:
  const std::string model_;
  const LineOptions how_;
  std::vector<std::string> lines_;  // as JSON
};

// Sends each line as soon as it is translated, and its beginnings before: events `beginning` with
// {"line", "text"}, `line` with the object of a line, and finally `done` or `error`.
class EventReply final : public TranslateReply {
 public:
  EventReply(const TranslateRequest& request, ReplyTo to)
      : TranslateReply(request.lines.size(), std::move(to)),
        model_(request.model->name),
        how_(request.how),
        beginnings_(request.lines.size()) {}

  bool follows() const override { return true; }
  void beginning(size_t line, const std::string& text) override {
    // A client that reads slowly gets fewer beginnings, so that memory does not grow.
    constexpr size_t kBacklog = 16 << 10;
    if (text == beginnings_[line] || to_.http->backlog() > kBacklog) return;
    beginnings_[line] = text;
    to_.http->event("beginning", json_text({{"line", line + 1}, {"text", text}}));
  }
  bool add(size_t line, const TranslatedLine& translation) override {
    return to_.http->event("line",
                           json_text(line_json(static_cast<int64_t>(line) + 1, translation, how_)));
  }
  void finish() override {
    to_.http->event("done", json_text({{"model", model_}}));
    to_.http->end();
  }
  void send_failure(const HttpError& error) override {
    to_.http->event("error", json_text({{"error", error.what()}}));
    to_.http->end();
  }

 private:
  const std::string model_;
  const LineOptions how_;
  std::vector<std::string> beginnings_;  // of each line, the last that was sent
};

Json limits_json(const ServeLimits& limits) {
  return {{"texts", limits.texts}, {"characters", limits.characters}, {"beam", limits.beam}};
}

}  // namespace

HeedApi::HeedApi(ServedModels& models, const ServiceMetrics& metrics)
    : models_(models),
      routes_{
          {"/translate", "POST", [this](const ApiCall& call) { translate(call); }},
          {"/attention", "POST", [this](const ApiCall& call) { attention(call); }},
          {"/models", "GET",
           [&models](const ApiCall& call) {
             call.send_json({{"models", models.facts()}, {"limits", limits_json(call.limits())}});
           }},
          {"/health", "GET",
           [](const ApiCall& call) {
             call.send_json({{"status", "ok"}});
           }},
          {"/metrics", "GET",
           [&metrics](const ApiCall& call) {
             call.send("text/plain; version=0.0.4", metrics.text());
           }},
      } {}

void HeedApi::translate(const ApiCall& call) {
  TranslateRequest wanted =
      read_translate_request(call.request.body, call.models.offered, call.limits());
  const auto model = call.models.at(wanted.model->name);
  models_.note_use(model->name);
  std::shared_ptr<TranslateReply> reply;
  if (wanted.stream)
    reply = std::make_shared<EventReply>(wanted, call.to);
  else
    reply = std::make_shared<WholeReply>(wanted, call.to);
  const auto receivers = receivers_of(reply, wanted.lines.size(), model->name);
  const bool streams = wanted.stream;
  enqueue(std::move(wanted), *model, receivers, ServeClock::now() + call.limits().time);
  if (streams) call.to.http->begin_events();
}

void HeedApi::attention(const ApiCall& call) {
  const AttentionRequest wanted =
      read_attention_request(call.request.body, call.models.offered, call.limits());
  const auto model = call.models.at(wanted.model->name);
  models_.note_use(model->name);
  attention_.answer(wanted, model, call.to);
}

}  // namespace heed
