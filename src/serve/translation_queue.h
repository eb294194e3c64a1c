// The lines of all requests to one model. Each worker searches many lines together. Lines enter and
// leave its batches one by one, so that lines of different requests share matrix products.
#pragma once

#include <array>
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

#include "request/http_error.h"
#include "serve/line_kind.h"
#include "serve/memory_budget.h"
#include "serve/throttle.h"
#include "translate/line_translation.h"

namespace heed {

using ServeClock = std::chrono::steady_clock;

// Receiver of the result of a line. Called by the workers, by one at a time. translated() or
// failed() is the last call and occurs once. The functions throw only std::bad_alloc.
class LineReceiver {
 public:
  virtual ~LineReceiver() = default;
  // False: the result is not needed any longer.
  virtual bool is_waiting() = 0;
  // True if beginning() is requested.
  virtual bool follows() const = 0;
  // Gets the best translation so far.
  virtual void beginning(const std::string& text) = 0;
  virtual void translated(const TranslatedLine& translation) = 0;
  virtual void failed(const HttpError& error) = 0;
};

struct QueuedLine {
  SourceLine line;
  std::shared_ptr<const TextModel>
      text{};                        // the model in the direction of the line; nullptr: as it is
  int64_t number = 1, sentence = 0;  // of the line, and in it
  std::string prefix{};
  // Constraints of all lines of a request, without the prefix; nullptr: none.
  std::shared_ptr<const LexicalConstraints> phrases{};
  std::shared_ptr<const LineOptions> how;
  ServeClock::time_point deadline;
  std::shared_ptr<LineReceiver> receiver;

  // The constraints of this line, with its prefix.
  LexicalConstraints constraints() const;
  // Reason to stop the translation: the client is gone, or the deadline has passed. advice: ends
  // the message of the latter.
  std::optional<HttpError> reason_to_drop(const char* advice) const;
};

struct QueueOptions {
  int64_t batch = 64;           // lines of the usual search that a worker searches together
  int64_t workers = 1;          // threads
  int64_t capacity = 1024;      // lines that wait
  SearchConfig usual{};         // for a request without search settings
  int64_t weights = 4'000'000;  // of attention, of the translations of a line
  MemoryBudget& memory;         // of all lines in a search
};

class LineLanes;

class TranslationQueue {
 public:
  TranslationQueue(std::shared_ptr<const TextModel> model, const QueueOptions& options);
  ~TranslationQueue();  // once all lines are translated
  TranslationQueue(const TranslationQueue&) = delete;
  TranslationQueue& operator=(const TranslationQueue&) = delete;

  // Takes all lines of a request, or none if they do not fit. An empty queue takes any number of
  // lines. Waiting requests take turns by the work of their lines. Lines of each kind (line_cost.h)
  // wait only for lines of the same kind.
  // are_accepted: lines of a request that was accepted, which find room.
  bool add(std::deque<QueuedLine> lines, bool are_accepted = false);
  int64_t waiting() const;

 private:
  // The lines of one kind in a request.
  struct WaitingRequest {
    std::deque<QueuedLine> lines{};      // never empty
    double work = 0;                     // of the lines taken, compared with other requests
    bool has_begun = false;              // a line was taken
    std::optional<HttpError> failure{};  // reason why they are not translated
  };
  struct WaitingKind {
    std::list<WaitingRequest> requests{};
    double work = 0;    // WaitingRequest::work of the request that was served last
    int64_t lines = 0;  // of all requests
  };

  void work();
  // Takes the lines that find room, by kind; waits for one if `may_wait`. Fails lines whose client
  // is gone or whose deadline has passed.
  std::vector<QueuedLine> take(const LineLanes& lanes, bool may_wait);
  std::list<WaitingRequest> remove_dropped();
  // Takes up to `most` lines of a kind.
  void take_lines(WaitingKind& kind, BatchRoom room, int64_t most, std::vector<QueuedLine>& taken);
  QueuedLine next_line(WaitingKind& kind, std::list<WaitingRequest>::iterator request);

  const std::shared_ptr<const TextModel> model_;
  const QueueOptions options_;
  const std::unique_ptr<DecodingThreads> threads_of_engine_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::array<WaitingKind, kLineKinds> kinds_;  // by LineKind
  int64_t waiting_ = 0;                        // lines of all kinds
  Throttle throttle_;                          // of remove_dropped()
  bool has_ended_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace heed
