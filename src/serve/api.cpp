#include "serve/api.h"

#include <strings.h>

#include "request/json.h"
#include "serve/page.h"
#include "serve/sentence_receivers.h"

namespace heed {

namespace {

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  if (a.empty()) return b.empty();
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < b.size(); ++i)
    difference |= static_cast<unsigned char>(a[i % a.size()] ^ b[i]);
  return difference == 0;
}

}  // namespace

std::string bearer_token(const HttpRequest& request, std::string_view scheme) {
  const std::string header = request.header("authorization");
  const std::string before = std::string(scheme) + " ";
  const bool is_it = strncasecmp(header.c_str(), before.c_str(), before.size()) == 0;
  return is_it ? header.substr(before.size()) : "";
}

bool has_token(const ServiceOptions& options, const std::string& token) {
  bool is_known = false;
  for (const std::string& one : options.tokens) is_known |= equal_in_constant_time(token, one);
  return is_known;
}

void Api::check_token(const ApiCall& call) const {
  if (!has_token(call.options, bearer_token(call.request, "Bearer")))
    throw_http_error(
        HttpStatus::kUnauthorized,
        "expected the header Authorization: Bearer TOKEN, with a token of this server");
}

void ApiCall::send(const char* type, std::string text, HttpStatus status) const {
  to.metrics->count_request(to.timer.path, static_cast<int>(status), to.timer.seconds());
  to.http->send(static_cast<int>(status), type, std::move(text), page_headers());
}

void ApiCall::send_json(const Json& json, HttpStatus status) const {
  send(kJsonType, json_text(json) + "\n", status);
}

void enqueue(TranslateRequest request, const ServedModel& model,
             const TranslateReply::Receivers& receivers, ServeClock::time_point deadline,
             bool is_accepted) {
  const auto how = std::make_shared<const LineOptions>(request.how);
  std::deque<QueuedLine> lines;
  SentenceRoom room;
  for (size_t i = 0; i < receivers.size(); ++i) {
    QueuedLine line{.line = std::move(request.lines[i]),
                    .text = request.text,
                    .number = static_cast<int64_t>(i) + 1,
                    .prefix = std::move(request.prefixes[i]),
                    .phrases = request.phrases,
                    .how = how,
                    .deadline = deadline,
                    .receiver = receivers[i]};
    for (QueuedLine& sentence : sentences_of(*model.text, std::move(line), room))
      lines.push_back(std::move(sentence));
  }
  if (!model.queue->add(std::move(lines), is_accepted))
    throw_http_error(HttpStatus::kTooManyRequests,
                     "{} lines wait for {} already; send the request again later",
                     model.queue->waiting(), model.name);
}

}  // namespace heed
