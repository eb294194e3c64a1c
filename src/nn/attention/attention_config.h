// Settings of an attention, without tensors. The module is built from them (builders.h).
#pragma once

#include <map>
#include <string>

#include "config/fields.h"
#include "nn/source_spec.h"

namespace heed {

// Kind of an attention: encoder self-attention, decoder self-attention, attention over the source,
// attention of one source over another (co-attention), or pooling of a sentence into rows or of a
// document into one row. kUnset: not set yet.
enum class Place { kUnset, kEncoderSelf, kDecoderSelf, kCross, kCoAttention, kPooling, kDocument };

// Location and dimensions of an attention.
struct AttentionDims {
  Place place = Place::kCross;
  int64_t query = 0;    // width
  SourceSpec source{};  // of keys and values; of the first source if there are several
  // Width of the context vector inside a residual block (Transformer), where keys, values and heads
  // are projected by default. 0: outside a block; any width, and only the score may project.
  int64_t block = 0;
  int64_t tags = 0;                             // number of tags; 0: sentences have none
  int64_t layer = 0;                            // of a Transformer, from 0
  std::map<std::string, SourceSpec> sources{};  // all of them, if there are several
};

struct AttentionConfig : KindSettings {
  // False for `none`: no attention.
  virtual bool reads() const { return true; }
  // True if it attends to a source; a memory with rows of its own does not.
  virtual bool needs_source() const { return reads(); }
  // Reports settings that cannot work with these dimensions. Called when the config is read.
  virtual void check(const AttentionDims& dims, Problems& problems) const = 0;
  virtual int64_t context_width(const AttentionDims& dims) const = 0;
  // True if it supports several sources.
  virtual bool reads_several() const { return false; }
  // True if it can attend to all sources as to a single one (multi_source, combine: flat).
  virtual bool has_one_distribution() const { return false; }
  // With several sources, the one that its weights are over; empty: the first.
  virtual std::string source() const { return ""; }
  // Number of heads of its weights; 0: no weights.
  virtual int64_t weight_heads(const AttentionDims& dims) const = 0;
  // True if a loss of its weights trains it.
  virtual bool weights_have_gradient() const { return true; }
  // True if a query depends only on source tokens that are read at its time: in self-attention those
  // up to its own position, over a source those of the term wait_k.
  virtual bool hides_unread() const { return !needs_source(); }
};
// All mechanisms; tests add their own.
Registry<AttentionConfig>& attentions();

}  // namespace heed
