// Beam search, or sampling, over any engine with continuous batching: a sentence enters the batch
// when there is room, and leaves it when its search is done. Results do not depend on the other
// sentences, except for rounding in the engine. The memory of the longest source is released when
// the batch is empty.
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
#include "search/suppressed_tokens.h"
#include "text/word_joins.h"

namespace heed {

// A sentence with its settings.
struct Request {
  Example source;
  SearchConfig config{};
  int64_t number = 0;          // of the sentence, for sampling
  Ids prefix{};                // that the target begins with, of the vocabulary's tokens
  int64_t given = 0;           // so many of its tokens have probability 1: those of the language
  std::vector<Ids> phrases{};  // that the target contains; only in plain beam search
  std::vector<Ids> avoided{};  // phrases that it does not contain
  // Tokens that make one word, for both kinds of phrases; nullptr: none do.
  std::shared_ptr<const WordJoins> joins{};
  SuppressedTokens suppressed{};  // those that the config names
  bool attention = false;         // whether Hypothesis::attention is requested
  // Whether its score and log-probabilities are; they are undefined otherwise, and greedy search is
  // faster.
  bool scores = true;
  // Called after each token but the last with the best hypothesis so far; false ends the search
  // with it.
  std::function<bool(const Hypothesis&)> follow{};
};

// After an exception it may only be destroyed.
class Search {
 public:
  // Its best hypotheses, best first: `nbest` of them, fewer only if no more are possible or the
  // groups of a diverse search found the same, never none; or its samples in their order. Ties go
  // to the lower id.
  using Done = std::function<void(std::vector<Hypothesis>)>;

  // room: batch size, in sentences. attention: whether requests may set it or have a coverage
  // penalty, which needs attention weights.
  Search(const Engine& engine, int64_t room, bool attention);
  ~Search();
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  // Adds a sentence, which enters at the next step with room. `done` is called by step(), and may
  // add others.
  void add(Request request, Done done);
  // Advances all sentences of the batch by one token. false: no sentence is in the batch or
  // waiting.
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
  TopK next_tokens(const Limits& limits);
  void penalize(const Limits& limits, TopK& best) const;
  bool is_greedy() const;
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

// Requests with the same settings.
std::vector<Request> requests_of(const std::vector<Example>& sentences, const SearchConfig& config,
                                 bool attention = false);

}  // namespace heed
