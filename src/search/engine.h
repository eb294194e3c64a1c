// Interface of search to models: sentences that are being decoded, and the best next tokens of each
// of their hypotheses. Independent of tensors, so that search works with models of libtorch
// (network/model_engine.h) and others.
//
// The hypotheses of a sentence are adjacent rows, the same number for each sentence: N sentences
// with B hypotheses are R = N·B rows. A sentence begins with one hypothesis.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "data/example.h"

namespace heed {

// The best next tokens of each row; best first, ties by the lower id.
struct TopK {
  int64_t count = 0;                    // of each row
  std::vector<double> log_probability;  // [R·count]; -inf after the last possible token
  std::vector<int32_t> id;              // [R·count]; -1 there
};

// Tokens that are banned or forced.
struct Limits {
  struct Token {
    int64_t row;
    int32_t id;
  };
  std::vector<Token> banned;
  // The only next token of a row, even if it is banned; at most one per row.
  std::vector<Token> forced;
};

// Rows whose distributions over the next token are wanted, in ascending order. visit() receives the
// log-probabilities of all tokens, -∞ for banned ones. Rows with a forced token are skipped.
struct Distributions {
  std::vector<int64_t> rows;
  std::function<void(int64_t row, std::span<const float> log_probabilities)> visit;
};

// Sentences that are being decoded.
class Decoding {
 public:
  virtual ~Decoding() = default;
  // Advances by one token.  tokens [R]
  virtual void step(const std::vector<int32_t>& tokens) = 0;
  // The `count` most probable next tokens of each row; called once after each step.
  // Log-probabilities are not renormalized after a ban. Error(kModel) if one of them is NaN.
  virtual TopK best(int64_t count, const Limits& limits, const Distributions& distributions) = 0;
  TopK best(int64_t count, const Limits& limits) { return best(count, limits, {}); }
  // Replaces best(): returns the most probable next token of each row, -1 if no token is possible.
  // An engine that need not return the log-probability does not have to compute all others. If
  // log-probabilities are equal after rounding, this token may differ from the first one of best().
  // Errors as in best().  [R]
  virtual std::vector<int32_t> most_probable(const Limits& limits) { return best(1, limits).id; }
  // Attention weights of the last step over the positions of the row's source, kEnd's the last,
  // mean over heads and models [S]. Valid until step(), gather() or join(). With several sources
  // they are over one of them, which may be empty for a sentence. nullopt if not requested or if
  // the model has no such weights.
  virtual std::optional<std::span<const double>> attention(int64_t row) = 0;
  // Replaces row i by row rows[i]. hypotheses: new B. The new rows of a sentence come from one
  // sentence, and sentences keep their order. A sentence without a row in `rows` is dropped.
  virtual void gather(const std::vector<int64_t>& rows, int64_t hypotheses) = 0;
  // Appends sentences of the same engine and number of hypotheses.
  virtual void join(std::unique_ptr<Decoding> more) = 0;
};

// Reorders data of each sentence as Decoding::gather() reorders rows. before: hypotheses per
// sentence until then.
template <class T>
void gather_sentences(std::vector<T>& kept, const std::vector<int64_t>& rows, int64_t before,
                      int64_t hypotheses) {
  std::vector<T> staying;
  for (size_t i = 0; i < rows.size(); i += hypotheses) staying.push_back(kept[rows[i] / before]);
  kept = std::move(staying);
}

// Engine settings for threads that decode concurrently. Created before the threads start, destroyed
// after they have ended.
class DecodingThreads {
 public:
  virtual ~DecodingThreads() = default;
  virtual void enter() const {}  // called first in each thread
};

// Bytes of decoding a sentence, at most.
struct DecodingBytes {
  int64_t target_token;  // for each target token of each hypothesis
  int64_t source_token;  // for each source token
};

class Engine {
 public:
  static constexpr int64_t kBatch = 64;
  virtual ~Engine() = default;
  // Default number of sentences to decode together, with this many hypotheses each: products of
  // more rows are faster, but memory grows with them. With beam 5 a base Transformer takes the same
  // CPU time with 16 lines as with 64, in half of the memory; an LSTM saves 6 % of the time with 64.
  virtual int64_t best_batch(int64_t /*hypotheses*/) const { return kBatch; }
  // Default: the bytes of a Transformer with 8 decoder layers of width 512.
  virtual DecodingBytes bytes() const {
    return {.target_token = 32 << 10, .source_token = 32 << 10};
  }
  virtual std::unique_ptr<DecodingThreads> threads() const {
    return std::make_unique<DecodingThreads>();
  }
  // Encodes one or more sentences; their next token is kBegin. attention: whether attention() will
  // be called. The probabilities of a sentence with candidates (Example) sum to 1 over the
  // candidates and the tokens that it can copy beyond the vocabulary.
  virtual std::unique_ptr<Decoding> start(const std::vector<const Example*>& sentences,
                                          bool attention) const = 0;
};

}  // namespace heed
