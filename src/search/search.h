// Beam search, or sampling, over any engine, with continuous batching: a sentence enters the batch
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
#include "search/phrases.h"
#include "search/search_config.h"
#include "search/suppressed_tokens.h"
#include "text/word_joins.h"

namespace heed {

// A sentence with its settings.
struct Request {
  Example source;
  SearchConfig config{};
  int64_t number = 0;  // of the sentence, for sampling
  Ids prefix{};        // beginning of the target, in tokens of the vocabulary
  int64_t given = 0;   // number of prefix tokens with probability 1: those of the language
  std::vector<RequiredPhrase> phrases{};  // in the target; only in plain beam search
  std::vector<Ids> avoided{};             // phrases that must not occur in the target
  // Tokens that make one word, for both kinds of phrases; nullptr: no tokens are joined.
  std::shared_ptr<const WordJoins> joins{};
  SuppressedTokens suppressed{};  // tokens named by the config
  bool attention = false;         // whether Hypothesis::attention is requested
  // True if the score and the log-probabilities are requested. If not, they are undefined and
  // greedy search is faster.
  bool scores = true;
  // Called after each token but the last with the best hypothesis so far; false ends the search
  // with that hypothesis.
  std::function<bool(const Hypothesis&)> follow{};
};

// After an exception the object may only be destroyed.
class Search {
 public:
  // Receives the best hypotheses, best first, or the samples in their order. There are `nbest`
  // hypotheses, fewer only if no more are possible or the groups of a diverse search found the
  // same, and at least one. Ties go to the lower id.
  using Done = std::function<void(std::vector<Hypothesis>)>;

  // room: batch size, in sentences. attention: true if requests may ask for attention or have a
  // coverage penalty, which needs attention weights.
  Search(const Engine& engine, int64_t room, bool attention);
  ~Search();
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  // Adds a sentence, which enters the batch at the next step with room. step() calls `done`, which
  // may add other sentences.
  void add(Request request, Done done);
  // Advances all sentences of the batch by one token. Returns false if no sentence is in the batch
  // or waiting.
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
  std::vector<int32_t> tokens_;  // [R] next tokens
  int64_t width_ = 1;            // rows of a sentence
};

// Returns the hypotheses of each request, in the order of the requests.
std::vector<std::vector<Hypothesis>> search(const Engine& engine, std::vector<Request> requests,
                                            int64_t room = std::numeric_limits<int64_t>::max());

// Requests with the same settings.
std::vector<Request> requests_of(const std::vector<Example>& sentences, const SearchConfig& config,
                                 bool attention = false);

}  // namespace heed
