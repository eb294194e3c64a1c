#include "serve/translation_queue.h"

#include <algorithm>

#include "base/error.h"
#include "serve/line_batch.h"

namespace heed {

TranslationQueue::TranslationQueue(TextModel model, const QueueOptions& options)
    : model_(std::move(model)), options_(options), threads_of_engine_(model_.engine->threads()) {
  HEED_CHECK(options_.batch > 0 && options_.workers > 0 && options_.capacity > 0);
  for (int64_t i = 0; i < options_.workers; ++i) workers_.emplace_back([this] { work(); });
}

TranslationQueue::~TranslationQueue() {
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
  }
  changed_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

std::optional<HttpError> QueuedLine::reason_to_drop(const char* advice) const {
  if (!receiver->is_waiting())
    return HttpError{HttpStatus::kClientClosed, "the client has closed the connection"};
  if (ServeClock::now() > deadline)
    return HttpError{HttpStatus::kTimeout, fmt::format("not translated in time; {}", advice)};
  return std::nullopt;
}

bool TranslationQueue::add(std::deque<QueuedLine> lines) {
  HEED_CHECK(!lines.empty());
  {
    const std::lock_guard lock(mutex_);
    const int64_t waiting = waiting_ + std::ssize(lines);
    if (waiting > options_.capacity && waiting_ > 0) return false;
    requests_.push_back({.lines = std::move(lines)});
    waiting_ = waiting;
  }
  changed_.notify_all();
  return true;
}

int64_t TranslationQueue::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_;
}

std::list<TranslationQueue::WaitingRequest> TranslationQueue::remove_dropped() {
  std::list<WaitingRequest> dropped;
  if (!throttle_.is_due()) return dropped;
  for (auto next = requests_.begin(); next != requests_.end();) {
    const auto request = next++;
    request->failure = request->lines.front().reason_to_drop("the server is busy");
    if (!request->failure) continue;
    waiting_ -= std::ssize(request->lines);
    dropped.splice(dropped.end(), requests_, request);
  }
  return dropped;
}

QueuedLine TranslationQueue::next_line() {
  std::deque<QueuedLine>& lines = requests_.front().lines;
  QueuedLine line = std::move(lines.front());
  lines.pop_front();
  --waiting_;
  if (lines.empty())
    requests_.pop_front();
  else
    requests_.splice(requests_.end(), requests_, requests_.begin());
  return line;
}

std::vector<QueuedLine> TranslationQueue::take(size_t room, bool may_wait) {
  std::list<WaitingRequest> dropped;
  std::vector<QueuedLine> taken;
  {
    std::unique_lock lock(mutex_);
    if (may_wait) changed_.wait(lock, [&] { return has_ended_ || waiting_ > 0; });
    dropped = remove_dropped();
    // What waits is divided among the workers.
    const size_t share = (static_cast<size_t>(waiting_) + workers_.size() - 1) / workers_.size();
    for (size_t count = std::min(room, share); count > 0; --count) taken.push_back(next_line());
  }
  for (const WaitingRequest& request : dropped) {
    for (const QueuedLine& line : request.lines) line.receiver->failed(*request.failure);
  }
  return taken;
}

void TranslationQueue::work() {
  threads_of_engine_->enter();
  const auto room = static_cast<size_t>(options_.batch);
  // Lines whose attention weights are wanted are searched apart: they cost the others nothing.
  LineBatch plain(model_, room, false), attending(model_, room, true);
  while (true) {
    const size_t busy = plain.size() + attending.size();
    for (QueuedLine& line : take(room - std::min(room, busy), busy == 0)) {
      LineBatch& batch = LineBatch::needs_attention(line) ? attending : plain;
      batch.add(std::move(line));
    }
    plain.step();
    attending.step();
    const std::lock_guard lock(mutex_);
    if (has_ended_ && waiting_ == 0 && plain.size() + attending.size() == 0) return;
  }
}

}  // namespace heed
