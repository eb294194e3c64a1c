// Linear attention (`type: linear`): no matrix of queries by keys, so that time and memory are linear
// in the length; over a decoder's past, elu, performer and efficient keep running sums, O(1) a step.
//   elu         φ(x) = elu(x) + 1 (Katharopoulos et al. 2020, equation 7)
//   performer   φ(x) = exp(w_m·x' - |x'|²/2) / √M, x' = x / D^(1/4), with orthogonal random features
//               w, not learned, by default redrawn at intervals (Choromanski et al. 2021, equation
//               5 and section 4.2: FAVOR+). The maximum exponent is subtracted before exp: for a
//               query over its features, for keys over the keys so far, feature by feature; running
//               sums are rescaled when it grows
//               (both: c_i = Σ_j φ(q_i)·φ(k_j) v_j / Σ_j φ(q_i)·φ(k_j))
//   efficient   c_i = softmax(q_i) Σ_j softmax_j(k_j) v_jᵀ, over the features of a query and over
//               the positions, for each feature of the keys (Shen et al. 2019, section 3.2)
//   linformer   softmax over keys and values projected from S positions to a fixed number (Wang et
//               al. 2020, equation 7); not over a decoder's past, which grows
#include <cmath>

#include "nn/torch.h"

#include "base/error.h"
#include "nn/attention/builders.h"
#include "nn/attention/linear_projections.h"
#include "nn/attention/normalizers/masked_softmax.h"
#include "nn/random_matrices.h"
#include "nn/redrawn.h"

namespace heed {

namespace {

constexpr double kSmallest = 1e-20;  // lower bound of divisors
constexpr double kLowest = -1e30;    // exponent of a sum over nothing

// Running sums over the keys so far, for each head and feature: `values` [R,H,D,V] of φ(k) vᵀ and
// `weights` [R,H,D] of φ(k). If features are exponentials, the sums are those of exp(k - highest).
struct Sums {
  Tensor values, weights;
  Tensor highest;  // [R,H,D]
};

// Rows that are orthogonal in blocks of D. Each has the norm of a normal vector, hence is normally
// distributed (Choromanski et al. 2021, section 3.2).  [M,D]
Tensor orthogonal_features(int64_t count, int64_t width, uint64_t key) {
  if (const Tensor shape = torch::empty({count, width}); shape.is_meta()) return shape;
  RandomStream stream(key);
  std::vector<Tensor> blocks;
  for (int64_t rows = 0; rows < count; rows += width) {
    const Tensor orthogonal = draw_orthogonal(width, width, stream);
    blocks.push_back(orthogonal * draw_normal({width, width}, 1, stream).norm(2, 1, true));
  }
  return torch::cat(blocks).narrow(0, 0, count).to(torch::kFloat);
}

class LinearAttention final : public LinearProjections, public Redrawn {
 public:
  enum class Features { kElu, kEfficient };
  LinearAttention(const LinearConfig& config, Features features, const AttentionDims& dims)
      : LinearProjections(config, dims),
        efficient_(features == Features::kEfficient),
        performer_(false) {}
  LinearAttention(const LinearConfig& config, const PerformerFeatures& own,
                  const AttentionDims& dims)
      : LinearProjections(config, dims), efficient_(false), performer_(true) {
    const int64_t width = dims.query / heads_, count = own.count(width);
    if (own.draw == PerformerFeatures::Draw::kShared) {
      random_ =
          register_buffer("random", orthogonal_features(count, width, stream_key(0, "performer")));
    } else {
      random_ = register_buffer("random", torch::empty({heads_, count, width}));
      interval_ = own.redraw;
      LinearAttention::draw(0);
    }
  }

  void draw(uint64_t key) override {
    if (!performer_ || random_.is_meta() || random_.dim() == 2) return;  // one draw for all
    const torch::NoGradGuard no_grad;
    for (int64_t h = 0; h < heads_; ++h) {
      random_[h].copy_(
          orthogonal_features(random_.size(1), random_.size(2), stream_key(key, "head", h)));
    }
  }
  int64_t interval() const override { return interval_; }

  void start(const Sources& sources, StateView state) override {
    HEED_CHECK(sources.size() == 1, "this attention reads one source, not {}", sources.size());
    const Source& source = sources.begin()->second;
    const Tensor keys = key_features(keys_of(source.keys));     // [R,H,S,D]
    const Tensor open = source.mask.unsqueeze(1).unsqueeze(3);  // [R,1,S,1]
    Sums sums;
    add(sums, keys, values_of(source.values), open);
    state.put(values_, sums.values);
    state.put(weights_, sums.weights);
    if (performer_) state.put(highest_, sums.highest);
    empty_.put(source, state);
    if (!state.pass().keep_weights) return;
    state.put(keys_, keys);
    state.put(open_, open);
  }

