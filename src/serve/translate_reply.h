// Collects the translations of a request and sends the answer: as one body, or as events during the
// search.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "request/http_error.h"
#include "request/translate_request.h"
#include "serve/failure_log.h"
#include "serve/http_exchange.h"
#include "serve/service_metrics.h"
#include "serve/translation_queue.h"

namespace heed {

// Destination of the answer, with the counts and the log of failures.
struct ReplyTo {
  std::shared_ptr<HttpReply> http;
  ServiceMetrics* metrics;
  FailureLog* failures;
  RequestTimer timer;
};

// A receiver for each line of the request. The body is {"model": "en-de", "lines": [{"line": 1,
// "translations": […]}, …]}, with each line as in `heed translate --format json`, and with
// "source_tokens" and "attention" if requested. The events, which the caller begins, are
// `beginning` with {"line", "text"}, `line` with the object of a line, and finally `done` or
// `error`.
std::vector<std::shared_ptr<LineReceiver>> json_receivers(const TranslateRequest& request,
                                                          ReplyTo reply);

// Answers like OpenNMT-py's server: [[{"src", "tgt", "n_best", "pred_score"}, …]], with a list for
// each rank up to n_best.
std::vector<std::shared_ptr<LineReceiver>> opennmt_receivers(const TranslateRequest& request,
                                                             ReplyTo reply);

}  // namespace heed
