#include "serve/service.h"

#include <strings.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/log.h"
#include "serve/deepl_api.h"
#include "serve/error_reply.h"
#include "serve/heed_api.h"
#include "serve/libretranslate_api.h"
#include "serve/opennmt_api.h"
#include "serve/origin.h"
#include "serve/page.h"

namespace heed {

namespace {

// True for paths that need no token: the page and the health check.
bool is_public(const std::string& path) { return path == "/health" || find_page(path) != nullptr; }

// Refuses compressed bodies, by their header or by the first bytes of gzip.
void check_encoding(const HttpRequest& request) {
  const std::string encoding = request.header("content-encoding");
  const bool is_plain = encoding.empty() || strcasecmp(encoding.c_str(), "identity") == 0;
  if (is_plain && !request.body.starts_with("\x1f\x8b")) return;
  throw_http_error(HttpStatus::kUnsupportedMedia,
                   "Content-Encoding: found {}, expected a body that is not compressed",
                   is_plain ? "gzip" : encoding.substr(0, 40));
}

// pattern: * stands for a part without a slash.
bool matches(std::string_view pattern, std::string_view path) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == path;
  if (!path.starts_with(pattern.substr(0, star))) return false;
  const size_t end = std::min(path.find('/', star), path.size());
  return end > star && pattern.substr(star + 1) == path.substr(end);
}

std::vector<std::unique_ptr<Api>> make_apis(ServedModels& models, const ServiceMetrics& metrics) {
  std::vector<std::unique_ptr<Api>> apis;
  // Its translations have the path of heed's.
  apis.push_back(std::make_unique<LibreTranslateApi>(models));
  apis.push_back(std::make_unique<HeedApi>(models, metrics));
  apis.push_back(std::make_unique<OpennmtApi>(models));
  apis.push_back(std::make_unique<DeeplApi>(models));
  return apis;
}

}  // namespace

Service::Service(std::unique_ptr<ServedModels> models, ServiceOptions options)
    : models_(std::move(models)),
      options_(std::move(options)),
      apis_(make_apis(*models_, metrics_)) {
  metrics_.add_gauge({.name = "heed_waiting_lines",
                      .help = "Lines that wait for a worker",
                      .values = [this] { return models_->waiting_lines(); }});
}

// Bodies are parsed in other threads than the server's; long and short bodies have separate
// threads.
void Service::handle(HttpRequest request, const std::shared_ptr<HttpReply>& reply) {
  constexpr size_t kShort = 16 << 10;
  const RequestTimer timer{.path = request.path};
  const auto shared = std::make_shared<const HttpRequest>(std::move(request));
  if (shared->body.empty()) return handle_now(shared, timer, reply);
  Background& reader = shared->body.size() <= kShort ? short_bodies_ : long_bodies_;
  if (!reader.add([this, shared, timer, reply] { handle_now(shared, timer, reply); }))
    handle_error(timer, reply,
                 {HttpStatus::kTooManyRequests,
                  "too many requests wait to be read; send the request again later"});
}

void Service::handle_now(const std::shared_ptr<const HttpRequest>& request,
                         const RequestTimer& timer, const std::shared_ptr<HttpReply>& reply) {
  const ReplyTo to{.http = reply,
                   .metrics = &metrics_,
                   .failures = &failures_,
                   .timer = {.path = label_of(request->path), .begun = timer.begun}};
  try {
    answer(*request, to);
  } catch (const ModelNotLoaded& missing) {
    const auto load = [this, request, to, name = missing.name()] {
      answer_after_loading(name, *request, to);
    };
    if (!loader_.add(load))
      handle_error(timer, reply,
                   {HttpStatus::kTooManyRequests,
                    "too many requests wait for models; send the request again later"});
  } catch (...) {
    handle_error(timer, reply, current_http_error());
  }
}

// Each turn loads a model that the request keeps, so there are no more turns than models.
void Service::answer_after_loading(std::string name, const HttpRequest& request,
                                   const ReplyTo& to) try {
  std::vector<std::shared_ptr<const ServedModel>> kept;
  for (;;) {
    if (to.http->is_gone())
      throw HttpError(HttpStatus::kClientClosed, "the client has closed the connection");
    if (to.timer.seconds() > std::chrono::duration<double>(options_.limits.time).count())
      throw_http_error(HttpStatus::kTimeout, "{}: was not loaded in time", name);
    try {
      kept.push_back(models_->load(name, kept));
    } catch (const Error& error) {
      throw HttpError(HttpStatus::kUnavailable,
                      fmt::format("{}: the model cannot be loaded; the log says why", name),
                      fmt::format("{}: {}", name, error.what()));
    }
    try {
      return answer(request, to);
    } catch (const ModelNotLoaded& missing) {
      name = missing.name();
    }
  }
} catch (...) {
  handle_error({.path = request.path, .begun = to.timer.begun}, to.http, current_http_error());
}

void Service::handle_error(const RequestTimer& timer, const std::shared_ptr<HttpReply>& reply,
                           const HttpError& error) {
  record_failure(timer.path, error, timer.seconds());
  send_error(*reply, error, timer.path);
}

void Service::record_failure(const std::string& path, const HttpError& error, double seconds) {
  metrics_.count_request(label_of(path), static_cast<int>(error.status()), seconds);
  failures_.add(path, error);
}

std::vector<Service::Found> Service::find_routes(const std::string& path) const {
  std::vector<Found> found;
  for (const auto& api : apis_)
    for (const ApiRoute& route : api->routes())
      if (matches(route.path, path)) found.push_back({api.get(), &route});
  return found;
}

// A path that nobody serves is the client's invention.
std::string Service::label_of(const std::string& path) const {
  if (find_page(path) != nullptr) return path;
  const std::vector<Found> found = find_routes(path);
  return found.empty() ? "other" : found.front().route->path;
}

Service::Found Service::route_of(const ApiCall& call) const {
  const HttpRequest& request = call.request;
  const std::vector<Found> found = find_routes(request.path);
  if (found.empty())
    throw_http_error(HttpStatus::kNotFound, "{}: no such path; docs/serving.md lists them",
                     request.path);
  std::set<std::string> methods;
  for (const auto& [api, route] : found) {
    const bool is_method =
        request.method == route->method || (request.method == "HEAD" && route->method == "GET");
    if (is_method && api->reads(call)) return {api, route};
    if (!is_method) methods.insert(route->method);
  }
  throw_http_error(HttpStatus::kMethodNotAllowed, "{}: found {}, expected {}", request.path,
                   request.method, fmt::join(methods, " or "));
}

void Service::answer(const HttpRequest& request, const ReplyTo& to) {
  const bool is_of_other_page = has_allowed_origin(request, options_.origins);
  if (is_of_other_page) to.http->add_headers(headers_for_origin(request));
  check_origin(request, options_.tokens.empty(), options_.origins);
  const RequestFields fields(request, options_.limits);
  const ModelLease models = models_->lease();
  const ApiCall call{
      .request = request, .to = to, .models = models, .options = options_, .fields = fields};
  if (is_of_other_page && request.method == "OPTIONS")
    return call.send("text/plain", "", HttpStatus::kNoContent);
  if (const PageFile* page = find_page(request.path)) {
    if (request.method != "GET" && request.method != "HEAD")
      throw_http_error(HttpStatus::kMethodNotAllowed, "{}: found {}, expected GET", request.path,
                       request.method);
    return call.send(page->type, std::string(page->content));
  }
  const Found found = route_of(call);
  if (!options_.tokens.empty() && !is_public(request.path)) found.api->check_token(call);
  check_encoding(request);
  found.route->answer(call);
}

}  // namespace heed
