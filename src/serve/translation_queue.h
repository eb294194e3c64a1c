// The lines of all requests to one model. Each worker searches many lines together, which enter and
// leave its batch one by one, so that lines of different requests share the products.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "serve/http_error.h"
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
  int64_t number = 1;
  LexicalConstraints constraints{};
  std::shared_ptr<const LineOptions> how;
  ServeClock::time_point deadline;
  std::shared_ptr<LineReceiver> receiver;
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
  // Takes all of the lines, or none if they do not fit. Lines of one request that would not fit in an
  // empty queue are taken by an empty one.
  bool add(std::vector<QueuedLine> lines);
  int64_t waiting() const;

 private:
  void work();
  // Up to `room` lines; waits for one if `may_wait`. Lines that are too late fail here.
  std::vector<QueuedLine> take(size_t room, bool may_wait);
  std::vector<QueuedLine> remove_late();

  const TextModel model_;
  const QueueOptions options_;
  const std::unique_ptr<DecodingThreads> threads_of_engine_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<QueuedLine> lines_;
  bool has_ended_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace heed
