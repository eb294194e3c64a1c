// Search for the best translations of sentences over any engine, many side by side: a sentence enters
// when there is room, and leaves when its beam is done. What is found does not depend on the others
// but for the rounding of the engine. What the longest source took up is free again when no sentence
// is under way.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "search/engine.h"
#include "search/hypothesis.h"
#include "search/search_config.h"

namespace heed {

// A sentence, and what is wanted of it.
struct Request {
  Example source;
  SearchConfig config{};
  Ids prefix{};            // that the target begins with, of the vocabulary's tokens
  bool attention = false;  // whether Hypothesis::attention is wanted
  // Called after each token but the last with what is best so far; false ends the search with that.
  std::function<bool(const Hypothesis&)> follow{};
};

// After an exception it may only be destroyed.
class Search {
 public:
  // Its best hypotheses, best first: `nbest` of them, fewer only if no more are possible, never none.
  // Ties go to the lower id.
  using Done = std::function<void(std::vector<Hypothesis>)>;

  // room: batch size, in sentences. attention: whether requests may want it or have a coverage penalty,
  // for which the model needs attention weights.
  Search(const Engine& engine, int64_t room, bool attention);
  ~Search();
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  // Enters at the next step at which there is room. `done` is called by step(), and may add others.
  void add(Request request, Done done);
  // A token further for all that are under way. false: there are none, and none wait.
  bool step();

 private:
  struct Sentence;
  struct Waiting {
    Request request;
    Done done;
  };
  bool is_time_to_enter() const;
  void enter();
  void widen(int64_t width);
  void advance();
  void move();
  int64_t widest() const;

  const Engine& engine_;
  size_t room_;
  bool attention_;
  std::deque<Waiting> waiting_;
  std::vector<std::unique_ptr<Sentence>> present_;  // in the order of their rows
  std::unique_ptr<Decoding> decoding_;
  std::vector<int32_t> tokens_;  // [R] that come next
  int64_t width_ = 1;            // rows of a sentence
};

// The hypotheses of each request, in their order.
std::vector<std::vector<Hypothesis>> search(const Engine& engine, std::vector<Request> requests,
                                            int64_t room = std::numeric_limits<int64_t>::max());

// The same wanted of each.
std::vector<Request> requests_of(const std::vector<Example>& sentences, const SearchConfig& config,
                                 bool attention = false);

}  // namespace heed
