#include "serve/line_lanes.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <vector>

namespace heed {

namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

LineLanes::LineLanes(const TextModel& model, const QueueOptions& options) : options_(options) {
  for (size_t kind = 0; kind < kLineKinds; ++kind) {
    LineBatchOptions batch{.memory = options.memory,
                           .memory_part = memory_part(static_cast<LineKind>(kind)),
                           .weights = options.weights};
    batch.room = static_cast<size_t>(options.batch + options.batch / 4);  // BatchRoom::fits()
    lanes_[kind].plain = std::make_unique<LineBatch>(model, batch);
    batch.attention = true;
    lanes_[kind].attending = std::make_unique<LineBatch>(model, batch);
  }
}

LineLanes::Rooms LineLanes::rooms() const {
  Rooms rooms;
  for (size_t kind = 0; kind < kLineKinds; ++kind) {
    const Lane& lane = lanes_[kind];
    rooms[kind] = {.most_lines = options_.batch,
                   .most_rows = options_.batch * options_.usual.hypotheses(),
                   .lines = static_cast<int64_t>(lane.size()),
                   .widest = std::max(lane.plain->widest(), lane.attending->widest())};
  }
  return rooms;
}

bool LineLanes::Lane::step() const {
  const bool plain_moves = plain->step(), attending_moves = attending->step();
  return plain_moves || attending_moves;
}

template <class Work>
auto LineLanes::timed(Lane& lane, const Work& work) {
  const auto begun = Clock::now();
  const auto result = work();
  lane.used += Clock::now() - begun;
  return result;
}

// The time of a kind that gets lines after it had none. Time that it did not want earlier gives it no
// right to more, and that which it had alone no right to much less.
std::chrono::nanoseconds LineLanes::beside_others(std::chrono::nanoseconds used) const {
  constexpr std::chrono::nanoseconds kMost = std::chrono::milliseconds(100);
  std::optional<std::chrono::nanoseconds> least;
  for (const Lane& lane : lanes_) {
    if (lane.size() > 0) least = std::min(least.value_or(lane.used), lane.used);
  }
  return least ? std::clamp(used, *least, *least + kMost) : used;
}

void LineLanes::add(QueuedLine line) {
  Lane& lane = lanes_[static_cast<size_t>(kind_of(line, options_.usual))];
  if (lane.size() == 0) lane.used = beside_others(lane.used);
  timed(lane, [&] {
    (LineBatch::needs_attention(line) ? lane.attending : lane.plain)->add(std::move(line));
    return true;
  });
}

void LineLanes::step() {
  constexpr auto kPause = std::chrono::milliseconds(5);
  std::vector<Lane*> busy;
  for (Lane& lane : lanes_) {
    if (lane.size() > 0) busy.push_back(&lane);
  }
  std::ranges::stable_sort(busy, {}, &Lane::used);
  const bool moved = std::ranges::any_of(
      busy, [](Lane* lane) { return timed(*lane, [&] { return lane->step(); }); });
  if (!busy.empty() && !moved) std::this_thread::sleep_for(kPause);
}

size_t LineLanes::size() const {
  size_t sum = 0;
  for (const Lane& lane : lanes_) sum += lane.size();
  return sum;
}

}  // namespace heed
