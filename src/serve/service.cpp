#include "serve/service.h"

#include <strings.h>

#include <algorithm>

#include "base/log.h"
#include "request/json.h"
#include "serve/error_reply.h"
#include "serve/origin.h"
#include "serve/page.h"
#include "serve/sentence_receivers.h"
#include "serve/translate_reply.h"

namespace heed {

namespace {

constexpr std::string_view kBearer = "Bearer ";  // in any case
constexpr const char* kTranslate = "/translate";
constexpr const char* kAttention = "/attention";
constexpr const char* kOpennmtTranslate = "/translator/translate";

// True for paths that need no token: the page and the health check.
bool is_public(const std::string& path) { return path == "/health" || find_page(path) != nullptr; }

// Compares in a time that does not depend on the position of a difference.
bool equal_in_constant_time(std::string_view a, std::string_view b) {
  if (a.empty()) return b.empty();
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < b.size(); ++i)
    difference |= static_cast<unsigned char>(a[i % a.size()] ^ b[i]);
  return difference == 0;
}

// Refuses compressed bodies, by their header or by the first bytes of gzip.
void check_encoding(const HttpRequest& request) {
  const std::string encoding = request.header("content-encoding");
  const bool is_plain = encoding.empty() || strcasecmp(encoding.c_str(), "identity") == 0;
  if (is_plain && !request.body.starts_with("\x1f\x8b")) return;
  throw_http_error(HttpStatus::kUnsupportedMedia,
                   "Content-Encoding: found {}, expected a body that is not compressed",
                   is_plain ? "gzip" : encoding.substr(0, 40));
}

}  // namespace

Service::Service(ServedModels models, ServiceOptions options)
    : models_(std::move(models)), options_(std::move(options)) {
  for (const ServedModel& model : models_.all())
    metrics_.add_gauge({.name = "heed_waiting_lines",
                        .help = "Lines that wait for a worker",
                        .model = model.name,
                        .value = [&model] { return static_cast<double>(model.queue->waiting()); }});
}

// Bodies are parsed in other threads than the server's; long and short bodies have separate
// threads.
void Service::handle(HttpRequest request, const std::shared_ptr<HttpReply>& reply) {
  constexpr size_t kShort = 16 << 10;
  const RequestTimer timer{.path = request.path};
  if (request.body.empty()) return handle_now(request, timer, reply);
  Background& reader = request.body.size() <= kShort ? short_bodies_ : long_bodies_;
  const auto shared = std::make_shared<const HttpRequest>(std::move(request));
  if (!reader.add([this, shared, timer, reply] { handle_now(*shared, timer, reply); }))
    handle_error(*shared, timer, reply,
                 {HttpStatus::kTooManyRequests,
                  "too many requests wait to be read; send the request again later"});
}

void Service::handle_now(const HttpRequest& request, const RequestTimer& timer,
                         const std::shared_ptr<HttpReply>& reply) {
  try {
    answer(request, reply);
  } catch (...) {
    handle_error(request, timer, reply, current_http_error());
  }
}

void Service::handle_error(const HttpRequest& request, const RequestTimer& timer,
                           const std::shared_ptr<HttpReply>& reply, const HttpError& error) {
  record_failure(request.path, error, timer.seconds());
  send_error(*reply, error);
}

// A path that nobody serves is the client's invention.
void Service::record_failure(const std::string& path, const HttpError& error, double seconds) {
  const bool is_known = find_page(path) != nullptr || find_route(path) != nullptr;
  metrics_.count_request(is_known ? path : "other", static_cast<int>(error.status()), seconds);
  failures_.add(path, error);
}

void Service::check_token(const HttpRequest& request) const {
  if (options_.tokens.empty()) return;
  const std::string header = request.header("authorization");
  const bool is_bearer = strncasecmp(header.c_str(), kBearer.data(), kBearer.size()) == 0;
  const std::string given = is_bearer ? header.substr(kBearer.size()) : "";
  bool is_known = false;
  for (const std::string& token : options_.tokens) is_known |= equal_in_constant_time(given, token);
  if (!is_known)
    throw_http_error(
        HttpStatus::kUnauthorized,
        "expected the header Authorization: Bearer TOKEN, with a token of this server");
}

ReplyTo Service::reply_to(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply) {
  return {
      .http = reply, .metrics = &metrics_, .failures = &failures_, .timer = {.path = request.path}};
}

