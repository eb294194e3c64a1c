// Sparse self-attention by distance (terms/strides.cpp) without a matrix of queries by keys (Child
// et al. 2019, section 5.3). Queries are computed in blocks that share their keys:
//   local    a block is C successive queries, its keys those up to k before and behind it: O(k T)
//   atrous   a block is the positions that are equal modulo k: O(T²/k), O(T √T) for k = √T
//   sparse   one softmax over the keys of both; those of distance 0 and k belong to the first
#include <algorithm>
#include <vector>

#include "nn/torch.h"

#include "base/fast_paths.h"
#include "nn/attention/fast/fast_path.h"
#include "nn/attention/heads.h"
#include "nn/attention/normalizers/masked_softmax.h"
#include "nn/attention/terms/strides_config.h"

namespace heed {

namespace {

// Pads dimension `dim` by zeros, or false.
Tensor padded(const Tensor& x, int64_t dim, int64_t before, int64_t behind) {
  if (before == 0 && behind == 0) return x;
  std::vector<int64_t> pad(static_cast<size_t>(2 * (x.dim() - 1 - dim)), 0);
  pad.insert(pad.end(), {before, behind});
  return torch::constant_pad_nd(x, pad);
}

// Queries in P blocks of C, each with the K keys that it may read. Positions are those of one
// sequence of length T.
class Blocks {
 public:
  virtual ~Blocks() = default;
  virtual int64_t keys_per_block() const = 0;  // K
  // [R,H,T,X] -> [R,H,P,C,X], and back
  virtual Tensor split(const Tensor& x) const = 0;
  virtual Tensor join(const Tensor& x) const = 0;
  // [R,G,T,X] -> [R,G,P,K,X]
  virtual Tensor keys_of(const Tensor& x) const = 0;
  // True for the keys that belong to a query.  [C,K]
  virtual Tensor pattern(const torch::Device& device) const = 0;

  // q·k.  queries [R,H,T,D], keys [R,G,T,D] -> [R,H,T,K]
  Tensor products(const Tensor& queries, const Tensor& keys) const {
    const Tensor grouped = by_group(split(queries), keys.size(1));
    const Tensor scores = torch::matmul(grouped, keys_of(keys).transpose(3, 4));
    return join(of_groups(scores, queries.size(1)));
  }
  // Σ a v.  weights [R,H,T,K], values [R,G,T,V] -> [R,H,T,V]
  Tensor sums(const Tensor& weights, const Tensor& values) const {
    const Tensor grouped = by_group(split(weights), values.size(1));
    return join(of_groups(torch::matmul(grouped, keys_of(values)), weights.size(1)));
  }
  // readable [R,T] -> [R,1,T,K]
  Tensor mask(const Tensor& readable) const {
    const Tensor keys = keys_of(readable.unsqueeze(1).unsqueeze(3)).transpose(3, 4);  // [R,1,P,1,K]
    return join(keys & pattern(readable.device()));
  }

 private:
  // The heads that share a head of keys as queries of one block: [R,H,P,C,X] as [R,G,P,H/G·C,X],
  // and back.
  static Tensor by_group(const Tensor& x, int64_t groups) {
    if (x.size(1) == groups) return x;
    return x.unflatten(1, {groups, -1}).transpose(2, 3).flatten(3, 4);
  }
  static Tensor of_groups(const Tensor& x, int64_t heads) {
    if (x.size(1) == heads) return x;
    return x.unflatten(3, {heads / x.size(1), -1}).transpose(2, 3).flatten(1, 2);
  }
};

class LocalBlocks final : public Blocks {
 public:
  LocalBlocks(int64_t k, int64_t length, bool causal)
      : k_(k),
        size_(block_size(k)),
        ahead_(causal ? 0 : k),
        length_(length),
        missing_((length + size_ - 1) / size_ * size_ - length) {}
  // Blocks of fewer queries would make products of libtorch slow.
  static int64_t block_size(int64_t k) { return std::max<int64_t>(k, 32); }

  int64_t keys_per_block() const override { return k_ + size_ + ahead_; }
  Tensor split(const Tensor& x) const override {
    return padded(x, 2, 0, missing_).unflatten(2, {-1, size_});
  }
  Tensor join(const Tensor& x) const override { return x.flatten(2, 3).narrow(2, 0, length_); }
  Tensor keys_of(const Tensor& x) const override {
    return padded(x, 2, k_, missing_ + ahead_)
        .unfold(2, keys_per_block(), size_)  // [R,G,P,X,K]
        .transpose(3, 4);
  }
  Tensor pattern(const torch::Device& device) const override {
    const auto options = torch::dtype(torch::kLong).device(device);
    const Tensor away = torch::arange(-k_, size_ + ahead_, options) -
                        torch::arange(size_, options).unsqueeze(1);  // j - i
    return (away >= -k_) & (away <= ahead_);
  }

