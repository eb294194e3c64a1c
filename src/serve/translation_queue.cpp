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

bool TranslationQueue::add(std::vector<QueuedLine> lines) {
  {
    const std::lock_guard lock(mutex_);
    const bool fits = std::ssize(lines_) + std::ssize(lines) <= options_.capacity;
    if (!fits && !lines_.empty()) return false;
    std::ranges::move(lines, std::back_inserter(lines_));
  }
  changed_.notify_all();
  return true;
}

int64_t TranslationQueue::waiting() const {
  const std::lock_guard lock(mutex_);
  return std::ssize(lines_);
}

// All requests have the same time, so the first line is the first to be late.
std::vector<QueuedLine> TranslationQueue::remove_late() {
  std::vector<QueuedLine> late;
  while (!lines_.empty() && lines_.front().deadline < ServeClock::now()) {
    late.push_back(std::move(lines_.front()));
    lines_.pop_front();
  }
  return late;
}

std::vector<QueuedLine> TranslationQueue::take(size_t room, bool may_wait) {
  std::vector<QueuedLine> late, taken;
  {
    std::unique_lock lock(mutex_);
    if (may_wait) changed_.wait(lock, [&] { return has_ended_ || !lines_.empty(); });
    late = remove_late();
    // What waits is divided among the workers.
    const size_t share = (lines_.size() + workers_.size() - 1) / workers_.size();
    for (size_t count = std::min(room, share); count > 0; --count) {
      taken.push_back(std::move(lines_.front()));
      lines_.pop_front();
    }
  }
  for (const QueuedLine& line : late)
    line.receiver->failed({HttpStatus::kTimeout, "not translated in time; the server is busy"});
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
    if (has_ended_ && lines_.empty() && plain.size() + attending.size() == 0) return;
  }
}

}  // namespace heed
