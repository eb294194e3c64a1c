// Lines that one worker searches together. What goes wrong with one line is told to its receiver and
// does not reach the others.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "search/search.h"
#include "serve/memory_budget.h"
#include "serve/translation_queue.h"

namespace heed {

struct LineBatchOptions {
  MemoryBudget& memory;    // of all lines in a search
  double memory_part = 1;  // of it, that must not be exceeded by lines of this batch
  int64_t weights;         // of attention, of the translations of a line
  size_t room = 1;         // lines in the search; more wait in it
  bool attention = false;
};

class LineBatch {
 public:
  LineBatch(const TextModel& model, const LineBatchOptions& options);
  ~LineBatch();

  static bool needs_attention(const QueuedLine& line);
  // Reads the line; it is searched as soon as there is memory for it.
  void add(QueuedLine line);
  // One token of each line. False: all lines wait for memory.
  bool step();
  size_t size() const { return ready_.size() + lines_.size(); }
  // The most hypotheses of a line.
  int64_t widest() const;

 private:
  class Line;
  using Shared = std::shared_ptr<Line>;
  void admit();
  void enter(Search& search, const Shared& line) const;
  std::unique_ptr<Search> make_search() const;
  void translate_alone(const Shared& line) const;

  const TextModel& model_;
  const LineBatchOptions options_;
  std::unique_ptr<Search> search_;
  std::deque<Shared> ready_;   // that wait for memory
  std::vector<Shared> lines_;  // in the search
};

}  // namespace heed