 private:
  int64_t k_, size_, ahead_, length_, missing_;
};

class AtrousBlocks final : public Blocks {
 public:
  // nearest: the smallest distance, in steps of k
  AtrousBlocks(int64_t k, int64_t length, bool causal, int64_t nearest)
      : k_(k), steps_((length + k - 1) / k), length_(length), causal_(causal), nearest_(nearest) {}

  int64_t keys_per_block() const override { return steps_; }
  Tensor split(const Tensor& x) const override {
    return padded(x, 2, 0, steps_ * k_ - length_).unflatten(2, {steps_, k_}).transpose(2, 3);
  }
  Tensor join(const Tensor& x) const override {
    return x.transpose(2, 3).flatten(2, 3).narrow(2, 0, length_);
  }
  Tensor keys_of(const Tensor& x) const override { return split(x); }
  Tensor pattern(const torch::Device& device) const override {
    const Tensor step = torch::arange(steps_, torch::dtype(torch::kLong).device(device));
    const Tensor away = step - step.unsqueeze(1);
    const Tensor far = away.abs() >= nearest_;
    return causal_ ? far & (away <= 0) : far;
  }

 private:
  int64_t k_, steps_, length_;
  bool causal_;
  int64_t nearest_;
};

// True for the positions 0, 1, 2, … in each row [R,T].
bool is_one_sequence(const Tensor& positions) {
  return torch::equal(
      positions,
      torch::arange(positions.size(1), positions.options()).unsqueeze(0).expand_as(positions));
}

class BandedPath final : public FastPath {
 public:
  BandedPath(const StridedTermConfig& term, bool causal, double scale, double dropout)
      : k_(term.k),
        local_(term.is_local()),
        atrous_(term.is_atrous()),
        causal_(causal),
        scale_(scale),
        dropout_(dropout) {}

  // Dropout has a number for each query and key of the whole matrix.
  bool takes(const At& at, const KeysAndValues& memory) const override {
    const int64_t length = at.queries.size(2);
    return fast_paths() && !at.pass.keep_weights && !(at.pass.training && dropout_ > 0) &&
           memory.hypotheses == 1 && memory.keys.size(2) == length &&
           2 * keys_per_query(length) <= length && is_one_sequence(at.positions) &&
           is_one_sequence(memory.positions);
  }

  Attended attend(const Stages& stages, const At& at, const KeysAndValues& memory) const override {
    const bool past = !memory.mask.defined();
    const Tensor readable = past ? torch::ones_like(memory.positions, torch::kBool) : memory.mask;
    const Tensor queries = at.queries * scale_;
    const auto blocks = blocks_of(queries.size(2), causal_ || past);
    std::vector<Tensor> scores, masks;
    std::vector<int64_t> sizes;
    for (const auto& part : blocks) {
      scores.push_back(part->products(queries, memory.keys));
      masks.push_back(part->mask(readable));
      sizes.push_back(part->keys_per_block());
    }
    const Tensor mask = torch::cat(masks, 3);                            // [R,1,T,ΣK]
    const Tensor weights = masked_softmax(torch::cat(scores, 3), mask);  // [R,H,T,ΣK]
    const auto of_blocks = weights.split_with_sizes(sizes, 3);
    Tensor heads = blocks[0]->sums(of_blocks[0], memory.values);  // [R,H,T,V]
    if (blocks.size() > 1) heads = heads + blocks[1]->sums(of_blocks[1], memory.values);
    Attended result;
    result.context = context_of(heads, mask, stages, at, memory);
    return result;
  }

 private:
  std::vector<std::unique_ptr<Blocks>> blocks_of(int64_t length, bool causal) const {
    std::vector<std::unique_ptr<Blocks>> blocks;
    if (local_) blocks.push_back(std::make_unique<LocalBlocks>(k_, length, causal));
    const int64_t nearest = local_ ? 2 : 0;
    if (atrous_) blocks.push_back(std::make_unique<AtrousBlocks>(k_, length, causal, nearest));
    return blocks;
  }
  int64_t keys_per_query(int64_t length) const {
    int64_t keys = 0;
    for (const auto& part : blocks_of(length, false)) keys += part->keys_per_block();
    return keys;
  }

  int64_t k_;
  bool local_, atrous_;
  bool causal_;     // true: there is a term causal
  double scale_;    // of the scores
  double dropout_;  // probability, of the weights
};

}  // namespace

std::unique_ptr<FastPath> make_banded_path(const StagedConfig& config, const StageDims& dims) {
  StagedConfig without = config;
  const bool causal =
      std::erase_if(without.terms, [](const auto& term) { return term->type == "causal"; }) > 0;
  if (without.terms.size() != 1) return nullptr;
  const auto term = std::dynamic_pointer_cast<StridedTermConfig>(without.terms[0]);
  if (term == nullptr) return nullptr;
  without.terms.clear();
  const std::optional<double> scale = without.fused_scale(dims);
  return scale ? std::make_unique<BandedPath>(*term, causal, *scale, config.dropout) : nullptr;
}

}  // namespace heed
