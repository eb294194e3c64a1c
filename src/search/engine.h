// What search asks of a model: sentences that are being decoded, and the best next tokens of each of
// their hypotheses. No tensor is in it, so that models of libtorch (translate/model_engine.h) and any
// other stand under one search.
//
// The hypotheses of a sentence stand side by side, as many for each sentence: N sentences with B
// hypotheses are R = N·B rows. A sentence begins with one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "data/example.h"

namespace heed {

// The best next tokens of each row; best first, ties by the lower id.
struct TopK {
  int64_t count = 0;                    // of each row
  std::vector<double> log_probability;  // [R·count]; -inf behind the last possible one
  std::vector<int32_t> id;              // [R·count]; -1 there
};

// Tokens that are banned or forced.
struct Limits {
  struct Token {
    int64_t row;
    int32_t id;
  };
  std::vector<Token> banned;
  // The only token that a row may go on with, even if it is banned; one a row at most.
  std::vector<Token> forced;
};

// Sentences that are being decoded.
class Decoding {
 public:
  virtual ~Decoding() = default;
  // One token further.  tokens [R]
  virtual void step(const std::vector<int32_t>& tokens) = 0;
  // The `count` most probable next tokens of each row; call it once after each step. Log-probabilities
  // are those without the limits. Error(kModel) if one of them is not a number.
  virtual TopK best(int64_t count, const Limits& limits) = 0;
  // Attention weights of the last step, until gather() or join(): over the positions of the row's source,
  // kEnd's the last, mean over heads and models [S]; with several sources those of one, of which a
  // sentence may have no position. None if they were not asked for or the model has none.
  virtual std::optional<std::span<const double>> attention(int64_t row) = 0;
  // Row i becomes what row rows[i] was; with so many hypotheses a sentence. The rows of a sentence
  // are of one sentence before, and sentences keep their order.
  virtual void gather(const std::vector<int64_t>& rows, int64_t hypotheses) = 0;
  // Sentences of the same engine, with as many hypotheses each, go on behind these.
  virtual void join(std::unique_ptr<Decoding> more) = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;
  // Reads sentences, one or more; their next token is kBegin. attention: whether it will be asked for.
  virtual std::unique_ptr<Decoding> start(const std::vector<const Example*>& sentences,
                                          bool attention) const = 0;
};

}  // namespace heed
