// Lines that one worker searches together. What goes wrong with one line is told to its receiver and
// does not reach the others.
#pragma once

#include <memory>
#include <vector>

#include "search/search.h"
#include "serve/translation_queue.h"

namespace heed {

class LineBatch {
 public:
  // room: lines in the search; more wait in it.
  LineBatch(const TextModel& model, size_t room, bool attention);
  ~LineBatch();

  static bool needs_attention(const QueuedLine& line);
  void add(QueuedLine line);
  // One token of each line.
  void step();
  size_t size() const { return lines_.size(); }

 private:
  class Line;
  void enter(Search& search, const std::shared_ptr<Line>& line) const;
  std::unique_ptr<Search> make_search() const;
  void translate_alone(const std::shared_ptr<Line>& line) const;

  const TextModel& model_;
  const size_t room_;
  const bool attention_;
  std::unique_ptr<Search> search_;
  std::vector<std::shared_ptr<Line>> lines_;
};

}  // namespace heed
