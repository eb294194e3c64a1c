// The paths of the server: translation, models, health, metrics and the page.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "request/serve_limits.h"
#include "serve/attention_service.h"
#include "serve/background.h"
#include "serve/failure_log.h"
#include "serve/http_exchange.h"
#include "serve/served_models.h"
#include "serve/service_metrics.h"

namespace heed {

struct ServiceOptions {
  ServeLimits limits;
  // One of which a request has to send. None: no token is needed, and the server listens on a
  // loopback address.
  std::vector<std::string> tokens;
};

class Service {
 public:
  Service(ServedModels models, ServiceOptions options);
  // Answers a request, now, when it is read or when its lines are translated. Takes no time.
  void handle(HttpRequest request, const std::shared_ptr<HttpReply>& reply);
  // Counts and logs a request that is answered with an error, by the HTTP server too.
  void record_failure(const std::string& path, const HttpError& error, double seconds = 0);
  void add_gauge(Gauge gauge) { metrics_.add_gauge(std::move(gauge)); }

 private:
  // A path with its method and who answers it.
  struct Route {
    std::string path, method;
    void (Service::*answer)(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply);
  };
  static const Route* find_route(const std::string& path);  // null if there is none

  void handle_now(const HttpRequest& request, const RequestTimer& timer,
                  const std::shared_ptr<HttpReply>& reply);
  void handle_error(const HttpRequest& request, const RequestTimer& timer,
                    const std::shared_ptr<HttpReply>& reply, const HttpError& error);
  void answer(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply);
  void check_token(const HttpRequest& request) const;
  ReplyTo reply_to(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply);
  void send_text(const HttpRequest& request, HttpReply& reply, const char* type, std::string text);

  void translate(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply);
  void attention(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply);
  void models(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply);
  void opennmt_models(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply);
  void health(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply);
  void metrics(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply);

  std::string models_json() const;
  std::string opennmt_models_json() const;

  // These outlive the queues of the models, which use them until they are empty.
  ServiceMetrics metrics_;
  FailureLog failures_;
  const ServedModels models_;
  const ServiceOptions options_;
  AttentionService attention_;
  // Members whose threads use the others stand last. The memory of requests that wait is limited.
  static constexpr size_t kWaiting = 10'000;
  Background short_bodies_{kWaiting}, long_bodies_{kWaiting};
};

}  // namespace heed
