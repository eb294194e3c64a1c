// The interface of attention for encoders and decoders: start() takes the sources and attend()
// returns context vectors; attend_past() reads a decoder's own past. All data of a sentence are in
// the state, none in the module. Self-attention and attention over the source use the same class.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nn/attention/attention_config.h"
#include "nn/module.h"
#include "nn/sources.h"
#include "nn/state.h"

namespace heed {

// An auxiliary loss of a mechanism, added to the objective.
struct SideLoss {
  std::string name;
  Tensor value;            // [R,T]
  bool is_policy = false;  // value is the log-probability of a sampled choice
  double weight = 1;
  Tensor counted{};  // [R,T] mask of the positions that count; undefined: all target tokens
};

// Location of an attention in the model.
struct Site {
  Place place = Place::kUnset;
  int64_t layer = 0;     // of the encoder or decoder
  std::string reader{};  // co-attention: the source that reads
};

// Role of a result within another: a hop, the attention over one of several sources or over their
// context vectors, the read heads of a memory with rows of its own, a write head, one direction of a
// sentence, the attention in a recurrent cell.
enum class Part {
  kWhole,
  kHop,
  kSource,
  kOverSources,
  kRead,
  kWrite,
  kForward,
  kBackward,
  kInCell
};

// Meaning of the weights of a query: shares add up to 1 or less; gates are from 0 to 1, each by
// itself; scores are any numbers.
enum class WeightForm { kShares, kGates, kScores };

struct Attended {
  Tensor context;  // [R,T,V]
  Tensor weights;  // [R,H,T,S]; undefined if there are none or the pass does not keep them
  std::vector<SideLoss> losses;
  std::string source;  // the source that the weights are over; empty: the only one
  Part part = Part::kWhole;
  int64_t hop = 0;  // from 0, of Part::kHop
  std::vector<Attended> parts;
  Site site;  // set by the caller (Step::take, EncoderOutput::take), not in parts
  WeightForm form = WeightForm::kShares;
};

// Concatenates the results of single queries [R,1] to one result [R,T].
Attended join_queries(const std::vector<Attended>& queries);

// Converts results between hypotheses [R,T] and queries of their sentences [N,B·T].
Attended by_sentence(Attended attended, int64_t hypotheses);
Attended by_hypothesis(Attended attended, int64_t hypotheses);

// Sets `source` of the result and of its parts.
void name_source(Attended& attended, const std::string& name);

class Attention : public Module {
 public:
  // Prepares the named sources, usually one, before the first query.
  virtual void start(const Sources& sources, StateView state);
  // query [N,B·T,W] at positions [N,B·T]: the next T queries of each of the B hypotheses of a
  // sentence, one hypothesis after the other (by_sentence()). One call with T queries equals T
  // calls with one.
  virtual Attended attend(const Tensor& query, const Tensor& positions, StateView state);
  // attend() inside a residual block that adds the context to x [N,B·T,W], after dropout with this
  // probability. query: the normalized x, or x itself with post-norm.
  virtual Attended attend_to(const Tensor& x, const Tensor& query, const Tensor& positions,
                             double dropout, StateView state);
  // Appends keys [R,T,W] and values [R,T,V] at positions [R,T] to the decoder's past, then attends
  // to it with query [R,T,W]; a query sees no later position than its own. One call with T tokens
  // equals T calls with one.
  virtual Attended attend_past(const Tensor& keys, const Tensor& values, const Tensor& query,
                               const Tensor& positions, StateView state);
};

// attend() and attend_to() for the hypotheses of a decoder; x and query have R rows.
Attended attend_by_hypothesis(Attention& attention, const Tensor& query, const Tensor& positions,
                              StateView state);
Attended attend_to_by_hypothesis(Attention& attention, const Tensor& x, const Tensor& query,
                                 const Tensor& positions, double dropout, StateView state);

}  // namespace heed