  Attended attend(const Tensor& query, const Tensor&, StateView state) override {
    const Tensor queries = query_features(queries_of(query));  // [R,H,T,D]
    Attended attended = finished(read(queries, state), state);
    if (state.pass().keep_weights)
      attended.weights = weights(queries, state.get(keys_), state.get(open_).transpose(2, 3));
    return attended;
  }

  Attended attend_past(const Tensor& keys, const Tensor& values, const Tensor& query,
                       const Tensor& positions, StateView state) override {
    const Tensor queries = query_features(queries_of(query)),  // [R,H,T,D]
        features = key_features(keys_of(keys));
    Attended attended = finished(past(queries, features, values_of(values), state), state);
    if (!state.pass().keep_weights) return attended;
    const Tensor all = state.append(past_keys_, features);
    const Tensor key_positions = torch::arange(all.size(2), positions.options());
    const Tensor open = (key_positions.view({1, 1, -1}) <= positions.unsqueeze(2)).unsqueeze(1);
    attended.weights = weights(queries, all, open);
    return attended;
  }

 private:
  // True if the features of keys are exponentials, whose exponents are stored.
  bool has_exponents() const { return efficient_ || performer_; }

  // Exponents of performer.  [R,H,T,M]
  Tensor exponents(const Tensor& x) const {
    const Tensor small = x / std::pow(static_cast<double>(x.size(3)), 0.25);
    return torch::matmul(small, random_.to(x.scalar_type()).transpose(-1, -2)) -
           small.square().sum(-1, true) / 2 - std::log(static_cast<double>(random_.size(-2))) / 2;
  }
  // Exponents for performer, φ for the others.
  Tensor query_features(const Tensor& x) const {
    if (efficient_) return torch::softmax(x, -1);
    return performer_ ? exponents(x) : torch::elu(x) + 1;
  }
  Tensor key_features(const Tensor& x) const {
    if (efficient_) return x;
    return performer_ ? exponents(x) : torch::elu(x) + 1;
  }
  // φ of queries for sums of exp(k - highest), up to a factor of each query, which cancels in the
  // division.
  Tensor against(const Tensor& queries, const Tensor& highest) const {
    if (!performer_) return queries;
    const Tensor exponent = queries + highest.unsqueeze(2);
    return (exponent - exponent.amax(-1, true).detach()).exp();
  }

