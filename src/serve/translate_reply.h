// The answer to a request for translations, which is made of those of its lines.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "request/http_error.h"
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

// Collects the translations of a request and sends the answer. Several threads translate the lines.
class TranslateReply {
 public:
  using Receivers = std::vector<std::shared_ptr<LineReceiver>>;

  // lines: number of lines of the request, of which there is one or more.
  TranslateReply(size_t lines, ReplyTo to)
      : to_(std::move(to)), left_(static_cast<int64_t>(lines)) {}
  virtual ~TranslateReply() = default;

  bool is_waiting() const { return !has_failed_ && !to_.http->is_gone(); }
  // True if beginning() is requested.
  virtual bool follows() const { return false; }
  void begun(size_t line, const std::string& text);
  void translated(size_t line, const TranslatedLine& translation);
  // Sends the error, unless an error was sent before.
  void failed(const HttpError& error);
  // Counts a line that a model has translated.
  void count_line(const std::string& model, const TranslatedLine& translation);

 protected:
  // Called by one thread at a time, and never after finish() or send_failure().
  virtual void beginning(size_t, const std::string&) {}
  // False: the memory is full.
  virtual bool add(size_t line, const TranslatedLine& translation) = 0;
  virtual void finish() = 0;
  virtual void send_failure(const HttpError& error);

  ReplyTo to_;

 private:
  void count(HttpStatus status);
  void fail(const HttpError& error);

  std::mutex mutex_;
  int64_t left_;
  std::atomic<bool> has_failed_ = false;
};

// The receiver of a line, which `model` translates.
std::shared_ptr<LineReceiver> receiver_of(std::shared_ptr<TranslateReply> reply, size_t line,
                                          const std::string& model);
// Receivers of the lines, from 0 on.
TranslateReply::Receivers receivers_of(const std::shared_ptr<TranslateReply>& reply, size_t lines,
                                       const std::string& model);

}  // namespace heed
