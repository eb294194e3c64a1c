#include "serve/translation_queue.h"

#include <algorithm>

#include "base/error.h"
#include "serve/line_cost.h"
#include "serve/line_lanes.h"

namespace heed {

TranslationQueue::TranslationQueue(std::shared_ptr<const TextModel> model,
                                   const QueueOptions& options)
    : model_(std::move(model)), options_(options), threads_of_engine_(model_->engine->threads()) {
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

LexicalConstraints QueuedLine::constraints() const {
  LexicalConstraints own;
  if (phrases != nullptr) own = *phrases;
  own.prefix = prefix;
  return own;
}

std::optional<HttpError> QueuedLine::reason_to_drop(const char* advice) const {
  if (!receiver->is_waiting())
    return HttpError{HttpStatus::kClientClosed, "the client has closed the connection"};
  if (ServeClock::now() > deadline)
    return HttpError{HttpStatus::kTimeout, fmt::format("not translated in time; {}", advice)};
  return std::nullopt;
}

bool TranslationQueue::add(std::deque<QueuedLine> lines, bool are_accepted) {
  HEED_CHECK(!lines.empty());
  std::array<WaitingRequest, kLineKinds> parts;
  for (QueuedLine& line : lines)
    parts[static_cast<size_t>(kind_of(line, options_.usual))].lines.push_back(std::move(line));
  {
    const std::lock_guard lock(mutex_);
    const int64_t waiting = waiting_ + std::ssize(lines);
    if (!are_accepted && waiting > options_.capacity && waiting_ > 0) return false;
    for (size_t i = 0; i < kLineKinds; ++i) {
      if (parts[i].lines.empty()) continue;
      parts[i].work = kinds_[i].work;
      kinds_[i].lines += std::ssize(parts[i].lines);
      kinds_[i].requests.push_back(std::move(parts[i]));
    }
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
  for (WaitingKind& kind : kinds_) {
    for (auto next = kind.requests.begin(); next != kind.requests.end();) {
      const auto request = next++;
      request->failure = request->lines.front().reason_to_drop("the server is busy");
      if (!request->failure) continue;
      waiting_ -= std::ssize(request->lines);
      kind.lines -= std::ssize(request->lines);
      dropped.splice(dropped.end(), kind.requests, request);
    }
  }
  return dropped;
}

QueuedLine TranslationQueue::next_line(WaitingKind& kind,
                                       std::list<WaitingRequest>::iterator request) {
  QueuedLine line = std::move(request->lines.front());
  request->lines.pop_front();
  request->has_begun = true;
  kind.work = request->work;
  request->work += work_of(line);
  --kind.lines;
  --waiting_;
  if (request->lines.empty()) kind.requests.erase(request);
  return line;
}

// The request with the least work is next, and does not give way to one that needs less room.
void TranslationQueue::take_lines(WaitingKind& kind, BatchRoom room, int64_t most,
                                  std::vector<QueuedLine>& taken) {
  for (; most > 0; --most) {
    auto next = kind.requests.end();
    for (auto one = kind.requests.begin(); one != kind.requests.end(); ++one) {
      const bool may_enter = room.fits(1, !one->has_begun);
      if (may_enter && (next == kind.requests.end() || one->work < next->work)) next = one;
    }
    if (next == kind.requests.end()) return;
    const int64_t hypotheses = next->lines.front().how->search.hypotheses();
    if (!room.fits(hypotheses, !next->has_begun)) return;
    room.add(hypotheses);
    taken.push_back(next_line(kind, next));
  }
}

std::vector<QueuedLine> TranslationQueue::take(const LineLanes& lanes, bool may_wait) {
  const LineLanes::Rooms rooms = lanes.rooms();
  std::list<WaitingRequest> dropped;
  std::vector<QueuedLine> taken;
  {
    std::unique_lock lock(mutex_);
    if (may_wait) changed_.wait(lock, [&] { return has_ended_ || waiting_ > 0; });
    dropped = remove_dropped();
    for (size_t i = 0; i < kLineKinds; ++i) {
      // The workers share the lines that wait. Long lines enter one at a time, because encoding many
      // takes long.
      const int64_t share =
          (kinds_[i].lines + std::ssize(workers_) - 1) / std::max<int64_t>(1, std::ssize(workers_));
      take_lines(kinds_[i], rooms[i], i == 0 ? share : std::min<int64_t>(1, share), taken);
    }
  }
  for (const WaitingRequest& request : dropped) {
    for (const QueuedLine& line : request.lines) line.receiver->failed(*request.failure);
  }
  return taken;
}

void TranslationQueue::work() {
  threads_of_engine_->enter();
  LineLanes lanes(*model_, options_);
  while (true) {
    for (QueuedLine& line : take(lanes, lanes.size() == 0)) lanes.add(std::move(line));
    lanes.step();
    const std::lock_guard lock(mutex_);
    if (has_ended_ && waiting_ == 0 && lanes.size() == 0) return;
  }
}

}  // namespace heed
