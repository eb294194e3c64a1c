// The lines that one worker searches, a batch for each kind. Kinds that have lines share its time.
#pragma once

#include <array>
#include <chrono>
#include <memory>

#include "serve/line_batch.h"
#include "serve/line_cost.h"

namespace heed {

class LineLanes {
 public:
  // The room of each kind.
  using Rooms = std::array<BatchRoom, kLineKinds>;

  LineLanes(const TextModel& model, const QueueOptions& options);

  Rooms rooms() const;
  void add(QueuedLine line);
  // One token of the lines of the kind that has had the least time. Waits a moment if all lines wait
  // for memory.
  void step();
  size_t size() const;

 private:
  // Lines whose attention weights are wanted are searched apart: they cost the others nothing.
  struct Lane {
    std::unique_ptr<LineBatch> plain, attending;
    std::chrono::nanoseconds used{};  // time, since some moment
    size_t size() const { return plain->size() + attending->size(); }
    bool step() const;  // false: all of its lines wait for memory
  };
  template <class Work>
  static auto timed(Lane& lane, const Work& work);
  std::chrono::nanoseconds beside_others(std::chrono::nanoseconds used) const;

  const QueueOptions& options_;
  std::array<Lane, kLineKinds> lanes_;
};

}  // namespace heed
