// The lines of all requests to one model. Each worker searches many lines together, which enter and
// leave its batch one by one, so that lines of different requests share the products.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "serve/http_error.h"
#include "serve/throttle.h"
#include "translate/line_translation.h"

namespace heed {

using ServeClock = std::chrono::steady_clock;

// Who waits for a line. Called from the workers, at most one of them at a time; translated() or
// failed() is the last call, and comes once. None of them throws anything but std::bad_alloc.
class LineReceiver {
 public:
  virtual ~LineReceiver() = default;
  // False: nobody wants the line any more.
  virtual bool is_waiting() = 0;
  // Whether beginning() is wanted.
  virtual bool follows() const = 0;
  // The best translation so far.
  virtual void beginning(const std::string& text) = 0;
  virtual void translated(const Translation& translation) = 0;
  virtual void failed(const HttpError& error) = 0;
};

struct QueuedLine {
  SourceLine line;
  int64_t number = 1, sentence = 0;  // of the line, and in it
  LexicalConstraints constraints{};
  std::shared_ptr<const LineOptions> how;
  ServeClock::time_point deadline;
  std::shared_ptr<LineReceiver> receiver;

  // Why the line is not translated any more: its client is gone, or it is late, with this advice.
  std::optional<HttpError> reason_to_drop(const char* advice) const;
};

struct QueueOptions {
  int64_t batch = 64;       // lines that a worker searches together
  int64_t workers = 1;      // threads
  int64_t capacity = 1024;  // lines that wait
};

class TranslationQueue {
 public:
  TranslationQueue(TextModel model, const QueueOptions& options);
  ~TranslationQueue();  // once all lines are translated
  TranslationQueue(const TranslationQueue&) = delete;
  TranslationQueue& operator=(const TranslationQueue&) = delete;

  const TextModel& model() const { return model_; }
  // Takes all lines of a request, or none if they do not fit. Lines that would not fit in an empty
  // queue are taken by an empty one. Waiting requests take turns, a line each.
  bool add(std::deque<QueuedLine> lines);
  int64_t waiting() const;

 private:
  struct WaitingRequest {
    std::deque<QueuedLine> lines;        // never none
    std::optional<HttpError> failure{};  // why they are not translated
  };

  void work();
  // Up to `room` lines; waits for one if `may_wait`. Lines of clients that are gone and lines that
  // are late fail here.
  std::vector<QueuedLine> take(size_t room, bool may_wait);
  std::list<WaitingRequest> remove_dropped();
  QueuedLine next_line();

  const TextModel model_;
  const QueueOptions options_;
  const std::unique_ptr<DecodingThreads> threads_of_engine_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::list<WaitingRequest> requests_;  // the one whose turn it is first
  int64_t waiting_ = 0;                 // their lines
  Throttle throttle_;                   // of remove_dropped()
  bool has_ended_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace heed
