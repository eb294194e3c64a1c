#include "nn/attention/linear.h"

#include <cmath>

#include "nn/torch.h"

#include "base/random.h"
#include "nn/attention/empty_rows.h"
#include "nn/attention/heads.h"
#include "nn/attention/normalizers/masked_softmax.h"
#include "nn/attention/stages.h"

namespace heed {

namespace {

using Features = LinearConfig::Features;

// Queries, keys, values and the way out of the heads, as all four have them.
class Projections : public Attention {
 public:
  Projections(const LinearConfig& config, AttentionDims dims)
      : config_(config),
        dims_(std::move(dims)),
        query_(dims_.query, dims_.query),
        key_(dims_.key, dims_.query),
        value_(dims_.value, config.context_width(dims_)),
        output_(config.context_width(dims_), config.context_width(dims_)) {
    register_module("query", query_);
    register_module("key", key_);
    register_module("value", value_);
    register_module("output", output_);
  }

 protected:
  Tensor heads_of(torch::nn::Linear& projection, const Tensor& x) const {
    return split_heads(projection(x), config_.heads);
  }
  // Queries with nothing to read get nothing, not the bias of the projection.
  Attended finished(const Tensor& heads, const StateView& state) {
    Attended attended;
    attended.context = without_empty_rows(output_(join_heads(heads)), state);
    attended.place = dims_.name;
    return attended;
  }

  LinearConfig config_;
  AttentionDims dims_;
  torch::nn::Linear query_, key_, value_, output_;
};

constexpr double kSmallest = 1e-20;  // of a sum that is divided by

// The running sums over the keys that were read, of one head and feature: `values` [R,H,D,V] of
// φ(k) vᵀ and `weights` [R,H,D] of φ(k). Those of efficient are of exp(k - highest).
struct Sums {
  Tensor values, weights;
  Tensor highest;  // [R,H,D]
};

class LinearAttention final : public Projections {
 public:
  LinearAttention(const LinearConfig& config, const AttentionDims& dims)
      : Projections(config, dims), efficient_(config.features == Features::kEfficient) {
    if (config.features == Features::kPerformer) {
      random_ = register_buffer("random",
                                random_features(config.random_features, dims.query / config.heads));
    }
  }

  void start(const Sources& sources, StateView state) override {
    HEED_CHECK(sources.size() == 1, "this attention reads one source, not {}", sources.size());
    const Source& source = sources.begin()->second;
    const Tensor keys = key_features(heads_of(key_, source.keys));  // [R,H,S,D]
    const Tensor open = source.mask.unsqueeze(1).unsqueeze(3);      // [R,1,S,1]
    Sums sums;
    add(sums, keys, heads_of(value_, source.values), open);
    state.put_shared("values", sums.values);
    state.put_shared("weights", sums.weights);
    put_empty_rows(source, state);
    if (!state.pass().keep_weights) return;
    state.put_shared("keys", keys);
    state.put_shared("open", open);
  }

  void extend(const Tensor& keys, const Tensor& values, const Tensor&, StateView state) override {
    const Tensor features = key_features(heads_of(key_, keys));
    state.put("new_keys", features);
    state.put("new_values", heads_of(value_, values));
    if (!state.pass().keep_weights) return;
    state.put("keys", state.has("keys") ? torch::cat({state.get("keys"), features}, 2) : features);
  }

  Attended attend(const Tensor& query, const Tensor& positions, StateView state) override {
    const Tensor queries = query_features(heads_of(query_, query));  // [R,H,T,D]
    Attended attended =
        finished(state.has("new_keys") ? past(queries, state) : read(queries, state), state);
    if (state.pass().keep_weights) attended.weights = weights(queries, positions, state);
    return attended;
  }

 private:
  // Rows that are orthogonal in blocks of D, each as long as a normal vector (section 3.2 there).
  static Tensor random_features(int64_t count, int64_t width) {
    RandomStream stream(stream_key(0, "performer"));
    const auto normal = [&](int64_t rows) {
      Tensor x = torch::empty({rows, width}, torch::kDouble);
      double* out = x.mutable_data_ptr<double>();
      for (int64_t i = 0; i < x.numel(); ++i) out[i] = stream.normal();
      return x;
    };
    std::vector<Tensor> blocks;
    for (int64_t rows = 0; rows < count; rows += width) {
      const Tensor orthogonal = std::get<0>(torch::linalg_qr(normal(width)));
      blocks.push_back(orthogonal * normal(width).norm(2, 1, true));
    }
    return torch::cat(blocks).narrow(0, 0, count).to(torch::kFloat);
  }