  // Adds keys [R,H,S,D] and values [R,H,S,V] to the sums; returns the summands of `weights`.
  Tensor add(Sums& sums, Tensor keys, const Tensor& values, const Tensor& open) const {
    if (has_exponents()) {
      const double lowest = lowest_score(keys.scalar_type());
      const Tensor hidden = open.defined() ? keys.masked_fill(~open, lowest) : keys;
      Tensor highest = hidden.amax(2).detach();  // any number is valid here, so no gradient is lost
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

  // Attends to another sequence, or to a whole one.
  Tensor read(const Tensor& queries, const StateView& state) const {
    const Tensor& values = state.get(values_);
    const Tensor& weights = state.get(weights_);
    if (efficient_)
      return torch::matmul(queries / weights.unsqueeze(2).clamp_min(kSmallest), values);
    const Tensor phi = performer_ ? against(queries, state.get(highest_)) : queries;
    return torch::matmul(phi, values) /
           torch::matmul(phi, weights.unsqueeze(3)).clamp_min(kSmallest);
  }

  // Attends to the decoder's own past and to the new keys up to each query, chunk by chunk, with a
  // small square matrix inside a chunk. Time and memory are therefore linear in the length.
  Tensor past(const Tensor& queries, const Tensor& keys, const Tensor& values,
              const StateView& state) const {
    constexpr int64_t kChunk = 64;
    HEED_CHECK(keys.size(2) == queries.size(2), "a query for each new key");
    Sums sums;
    if (state.has(past_values_)) {
      sums.values = state.get(past_values_);
      sums.weights = state.get(past_weights_);
      if (has_exponents()) sums.highest = state.get(past_highest_);
    }
    // Splits in one operation: the gradient of a single slice has the size of the whole tensor.
    const auto of_queries = queries.split(kChunk, 2), of_keys = keys.split(kChunk, 2),
               of_values = values.split(kChunk, 2);
    std::vector<Tensor> contexts;
    for (size_t i = 0; i < of_queries.size(); ++i)
      contexts.push_back(read_chunk(sums, of_queries[i], of_keys[i], of_values[i]));
    state.put(past_values_, sums.values);
    state.put(past_weights_, sums.weights);
    if (has_exponents()) state.put(past_highest_, sums.highest);
    return torch::cat(contexts, 2);
  }

  // Maximum growth of exponents inside a chunk: the sums of its first queries are smaller by up to
  // this factor.
  static double growth(const Sums& sums, const Tensor& keys) {
    const torch::NoGradGuard no_grad;
    const Tensor last = keys.amax(2), first = keys.select(2, 0);  // [R,H,D]
    if (!sums.highest.defined()) return (last - first).max().item<double>();
    return (torch::maximum(last, sums.highest) - torch::maximum(first, sums.highest))
        .max()
        .item<double>();
  }

  Tensor read_chunk(Sums& sums, Tensor queries, const Tensor& keys, const Tensor& values) const {
    constexpr double kMostGrowth = 30;  // e^-30 is far above kSmallest, and so is its square
    const int64_t count = keys.size(2), half = count / 2;
    if (has_exponents() && count > 1 && growth(sums, keys) > kMostGrowth) {
      const auto part = [&](const Tensor& x, bool second) {
        return x.narrow(2, second ? half : 0, second ? count - half : half);
      };
      const auto read_part = [&](bool second) {
        return read_chunk(sums, part(queries, second), part(keys, second), part(values, second));
      };
      const Tensor first = read_part(false);
      return torch::cat({first, read_part(true)}, 2);
    }
    Sums after = sums;
    const Tensor own = add(after, keys, values, {});  // [R,H,C,D]
    if (sums.highest.defined()) {
      const Tensor scale = (sums.highest - after.highest).exp();
      sums.values = sums.values * scale.unsqueeze(3);
      sums.weights = sums.weights * scale;
    }
    if (performer_) queries = against(queries, after.highest);
    Tensor seen = own.cumsum(2);  // [R,H,C,D]
    if (sums.weights.defined()) seen = seen + sums.weights.unsqueeze(2);
    if (efficient_) queries = queries / seen.clamp_min(kSmallest);
    Tensor context = torch::matmul(torch::matmul(queries, own.transpose(2, 3)).tril(), values);
    if (sums.values.defined()) context = context + torch::matmul(queries, sums.values);
    sums = after;
    if (efficient_) return context;
    return context / (queries * seen).sum(-1, true).clamp_min(kSmallest);
  }

  // For plots: the weights that the sums over keys [R,H,S,D] imply; open [R,1,T|1,S].  [R,H,T,S]
  Tensor weights(const Tensor& queries, const Tensor& keys, const Tensor& open) const {
    if (!efficient_) {
      Tensor phi = queries, of_keys = keys;
      if (performer_) {
        const Tensor readable = open.any(2).unsqueeze(3);  // [R,1,S,1]
        const Tensor highest =
            keys.masked_fill(~readable, lowest_score(keys.scalar_type())).amax(2);
        phi = against(queries, highest);
        of_keys = (keys - highest.unsqueeze(2)).clamp_max(0).exp();
      }
      const Tensor products = torch::matmul(phi, of_keys.transpose(2, 3)).masked_fill(~open, 0);
      return products / products.sum(-1, true).clamp_min(kSmallest);
    }
    const double lowest = lowest_score(keys.scalar_type());
    const Tensor normalized =
        torch::softmax(keys.unsqueeze(2).masked_fill(~open.unsqueeze(4), lowest),
                       3);  // [R,H,T,S,D]
    return (normalized * queries.unsqueeze(3)).sum(-1).masked_fill(~open, 0);
  }

  bool efficient_, performer_;
  Tensor random_;  // w [H,M,D], or [M,D] of all heads
  int64_t interval_ = 0;
  // Sums over a source: [N,H,D,V], [N,H,D], [N,H,D]; for plots also [N,H,S,D], [N,1,S,1].
  MemorySlot values_ = layout_.memory("values"), weights_ = layout_.memory("weights"),
             highest_ = layout_.memory("highest"), keys_ = layout_.memory("keys"),
             open_ = layout_.memory("open");
  // The same for the past.
  CarrySlot past_values_ = layout_.carry("past_values"),
            past_weights_ = layout_.carry("past_weights"),
            past_highest_ = layout_.carry("past_highest", kLowest);
  CacheSlot past_keys_ = layout_.cache("past_keys", 2);
};

}  // namespace

std::shared_ptr<Attention> builders::linear(const AttentionConfig& config,
                                            const AttentionDims& dims) {
  using Features = LinearAttention::Features;
  const auto& linear = settings_as<LinearConfig>(config);
  const FeaturesConfig& features = *linear.features;
  if (const auto* performer = dynamic_cast<const PerformerFeatures*>(&features))
    return std::make_shared<LinearAttention>(linear, *performer, dims);
  if (const auto* linformer = dynamic_cast<const LinformerFeatures*>(&features))
    return make_linformer(linear, *linformer, dims);
  const auto which = features.type == "efficient" ? Features::kEfficient : Features::kElu;
  return std::make_shared<LinearAttention>(linear, which, dims);
}

}  // namespace heed
