#include "search/search.h"

#include <algorithm>

#include "base/error.h"
#include "search/beam.h"
#include "search/constrained_beam.h"
#include "search/diverse_beam.h"
#include "search/repetition_penalty.h"
#include "search/samples.h"

namespace heed {

namespace {

// Sentences leave and enter the batch together, at least 1/8 of the batch: moving them copies the
// state of all others, while an idle slot costs the steps of its hypotheses.
constexpr size_t kInverseFraction = 8;

// Smallest length of a target in tokens.
int64_t min_length_of(const Request& request) {
  const int64_t fewest = request.config.min_new_tokens;
  return std::max(request.config.min_length, fewest > 0 ? std::ssize(request.prefix) + fewest : 0);
}

SearchLengths lengths_of(const Request& request) {
  SearchLengths lengths{.given = request.given,
                        .prefix = std::ssize(request.prefix) - request.given};
  for (const Ids& source : request.source.sources)
    lengths.source = std::max<int64_t>(lengths.source, std::ssize(source));
  int64_t least = std::ssize(request.prefix);
  if (!request.phrases.empty()) {
    const Phrases phrases(request.phrases, request.joins);
    least += std::max(phrases.of({}).missing, phrases.of(request.prefix).missing);
  }
  lengths.longest =
      std::max({request.config.max_length(lengths.source), min_length_of(request), least});
  return lengths;
}

Constraints constraints_of(const Request& request, int64_t longest) {
  const SearchConfig& config = request.config;
  Constraints constraints = {never({kPad, kBegin})};
  if (!config.allow_unknown) constraints.push_back(never({kUnknown}));
  const SuppressedTokens& suppressed = request.suppressed;
  if (!suppressed.always.empty()) constraints.push_back(never(suppressed.always));
  if (!suppressed.first.empty())
    constraints.push_back(never_at(std::ssize(request.prefix), suppressed.first));
  if (const int64_t least = min_length_of(request); least > 0)
    constraints.push_back(min_length(least));
  if (config.no_repeat_ngram > 0) constraints.push_back(no_repeats(config.no_repeat_ngram));
  for (const Ids& phrase : request.avoided)
    constraints.push_back(never_phrase(phrase, request.joins));
  if (!request.prefix.empty()) constraints.push_back(begins_with(request.prefix));
  constraints.push_back(max_length(longest));
  return constraints;
}

std::unique_ptr<Hypotheses> hypotheses_of(const Request& request) {
  const SearchLengths lengths = lengths_of(request);
  Constraints constraints = constraints_of(request, lengths.longest);
  if (!request.phrases.empty())
    return std::make_unique<ConstrainedBeam>(request.config, lengths, std::move(constraints),
                                             Phrases(request.phrases, request.joins),
                                             request.attention);
  if (request.config.sampling)
    return std::make_unique<Samples>(request.config, request.number, lengths,
                                     std::move(constraints), request.attention);
  if (request.config.diversity_groups > 1)
    return std::make_unique<DiverseBeam>(request.config, lengths, constraints, request.attention);
  return std::make_unique<Beam>(request.config, lengths, std::move(constraints), request.attention);
}

// Sets the probability of the tokens of these rows, which are forced, to 1.
void make_certain(TopK& best, int64_t first_row, int64_t rows) {
  for (int64_t k = first_row * best.count; k < (first_row + rows) * best.count; ++k) {
    if (best.id[k] >= 0) best.log_probability[k] = 0;
  }
}

bool is_identity(const std::vector<int64_t>& rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

}  // namespace

struct Search::Sentence {
  Sentence(Request r, Done d)
      : request(std::move(r)), done(std::move(d)), hypotheses(hypotheses_of(request)) {}
  Request request;
  Done done;
  std::unique_ptr<Hypotheses> hypotheses;
  int64_t steps = 0;
  bool is_given() const { return steps < request.given; }
  double theta() const { return request.config.repetition_penalty; }
  // Number of most probable tokens per row that advance() and the penalty need.
  int64_t wanted() const { return hypotheses->wanted() + (theta() > 1 ? steps : 0); }
};

Search::Search(const Engine& engine, int64_t room, bool attention)
    : engine_(engine), room_(static_cast<size_t>(room)), attention_(attention) {
  HEED_CHECK(room > 0);
}

Search::~Search() = default;

void Search::add(Request request, Done done) {
  HEED_CHECK(attention_ || !(request.attention || request.config.coverage_penalty > 0),
             "a search without attention");
  for (const int32_t id : request.prefix)
    HEED_CHECK(id == kUnknown || id >= kSpecials, "token {} in a prefix", id);
  HEED_CHECK(
      request.phrases.empty() || (!request.config.sampling && request.config.diversity_groups == 1),
      "phrases want plain beam search");
  waiting_.push_back({std::move(request), std::move(done)});
}

bool Search::step() {
  if (is_time_to_enter()) enter();
  if (!present_.empty()) advance();
  return !present_.empty() || !waiting_.empty();
}

bool Search::is_time_to_enter() const {
  const size_t free = room_ - present_.size();
  return !waiting_.empty() &&
         free >= std::min(waiting_.size(), std::max<size_t>(1, room_ / kInverseFraction));
}

void Search::enter() {
  const size_t count = std::min(waiting_.size(), room_ - present_.size());
  std::vector<const Example*> sources;
  for (size_t i = 0; i < count; ++i) sources.push_back(&waiting_[i].request.source);
  std::unique_ptr<Decoding> entering = engine_.start(sources, attention_);
  for (size_t i = 0; i < count; ++i) {
    Waiting& next = waiting_.front();
    present_.push_back(std::make_unique<Sentence>(std::move(next.request), std::move(next.done)));
    waiting_.pop_front();
  }
  if (!decoding_) {
    decoding_ = std::move(entering);
    width_ = 1;
    tokens_.assign(count, kBegin);
    return;
  }
  if (const int64_t width = widest(); width > width_) widen(width);
  std::vector<int64_t> rows;
  for (size_t i = 0; i < count; ++i) rows.insert(rows.end(), width_, static_cast<int64_t>(i));
  entering->gather(rows, width_);
  decoding_->join(std::move(entering));
  tokens_.insert(tokens_.end(), rows.size(), kBegin);
}

// Widens the sentences in the batch; the new rows are idle.
void Search::widen(int64_t width) {
  std::vector<int64_t> rows;
  std::vector<int32_t> tokens;
  for (int64_t first = 0; first < std::ssize(tokens_); first += width_) {
    for (int64_t b = 0; b < width; ++b) {
      rows.push_back(first + std::min(b, width_ - 1));
      tokens.push_back(b < width_ ? tokens_[first + b] : kEnd);
    }
  }
  decoding_->gather(rows, width);
  tokens_ = std::move(tokens);
  width_ = width;
}

TopK Search::next_tokens(const Limits& limits) {
  if (is_greedy())
    return {1, std::vector<double>(tokens_.size()), decoding_->most_probable(limits)};
  Distributions distributions;
  int64_t wanted = 1;
  for (size_t i = 0; i < present_.size(); ++i) {
    Hypotheses& own = *present_[i]->hypotheses;
    if (own.done()) continue;
    own.request_distributions(static_cast<int64_t>(i) * width_, distributions);
    wanted = std::max(wanted, present_[i]->wanted());
  }
  distributions.visit = [this](int64_t row, std::span<const float> log_probabilities) {
    Sentence& sentence = *present_[row / width_];
    Hypotheses& own = *sentence.hypotheses;
    const int64_t i = row % width_;
    if (sentence.theta() == 1) return own.draw(i, log_probabilities);
    own.draw(i, penalized_repetitions(sentence.theta(), own.tokens(i), log_probabilities));
  };
  TopK best = decoding_->best(wanted, limits, distributions);
  penalize(limits, best);
  return best;
}

void Search::penalize(const Limits& limits, TopK& best) const {
  std::vector<bool> is_forced(tokens_.size());
  for (const auto& [row, id] : limits.forced) is_forced[row] = true;
  for (size_t s = 0; s < present_.size(); ++s) {
    const Hypotheses& own = *present_[s]->hypotheses;
    if (present_[s]->theta() == 1 || own.done()) continue;
    for (int64_t i = 0; i < std::ssize(own.live()); ++i) {
      const int64_t row = static_cast<int64_t>(s) * width_ + i;
      if (!is_forced[row]) penalize_repetitions(present_[s]->theta(), own.tokens(i), row, best);
    }
  }
}

bool Search::is_greedy() const {
  return std::ranges::none_of(present_, [](const auto& sentence) {
    return sentence->request.scores || sentence->theta() != 1 || !sentence->hypotheses->is_greedy();
  });
}

void Search::advance() {
  decoding_->step(tokens_);
  Limits limits;
  for (size_t i = 0; i < present_.size(); ++i) {
    const Hypotheses& own = *present_[i]->hypotheses;
    if (!own.done()) own.limit(static_cast<int64_t>(i) * width_, limits);
  }
  TopK best = next_tokens(limits);
  const auto attention = [this](int64_t row) { return decoding_->attention(row); };
  std::vector<std::pair<Done, std::vector<Hypothesis>>> found;
  for (size_t i = 0; i < present_.size(); ++i) {
    Sentence& sentence = *present_[i];
    if (sentence.hypotheses->done()) continue;
    if (sentence.is_given()) make_certain(best, static_cast<int64_t>(i) * width_, width_);
    ++sentence.steps;
    sentence.hypotheses->advance(best, static_cast<int64_t>(i) * width_, attention);
    const auto& follow = sentence.request.follow;
    if (!sentence.hypotheses->done() && follow && !follow(sentence.hypotheses->best_so_far()))
      sentence.hypotheses->stop();
    if (sentence.hypotheses->done())
      found.emplace_back(std::move(sentence.done), sentence.hypotheses->results());
  }
  move();
  for (auto& [done, results] : found) done(std::move(results));
}

// Moves each row to the hypothesis that continues it; finished sentences leave the batch if there
// are enough.
void Search::move() {
  const auto is_done = [](const auto& sentence) { return sentence->hypotheses->done(); };
  const auto done = static_cast<size_t>(std::ranges::count_if(present_, is_done));
  const bool leave = done > 0 && done * kInverseFraction >= present_.size();
  std::vector<const Hypotheses*> staying;
  std::vector<int64_t> first_rows;
  for (size_t i = 0; i < present_.size(); ++i) {
    if (leave && is_done(present_[i])) continue;
    staying.push_back(present_[i]->hypotheses.get());
    first_rows.push_back(static_cast<int64_t>(i) * width_);
  }
  if (leave) std::erase_if(present_, is_done);
  if (present_.empty()) return decoding_.reset();
  const int64_t width = widest();
  std::vector<int64_t> rows;
  tokens_.clear();
  for (size_t i = 0; i < staying.size(); ++i) {
    const auto& live = staying[i]->live();
    for (int64_t b = 0; b < width; ++b) {
      const bool idle = staying[i]->done() || b >= std::ssize(live);
      rows.push_back(first_rows[i] + (idle ? std::min(b, width_ - 1) : live[b].parent));
      tokens_.push_back(idle ? kEnd : live[b].id);
    }
  }
  if (leave || width != width_ || !is_identity(rows)) decoding_->gather(rows, width);
  width_ = width;
}

int64_t Search::widest() const {
  int64_t width = 1;
  for (const auto& sentence : present_) width = std::max(width, sentence->hypotheses->width());
  return width;
}

std::vector<std::vector<Hypothesis>> search(const Engine& engine, std::vector<Request> requests,
                                            int64_t room) {
  const bool attention = std::ranges::any_of(requests, [](const Request& request) {
    return request.attention || request.config.coverage_penalty > 0;
  });
  Search all(engine, room, attention);
  std::vector<std::vector<Hypothesis>> found(requests.size());
  for (size_t i = 0; i < requests.size(); ++i)
    all.add(std::move(requests[i]), [&found, i](auto best) { found[i] = std::move(best); });
  while (all.step()) {
  }
  return found;
}

std::vector<Request> requests_of(const std::vector<Example>& sentences, const SearchConfig& config,
                                 bool attention) {
  std::vector<Request> requests;
  for (const Example& sentence : sentences)
    requests.push_back({.source = sentence, .config = config, .attention = attention});
  return requests;
}

}  // namespace heed
