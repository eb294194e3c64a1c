// The interface of attention for encoders and decoders: start() takes the sources and attend() returns
// context vectors; attend_past() reads a decoder's own past. All data of a sentence are in the state,
// none in the module. Self-attention and attention over the source use the same class.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/fields.h"
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

// What is attended to: the same sentence, the target so far, the source, or in an encoder another
// source; pooling makes rows of a sentence, or one of a document. kUnset: nobody has said it.
enum class Place { kUnset, kEncoderSelf, kDecoderSelf, kCross, kCoAttention, kPooling, kDocument };

// Where in a model an attention stands.
struct Site {
  Place place = Place::kUnset;
  int64_t layer = 0;     // of the encoder or decoder
  std::string reader{};  // co-attention: the source that reads
};

// What a result is within another: a hop, the attention over one of several sources or that over
// their context vectors, a write head, one direction of a sentence.
enum class Part { kWhole, kHop, kSource, kOverSources, kWrite, kForward, kBackward };

struct Attended {
  Tensor context;  // [R,T,V]
  Tensor
      weights;  // [R,H,T,S]; undefined where there are none, or where the pass does not keep them
  std::vector<SideLoss> losses;
  std::string source;  // that the weights are over; empty: the only source
  Part part = Part::kWhole;
  int64_t hop = 0;  // from 0, of Part::kHop
  std::vector<Attended> parts;
  Site site;  // set by the caller (Step::take, EncoderOutput::take), not in parts
};

// Concatenates the results of single queries [R,1] to one result [R,T].
Attended join_queries(const std::vector<Attended>& queries);

// Of hypotheses [R,T], as of so many queries of their sentences [N,B·T], and back.
Attended by_sentence(Attended attended, int64_t hypotheses);
Attended by_hypothesis(Attended attended, int64_t hypotheses);

// Sets `source` of the result and of its parts.
void name_source(Attended& attended, const std::string& name);

class Attention : public Module {
 public:
  // Reads the named sources, nearly always one, before the first query.
  virtual void start(const Sources& sources, StateView state);
  // query [N,B·T,W] at positions [N,B·T]: the next T of each of the B hypotheses of a sentence, one
  // hypothesis after the other (by_sentence()). One call with T queries equals T calls with one.
  virtual Attended attend(const Tensor& query, const Tensor& positions, StateView state);
  // attend() inside a residual block that adds the context to x [N,B·T,W], with dropout of this
  // probability on what is added. query: the normalized x, or x itself with post-norm.
  virtual Attended attend_to(const Tensor& x, const Tensor& query, const Tensor& positions,
                             double dropout, StateView state);
  // A decoder's own past grows by keys [R,T,W] and values [R,T,V] at positions [R,T] and is read by
  // query [R,T,W]; a query sees no later position than its own. T tokens equal T calls with one.
  virtual Attended attend_past(const Tensor& keys, const Tensor& values, const Tensor& query,
                               const Tensor& positions, StateView state);
};

// What the hypotheses of a decoder attend to: attend() by x of R rows.
Attended attend_by_hypothesis(Attention& attention, const Tensor& query, const Tensor& positions,
                              StateView state);
Attended attend_to_by_hypothesis(Attention& attention, const Tensor& x, const Tensor& query,
                                 const Tensor& positions, double dropout, StateView state);

// Where an attention stands.
struct AttentionDims {
  Place place = Place::kCross;
  int64_t query = 0;    // width
  SourceSpec source{};  // what is read; of several sources the first
  // Inside a residual block (Transformer) the context has to have this width, and keys, values and
  // heads are projected unless told otherwise; 0: the context may have any width, and nothing is
  // projected that the score does not project.
  int64_t block = 0;
  int64_t tags = 0;  // how many tags sentences may have; 0: they have none
  std::map<std::string, SourceSpec> sources{};  // all of them, if there are several
};

struct AttentionConfig : KindSettings {
  // Whether it reads anything: `none` does not.
  virtual bool reads() const { return true; }
  // What cannot work at this place, with the reason. Called when the config is read.
  virtual void check(const AttentionDims& dims, Problems& problems) const = 0;
  virtual int64_t context_width(const AttentionDims& dims) const = 0;
  // Whether it can read several sources.
  virtual bool reads_several() const { return false; }
  // Whether it can read all sources as if they were one (multi_source, combine: flat).
  virtual bool has_one_distribution() const { return false; }
  // The source that its weights are over, of several; empty: the first one.
  virtual std::string source() const { return ""; }
  // Of its weights; 0: it has none.
  virtual int64_t weight_heads(const AttentionDims& dims) const = 0;
  virtual std::shared_ptr<Attention> build(const AttentionDims& dims) const = 0;
};
// What exists; tests add mechanisms of their own.
Registry<AttentionConfig>& attentions();

}  // namespace heed