void Service::translate(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply) {
  const bool is_opennmt = request.path == kOpennmtTranslate;
  TranslateRequest wanted =
      is_opennmt ? read_opennmt_request(request.body, models_.offered(), options_.limits)
                 : read_translate_request(request.body, models_.offered(), options_.limits);
  ReplyTo to = reply_to(request, reply);
  const auto receivers =
      is_opennmt ? opennmt_receivers(wanted, std::move(to)) : json_receivers(wanted, std::move(to));
  const auto how = std::make_shared<const LineOptions>(wanted.how);
  const auto deadline = ServeClock::now() + options_.limits.time;
  std::deque<QueuedLine> lines;
  SentenceRoom room;
  for (size_t i = 0; i < receivers.size(); ++i) {
    QueuedLine line{.line = std::move(wanted.lines[i]),
                    .number = static_cast<int64_t>(i) + 1,
                    .prefix = std::move(wanted.prefixes[i]),
                    .phrases = wanted.phrases,
                    .how = how,
                    .deadline = deadline,
                    .receiver = receivers[i]};
    for (QueuedLine& sentence : sentences_of(*wanted.model->text, std::move(line), room))
      lines.push_back(std::move(sentence));
  }
  TranslationQueue& queue = *models_.of(*wanted.model).queue;
  if (!queue.add(std::move(lines)))
    throw_http_error(HttpStatus::kTooManyRequests,
                     "{} lines wait for {} already; send the request again later", queue.waiting(),
                     wanted.model->name);
  if (wanted.stream) reply->begin_events();
}

std::string Service::models_json() const {
  Json models = Json::array();
  for (const ServedModel& model : models_.all()) models.push_back(model_json(model));
  const ServeLimits& limits = options_.limits;
  return json_text({{"models", models},
                    {"limits",
                     {{"texts", limits.texts},
                      {"characters", limits.characters},
                      {"beam", limits.beam}}}}) +
         "\n";
}

std::string Service::opennmt_models_json() const {
  Json models = Json::array();
  for (const ServedModel& model : models_.all())
    models.push_back({{"model_id", models.size()},
                      {"model", model.name},
                      {"status", "ready"},
                      {"loaded", true}});
  return json_text(models) + "\n";
}

void Service::answer(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply) {
  check_origin(request, options_.tokens.empty());
  const PageFile* page = find_page(request.path);
  const Route* route = find_route(request.path);
  if (page == nullptr && route == nullptr)
    throw_http_error(HttpStatus::kNotFound, "{}: no such path; docs/serving.md lists them",
                     request.path);
  const std::string method = page != nullptr ? "GET" : route->method;
  if (request.method != method && !(method == "GET" && request.method == "HEAD"))
    throw_http_error(HttpStatus::kMethodNotAllowed, "{}: found {}, expected {}", request.path,
                     request.method, method);
  if (!is_public(request.path)) check_token(request);
  check_encoding(request);
  if (page != nullptr)
    send_text(request, *reply, page->type, std::string(page->content));
  else
    (this->*route->answer)(request, reply);
}

void Service::send_text(const HttpRequest& request, HttpReply& reply, const char* type,
                        std::string text) {
  metrics_.count_request(request.path, static_cast<int>(HttpStatus::kOk), 0);
  reply.send(static_cast<int>(HttpStatus::kOk), type, std::move(text), page_headers());
}

void Service::attention(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply) {
  const AttentionRequest wanted =
      read_attention_request(request.body, models_.offered(), options_.limits);
  attention_.answer(wanted, models_.of(*wanted.model), reply_to(request, reply));
}

void Service::models(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply) {
  send_text(request, *reply, kJsonType, models_json());
}

void Service::opennmt_models(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply) {
  send_text(request, *reply, kJsonType, opennmt_models_json());
}

void Service::health(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply) {
  send_text(request, *reply, kJsonType, "{\"status\":\"ok\"}\n");
}

void Service::metrics(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply) {
  send_text(request, *reply, "text/plain; version=0.0.4", metrics_.text());
}

const Service::Route* Service::find_route(const std::string& path) {
  static const std::vector<Route> routes = {
      {kTranslate, "POST", &Service::translate},
      {kAttention, "POST", &Service::attention},
      {"/models", "GET", &Service::models},
      {"/health", "GET", &Service::health},
      {"/metrics", "GET", &Service::metrics},
      {kOpennmtTranslate, "POST", &Service::translate},
      {"/translator/models", "GET", &Service::opennmt_models},
  };
  const auto found = std::ranges::find(routes, path, &Route::path);
  return found == routes.end() ? nullptr : &*found;
}

}  // namespace heed
