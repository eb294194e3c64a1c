// A server in this process, with a model of three words.
#pragma once

#include <gmock/gmock.h>

#include <memory>
#include <string>

#include "cli/http_client.h"
#include "serve/http_server.h"
#include "serve/service.h"
#include "serve/test_lines.h"

namespace heed {

inline ServedModel small_model(const std::string& name, MemoryBudget& memory,
                               const ServeLimits& limits) {
  ServedModel model;
  model.name = name;
  model.text = std::make_shared<const TextModel>(TestLines().model);
  model.joins = std::make_shared<const WordJoins>();
  model.pairs = language_pairs(name, {});
  model.attention =
      std::make_unique<AttentionMapsOnUse>([]() -> std::unique_ptr<AttentionMapsSource> {
        throw Error(ErrorKind::kModel, "/srv/toy: there are no maps");
      });
  model.queue = std::make_unique<TranslationQueue>(
      model.text,
      QueueOptions{
          .batch = 16, .capacity = limits.queue, .weights = limits.weights(), .memory = memory});
  return model;
}

inline const HttpHeaders kFormType = {{"Content-Type", "application/x-www-form-urlencoded"}};

struct SmallServerOptions {
  ServeLimits limits{};
  std::vector<std::string> tokens{};
  std::vector<std::string> models = {"toy"};
  std::vector<std::string> origins{};
  bool may_pivot = true;
  double model_memory = 1e9;
};

inline std::unique_ptr<ServedModels> small_models(MemoryBudget& memory,
                                                  const SmallServerOptions& options) {
  auto models = std::make_unique<ServedModels>(options.may_pivot, options.model_memory);
  for (const std::string& name : options.models)
    models->add(small_model(name, memory, options.limits));
  return models;
}

// Listens on a free port for as long as it lives.
class SmallServer {
 public:
  explicit SmallServer(const ServeLimits& limits = {})
      : SmallServer(SmallServerOptions{.limits = limits}) {}
  explicit SmallServer(const SmallServerOptions& options)
      : messages_(options.limits.memory / 4),
        lines_(options.limits.memory / 4 * 3),
        service_(small_models(lines_, options),
                 {.limits = options.limits, .tokens = options.tokens, .origins = options.origins}),
        http_({.port = 0, .body = options.limits.body, .memory = messages_},
              [this](HttpRequest request, std::shared_ptr<HttpReply> reply) {
                service_.handle(std::move(request), reply);
              }) {}

  uint16_t port() const { return static_cast<uint16_t>(http_.port()); }
  HttpAnswer ask(const std::string& method, const std::string& path, const std::string& body = "",
                 const HttpHeaders& headers = {}) const {
    const Connection connection(port());
    connection.send(http_request(method, path, body, headers));
    return parse_answer(connection.receive());
  }
  HttpAnswer post(const nlohmann::json& body, const std::string& path = "/translate") const {
    return ask("POST", path, body.dump());
  }
  void expect_error(const nlohmann::json& body, int status, const std::string& message,
                    const std::string& path = "/translate") const {
    const HttpAnswer answer = post(body, path);
    EXPECT_EQ(answer.status, status) << answer.body;
    EXPECT_THAT(answer.body, testing::HasSubstr(message));
  }
  ServedModels& models() { return service_.models(); }
  MemoryBudget& line_memory() { return lines_; }
  // Bytes that requests have reserved.
  int64_t memory() const { return messages_.used() + lines_.used(); }

 private:
  MemoryBudget messages_, lines_;
  Service service_;
  HttpServer http_;
};

}  // namespace heed
