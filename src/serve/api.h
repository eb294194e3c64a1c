// The paths of one family of clients: how their requests are read, and how they are answered.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "glossary/stemmer.h"
#include "request/serve_limits.h"
#include "request/translate_request.h"
#include "serve/form_body.h"
#include "serve/served_models.h"
#include "serve/translate_reply.h"

namespace heed {

struct ServiceOptions {
  ServeLimits limits;
  // One of which a request has to send. None: no token is needed, and the server listens on a
  // loopback address.
  std::vector<std::string> tokens{};
  // Origins of pages of other hosts whose requests are answered, "https://example.org"; "*": all.
  std::vector<std::string> origins{};
  // The way of glossaries that do not name one.
  GlossaryMatch glossary_match = GlossaryMatch::kExact;
};

// A request that is being answered.
struct ApiCall {
  const HttpRequest& request;
  const ReplyTo& to;
  const ModelLease& models;
  const ServiceOptions& options;
  const RequestFields& fields;  // of the body

  const ServeLimits& limits() const { return options.limits; }
  void send(const char* type, std::string text, HttpStatus status = HttpStatus::kOk) const;
  void send_json(const Json& json, HttpStatus status = HttpStatus::kOk) const;
};

struct ApiRoute {
  std::string path;    // "/v2/glossaries/*": * stands for a part without a slash
  std::string method;  // "GET" answers HEAD, too
  // Answers now or when the lines are translated. Throws HttpError, Error and ModelNotLoaded.
  std::function<void(const ApiCall&)> answer;
};

class Api {
 public:
  virtual ~Api() = default;
  virtual const std::vector<ApiRoute>& routes() const = 0;
  // False: the request is of another API that has the same path.
  virtual bool reads(const ApiCall&) const { return true; }
  // Throws HttpError unless the request bears one of the tokens.
  virtual void check_token(const ApiCall& call) const;
};

// The token of a header such as Authorization: SCHEME TOKEN; "" if there is none.
std::string bearer_token(const HttpRequest& request, std::string_view scheme);
// Compares in a time that does not depend on the position of a difference.
bool has_token(const ServiceOptions& options, const std::string& token);

// Puts the lines of a request into the queue of its model. Throws HttpError if the lines do not fit.
// is_accepted: the request was accepted before, so the number of lines that wait is no reason.
void enqueue(TranslateRequest request, const ServedModel& model,
             const TranslateReply::Receivers& receivers, ServeClock::time_point deadline,
             bool is_accepted = false);

}  // namespace heed
