#include "serve/attention_service.h"

#include <cmath>

#include "base/error.h"
#include "request/json.h"
#include "serve/error_reply.h"

namespace heed {

namespace {

// A map has a weight for each pair of tokens, layer and head: of source and target, and of each with
// itself. A target that is still to be found counts as long as the source.
void check_size(const AttentionRequest& request) {
  constexpr size_t kTokens = 400, kPairs = 20'000;
  size_t source = 0;
  for (size_t i = 0; i < request.model->text->sources.size(); ++i)
    source = std::max(source, request.model->text->source_codec(i).encode(request.line[i]).size());
  const size_t given = request.model->text->target_codec().encode(request.target).size();
  const size_t target = given > 0 ? given : source;
  if (std::max(source, target) > kTokens || source * target > kPairs)
    throw_http_error(HttpStatus::kUnprocessable,
                     "{} source tokens, {} target tokens; maps of more than {} tokens, or of more "
                     "than {} pairs of source and target, are not drawn",
                     source, target, kTokens, kPairs);
}

Json json_of(const AttentionMap& map) {
  Json json{{"name", map.name},     {"rows", map.rows},     {"columns", map.columns},
            {"source", map.source}, {"target", map.target}, {"weights", Json::array()}};
  for (const auto& row : map.weights) {
    Json& weights = json["weights"].emplace_back(Json::array());
    for (const double weight : row) weights.push_back(std::round(weight * 1e4) / 1e4);
  }
  return json;
}

const AttentionMapsSource& maps_of(const ServedModel& model) try {
  return model.attention->get();
} catch (const Error& error) {
  throw server_failure(error.what());
}

// Parts of the reply's body.
std::vector<std::string> body_of(const AttentionRequest& request, const ServedModel& model,
                                 HttpReply& reply) {
  check_size(request);
  std::vector<std::string> body = {"{\"maps\":["};
  for (const AttentionMap& map : maps_of(model).maps(request.line, request.target)) {
    if (body.size() > 1) body.push_back(",");
    body.push_back(json_text(json_of(map)));
    if (!reply.reserve(std::ssize(body.back())))
      throw_http_error(HttpStatus::kTooManyRequests,
                       "the answers of all requests take all memory (--max-memory); send less "
                       "text, or send the request again later");
  }
  body.push_back("]}\n");
  return body;
}

}  // namespace

void AttentionService::answer(const AttentionRequest& request, const Model& model, ReplyTo to) {
  const bool is_taken = background_.add([request, model, to = std::move(to)] {
    const auto count = [&](HttpStatus status) {
      to.metrics->count_request(to.timer.path, static_cast<int>(status), to.timer.seconds());
    };
    try {
      std::vector<std::string> parts = body_of(request, *model, *to.http);
      count(HttpStatus::kOk);
      to.http->send_parts(static_cast<int>(HttpStatus::kOk), kJsonType, std::move(parts));
    } catch (...) {
      const HttpError error = current_http_error();
      count(error.status());
      to.failures->add(to.timer.path, error);
      send_error(*to.http, error, to.timer.path);
    }
  });
  if (!is_taken)
    throw_http_error(HttpStatus::kTooManyRequests,
                     "{} requests for attention wait already; send it again later", kWaiting);
}

}  // namespace heed