  Tensor positive(const Tensor& x) const {
    if (config_.features == Features::kElu) return torch::elu(x) + 1;
    const Tensor small = x / std::pow(static_cast<double>(x.size(3)), 0.25);
    const Tensor exponent = torch::matmul(small, random_.to(x.scalar_type()).t()) -
                            small.square().sum(-1, true) / 2;  // [R,H,T,M]
    return exponent.exp() / std::sqrt(static_cast<double>(random_.size(0)));
  }
  Tensor query_features(const Tensor& x) const {
    return efficient_ ? torch::softmax(x, -1) : positive(x);
  }
  // Of efficient as they are: what they are compared with is known only with the others.
  Tensor key_features(const Tensor& x) const { return efficient_ ? x : positive(x); }

  // More keys [R,H,S,D] and values [R,H,S,V] into the sums; gives what they add to `weights`.
  Tensor add(Sums& sums, Tensor keys, const Tensor& values, const Tensor& open) const {
    if (efficient_) {
      const double lowest = lowest_score(keys.scalar_type());
      const Tensor hidden = open.defined() ? keys.masked_fill(~open, lowest) : keys;
      Tensor highest = hidden.amax(2).detach();  // any number would do, so no gradient is lost
      if (sums.highest.defined()) {
        highest = torch::maximum(highest, sums.highest);
        const Tensor scale = (sums.highest - highest).exp();
        sums.values = sums.values * scale.unsqueeze(3);
        sums.weights = sums.weights * scale;
      }
      sums.highest = highest;
      keys = (keys - highest.unsqueeze(2)).clamp_max(0).exp();
    }
    if (open.defined()) keys = keys.masked_fill(~open, 0);
    const Tensor more_values = torch::matmul(keys.transpose(2, 3), values),
                 more_weights = keys.sum(2);
    sums.values = sums.values.defined() ? sums.values + more_values : more_values;
    sums.weights = sums.weights.defined() ? sums.weights + more_weights : more_weights;
    return keys;
  }

  // Over another sequence, or a whole one.
  Tensor read(const Tensor& queries, const StateView& state) const {
    const Tensor& values = state.get("values");
    const Tensor& weights = state.get("weights");
    if (efficient_)
      return torch::matmul(queries / weights.unsqueeze(2).clamp_min(kSmallest), values);
    return torch::matmul(queries, values) /
           torch::matmul(queries, weights.unsqueeze(3)).clamp_min(kSmallest);
  }

  // Over the own past and the new keys up to each query: chunk by chunk, inside a chunk by its
  // small square, so that time and memory grow with the length.
  Tensor past(const Tensor& queries, StateView& state) const {
    constexpr int64_t kChunk = 64;
    const Tensor keys = state.get("new_keys"), values = state.get("new_values");
    HEED_CHECK(keys.size(2) == queries.size(2), "a query for each new key");
    Sums sums;
    if (state.has("values")) {
      sums.values = state.get("values");
      sums.weights = state.get("weights");
      if (efficient_) sums.highest = state.get("highest");
    }
    // Split at once: the gradient of a part that is cut out alone has the size of the whole.
    const auto of_queries = queries.split(kChunk, 2), of_keys = keys.split(kChunk, 2),
               of_values = values.split(kChunk, 2);
    std::vector<Tensor> contexts;
    for (size_t i = 0; i < of_queries.size(); ++i)
      contexts.push_back(read_chunk(sums, of_queries[i], of_keys[i], of_values[i]));
    state.put("values", sums.values);
    state.put("weights", sums.weights);
    if (efficient_) state.put("highest", sums.highest);
    return torch::cat(contexts, 2);
  }

  Tensor read_chunk(Sums& sums, Tensor queries, const Tensor& keys, const Tensor& values) const {
    Sums after = sums;
    const Tensor own = add(after, keys, values, {});  // [R,H,C,D]
    if (sums.highest.defined()) {
      const Tensor scale = (sums.highest - after.highest).exp();
      sums.values = sums.values * scale.unsqueeze(3);
      sums.weights = sums.weights * scale;
    }
    Tensor seen = own.cumsum(2);  // [R,H,C,D]
    if (sums.weights.defined()) seen = seen + sums.weights.unsqueeze(2);
    if (efficient_) queries = queries / seen.clamp_min(kSmallest);
    Tensor context = torch::matmul(torch::matmul(queries, own.transpose(2, 3)).tril(), values);
    if (sums.values.defined()) context = context + torch::matmul(queries, sums.values);
    sums = after;
    if (efficient_) return context;
    return context / (queries * seen).sum(-1, true).clamp_min(kSmallest);
  }

  // For pictures: what the sums amount to.  [R,H,T,S]
  Tensor weights(const Tensor& queries, const Tensor& positions, const StateView& state) const {
    const Tensor& keys = state.get("keys");
    Tensor open;  // [R,1,T|1,S]
    if (state.has("open")) {
      open = state.get("open").transpose(2, 3);
    } else {
      const Tensor places = torch::arange(keys.size(2), positions.options());
      open = (places.view({1, 1, -1}) <= positions.unsqueeze(2)).unsqueeze(1);
    }
    if (!efficient_) {
      const Tensor products = torch::matmul(queries, keys.transpose(2, 3)).masked_fill(~open, 0);
      return products / products.sum(-1, true).clamp_min(kSmallest);
    }
    const double lowest = lowest_score(keys.scalar_type());
    const Tensor places = torch::softmax(keys.unsqueeze(2).masked_fill(~open.unsqueeze(4), lowest),
                                         3);  // [R,H,T,S,D]
    return (places * queries.unsqueeze(3)).sum(-1).masked_fill(~open, 0);
  }

