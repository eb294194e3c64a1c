// The server: it finds the API of a request, checks who may ask, and answers failures.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "serve/api.h"
#include "serve/background.h"
#include "serve/failure_log.h"
#include "serve/http_exchange.h"
#include "serve/served_models.h"
#include "serve/service_metrics.h"

namespace heed {

class Service {
 public:
  Service(std::unique_ptr<ServedModels> models, ServiceOptions options);
  // Answers a request, now, when it is read or when its lines are translated. Takes no time.
  void handle(HttpRequest request, const std::shared_ptr<HttpReply>& reply);
  // Counts and logs a request that is answered with an error, by the HTTP server too.
  void record_failure(const std::string& path, const HttpError& error, double seconds = 0);
  void add_gauge(Gauge gauge) { metrics_.add_gauge(std::move(gauge)); }
  ServedModels& models() { return *models_; }

 private:
  struct Found {
    const Api* api;
    const ApiRoute* route;
  };
  // The routes of a path, of any method and API.
  std::vector<Found> find_routes(const std::string& path) const;
  // The path of a request for metrics: that of its route; "other": nobody has it.
  std::string label_of(const std::string& path) const;
  // Throws HttpError.
  Found route_of(const ApiCall& call) const;

  void handle_now(const std::shared_ptr<const HttpRequest>& request, const RequestTimer& timer,
                  const std::shared_ptr<HttpReply>& reply);
  // Loads the model of this name, and others that the request needs, and answers it.
  void answer_after_loading(std::string name, const HttpRequest& request, const ReplyTo& to);
  void handle_error(const RequestTimer& timer, const std::shared_ptr<HttpReply>& reply,
                    const HttpError& error);
  void answer(const HttpRequest& request, const ReplyTo& to);

  // These outlive the queues of the models, which use them until they are empty.
  ServiceMetrics metrics_;
  FailureLog failures_;
  const std::unique_ptr<ServedModels> models_;
  const ServiceOptions options_;
  const std::vector<std::unique_ptr<Api>> apis_;
  // Members whose threads use the others stand last. The memory of requests that wait is limited.
  static constexpr size_t kWaiting = 10'000;
  Background loader_{kWaiting};
  Background short_bodies_{kWaiting}, long_bodies_{kWaiting};
};

}  // namespace heed