  bool efficient_;
  Tensor random_;  // w [M,D]
};

class Linformer final : public Projections {
 public:
  Linformer(const LinearConfig& config, const AttentionDims& dims) : Projections(config, dims) {
    key_places_ =
        register_parameter("key_places", torch::empty({config.slots, config.max_positions}));
    value_places_ =
        register_parameter("value_places", torch::empty({config.slots, config.max_positions}));
  }
  void start(const Sources& sources, StateView state) override {
    HEED_CHECK(sources.size() == 1, "this attention reads one source, not {}", sources.size());
    const Source& source = sources.begin()->second;
    const Tensor closed = ~source.mask.unsqueeze(1).unsqueeze(3);  // [R,1,S,1]
    // Places beyond the last one told apart are that one.
    const Tensor places = torch::arange(source.keys.size(1), source.positions.options())
                              .clamp_max(config_.max_positions - 1);
    const Tensor of_keys = key_places_.index_select(1, places),
                 of_values = value_places_.index_select(1, places);  // [slots,S]
    const auto projected = [&](const Tensor& to_slots, const Tensor& x) {
      return torch::matmul(to_slots, x.masked_fill(closed, 0));
    };
    state.put_shared("keys", projected(of_keys, heads_of(key_, source.keys)));
    state.put_shared("values", projected(of_values, heads_of(value_, source.values)));
    if (state.pass().keep_weights) {
      const Tensor open = source.mask.unsqueeze(1).to(of_values.scalar_type());  // [R,1,S]
      state.put_shared("slots", of_values * open);                               // [R,slots,S]
    }
    put_empty_rows(source, state);
  }
  void extend(const Tensor&, const Tensor&, const Tensor&, StateView) override {
    HEED_CHECK(false, "linformer over a growing past");
  }
  Attended attend(const Tensor& query, const Tensor&, StateView state) override {
    const Tensor queries = heads_of(query_, query);
    const double root = std::sqrt(static_cast<double>(queries.size(3)));
    const Tensor weights =
        torch::softmax(torch::matmul(queries / root, state.get("keys").transpose(2, 3)), -1);
    Attended attended = finished(torch::matmul(weights, state.get("values")), state);
    // How much of each place is in what was read of the slots; it may be less than nothing.
    if (state.pass().keep_weights)
      attended.weights = torch::matmul(weights, state.get("slots").unsqueeze(1));  // [R,H,T,S]
    return attended;
  }

 private:
  Tensor key_places_, value_places_;  // E, F [slots,P]
};

}  // namespace

void LinearConfig::fields(Fields& f) {
  static const Words<Features> words = {{"elu", Features::kElu},
                                        {"performer", Features::kPerformer},
                                        {"efficient", Features::kEfficient},
                                        {"linformer", Features::kLinformer}};
  f.choice("features", features, words, "feature map or projection");
  f.field("heads", heads, kPositive, "number of attention heads");
  f.field("random_features", random_features, kPositive,
          "performer: number of random features per head");
  f.field("slots", slots, kPositive, "linformer: length that a sentence is projected to");
  f.field("max_positions", max_positions, kPositive,
          "linformer: maximum length; later positions share the last projection");
}

void LinearConfig::check(const AttentionDims& dims, Problems& problems) const {
  if (features == Features::kLinformer) check_order(*this, dims, problems);
  if (dims.query % heads != 0 || context_width(dims) % heads != 0) {
    problems.add("heads",
                 fmt::format("{} heads do not divide the widths {} of queries and {} of values",
                             heads, dims.query, context_width(dims)));
  }
  if (features == Features::kLinformer && dims.place == Place::kDecoderSelf) {
    problems.add("features",
                 "linformer needs the whole sentence, which a decoder does not have: use elu, "
                 "performer or efficient");
  }
}

int64_t LinearConfig::context_width(const AttentionDims& dims) const {
  return dims.block > 0 ? dims.block : dims.value;
}

std::shared_ptr<Attention> LinearConfig::build(const AttentionDims& dims) const {
  if (features == Features::kLinformer) return std::make_shared<Linformer>(*this, dims);
  return std::make_shared<LinearAttention>(*this, dims);
}

namespace kinds {
Kind<AttentionConfig> linear() {
  return kind<LinearConfig, AttentionConfig>(
      "linear", "linear attention: elu, performer, efficient, linformer");
}
}  // namespace kinds

}  // namespace heed
