#include "inference/sources_attention.h"

#include <algorithm>

#include "inference/columns.h"
#include "model/parameter_names_spec.h"

namespace heed {

namespace {

using Combination = SourcesAttentionShape::Combination;

// An attention over each source that is read. combine() makes one of their context vectors.
class SeparateAttentions : public SourcesAttention {
 public:
  SeparateAttentions(const SourcesAttentionShape& shape, const Packer& packer, const Kernels& set)
      : shape_(shape), set_(set) {
    for (const auto& part : shape.parts)
      parts_.emplace_back(part.shape, part.attention, parts_.size(), packer, set);
  }

  std::vector<AttendedSources> sources(const std::vector<Encoded>& encoded,
                                       size_t sentences) const override {
    std::vector<AttendedSources> attended(sentences);
    for (size_t i = 0; i < parts_.size(); ++i)
      parts_[i].add_sources(encoded[shape_.parts[i].source], attended);
    return attended;
  }

  void attend(const float* states, const Sentences<AttendedSources>& sentences,
              StepWeights* weights, CoverageOfParts& coverage, Workspace& room,
              AlignedFloats& context) const final {
    room.contexts.resize(parts_.size());
    for (size_t i = 0; i < parts_.size(); ++i)
      parts_[i].attend(states, sentences, i == 0 ? weights : nullptr, coverage.of(i), room.part,
                       room.contexts[i]);
    combine(states, sentences, room, context);
  }

 protected:
  // Writes the context vector of each row, made of room.contexts, which has those of each part.
  virtual void combine(const float* states, const Sentences<AttendedSources>& sentences,
                       Workspace& room, AlignedFloats& context) const = 0;

  SourcesAttentionShape shape_;
  const Kernels& set_;
  std::vector<StateAttention> parts_;
};

// The only attention, or none.
class Single final : public SeparateAttentions {
  using SeparateAttentions::SeparateAttentions;
  void combine(const float*, const Sentences<AttendedSources>&, Workspace& room,
               AlignedFloats& context) const override {
    if (!room.contexts.empty()) context.swap(room.contexts[0]);
  }
};

class Concatenated final : public SeparateAttentions {
  using SeparateAttentions::SeparateAttentions;
  void combine(const float*, const Sentences<AttendedSources>& sentences, Workspace& room,
               AlignedFloats& context) const override {
    std::vector<Columns> columns;
    for (size_t i = 0; i < parts_.size(); ++i)
      columns.push_back({&room.contexts[i], shape_.parts[i].shape.context()});
    join_columns(columns, sentences.rows(), context);
  }
};

class Added final : public SeparateAttentions {
  using SeparateAttentions::SeparateAttentions;
  void combine(const float*, const Sentences<AttendedSources>&, Workspace& room,
               AlignedFloats& context) const override {
    context = room.contexts[0];
    for (size_t i = 1; i < parts_.size(); ++i)
      set_.add(room.contexts[i].data(), std::ssize(context), context.data());
  }
};

// e_k = vᵀ tanh(W q + U_b^k c_k), β = softmax(e) over the sources that a sentence has, c = Σ β_k U_c^k c_k
class Hierarchical final : public SeparateAttentions {
 public:
  Hierarchical(const SourcesAttentionShape& shape, const Packer& packer, const Kernels& set)
      : SeparateAttentions(shape, packer, set),
        query_(packer.linear({names::kSourcesQuery})),
        energy_(packer.linear({names::kSourcesEnergy})) {
    for (const auto& part : shape.parts) {
      keys_.push_back(packer.linear({names::source_keys(part.name)}));
      values_.push_back(packer.linear({names::source_values(part.name)}));
    }
  }

 private:
  void combine(const float* states, const Sentences<AttendedSources>& sentences, Workspace& room,
               AlignedFloats& context) const override {
    const int64_t rows = sentences.rows(), width = shape_.query;
    const auto count = static_cast<size_t>(rows * width);
    const size_t parts = parts_.size();
    room.asked.resize(count);
    query_.product(states, rows, room.asked.data());
    room.keys.resize(parts);
    room.values.resize(parts);
    room.energies.resize(parts * static_cast<size_t>(rows));
    for (size_t k = 0; k < parts; ++k) {
      room.keys[k].resize(count);
      room.values[k].resize(count);
      keys_[k].product(room.contexts[k].data(), rows, room.keys[k].data());
      values_[k].product(room.contexts[k].data(), rows, room.values[k].data());
      set_.add(room.asked.data(), rows * width, room.keys[k].data());
      set_.tanh(room.keys[k].data(), rows * width);
      energy_.product(room.keys[k].data(), rows,
                      room.energies.data() + static_cast<int64_t>(k) * rows);
    }
    context.resize(count);
    for (int64_t r = 0; r < rows; ++r) weigh(sentences.of(r), r, rows, room, context);
  }

  void weigh(const AttendedSources& sources, int64_t row, int64_t rows, Workspace& room,
             AlignedFloats& context) const {
    const int64_t width = shape_.query;
    float* to = context.data() + row * width;
    room.gathered.clear();
    room.scores.clear();
    for (size_t k = 0; k < sources.size(); ++k) {
      if (sources[k].keys == 0) continue;
      room.scores.push_back(room.energies[k * static_cast<size_t>(rows) + row]);
      const float* value = room.values[k].data() + row * width;
      room.gathered.insert(room.gathered.end(), value, value + width);
    }
    const auto present = std::ssize(room.scores);
    if (present == 0) {
      std::fill_n(to, width, 0.0F);
      return;
    }
    room.scores.resize(static_cast<size_t>(filled_up(present, kSumLanes)), 0.0F);
    set_.weigh(room.scores.data(), present, room.gathered.data(), width, width, to);
  }

  PackedMatrix query_, energy_;              // W, v
  std::vector<PackedMatrix> keys_, values_;  // U_b^k, U_c^k
};

// The weights s over a document and its context vector, which no state changes: those of the words of
// a query, weighted by attention over these (nn/attention/attention_over_attention.cpp).
class OverAttention final : public SourcesAttention {
 public:
  OverAttention(const SourcesAttentionShape& shape, const Kernels& set)
      : shape_(shape), set_(set) {}

  // Keys are the weights s, the value is the context vector.
  std::vector<AttendedSources> sources(const std::vector<Encoded>& encoded,
                                       size_t sentences) const override {
    const Encoded &document = encoded[shape_.parts[0].source],
                  &query = encoded[shape_.parts[1].source];
    std::vector<AttendedSources> attended(sentences);
    for (size_t i = 0; i < sentences; ++i) {
      SourceStates& own = attended[i].emplace_back();
      own.keys = document.begins[i + 1] - document.begins[i];
      own.values_of.assign(static_cast<size_t>(shape_.context), 0.0F);
      own.keys_of.assign(static_cast<size_t>(own.keys), 0.0F);
      weigh(states_of(document, i), states_of(query, i), own);
      read(document.read().data() + document.begins[i] * shape_.context, own);
    }
    return attended;
  }

  void attend(const float*, const Sentences<AttendedSources>& sentences, StepWeights* weights,
              CoverageOfParts&, Workspace&, AlignedFloats& context) const override {
    const int64_t rows = sentences.rows(), width = shape_.context;
    context.resize(static_cast<size_t>(rows * width));
    for (int64_t r = 0; r < rows; ++r) {
      const SourceStates& source = sentences.of(r)[0];
      std::ranges::copy(source.values_of, context.data() + r * width);
      if (weights != nullptr) std::ranges::copy(source.keys_of, weights->of(r));
    }
  }

 private:
  struct States {
    const float* x;  // [count,W]
    int64_t count, width;
  };
  static States states_of(const Encoded& source, size_t i) {
    const int64_t width = std::ssize(source.states) / std::max<int64_t>(1, source.begins.back());
    return {source.states.data() + source.begins[i] * width,
            source.begins[i + 1] - source.begins[i], width};
  }

  // The softmax of the products of each row of `a` with those of `b`.  [a,b]
  AlignedFloats weights_of(const States& a, const States& b) const {
    const PackedMatrix keys(set_, Precision::kFloat, b.x, b.count, b.width);
    AlignedFloats weights(static_cast<size_t>(a.count * b.count)), row;
    keys.product(a.x, a.count, weights.data());
    row.resize(static_cast<size_t>(filled_up(b.count, kSumLanes)));
    for (int64_t i = 0; i < a.count; ++i) {
      float* own = weights.data() + i * b.count;
      std::copy_n(own, b.count, row.data());
      set_.weigh(row.data(), b.count, nullptr, 0, 0, nullptr);
      std::copy_n(row.data(), b.count, own);
    }
    return weights;
  }

  void weigh(const States& document, const States& query, SourceStates& own) const {
    if (document.count == 0 || query.count == 0) return;
    const AlignedFloats alpha = weights_of(query, document), each = weights_of(document, query);
    AlignedFloats beta(static_cast<size_t>(query.count), 0.0F);
    for (int64_t i = 0; i < document.count; ++i)
      set_.add(each.data() + i * query.count, query.count, beta.data());
    for (int64_t j = 0; j < query.count; ++j) {
      const float weight = beta[j] / static_cast<float>(document.count);
      for (int64_t i = 0; i < document.count; ++i)
        own.keys_of[i] += weight * alpha[j * document.count + i];
    }
  }

  // values [keys,V]
  void read(const float* values, SourceStates& own) const {
    for (int64_t s = 0; s < own.keys; ++s) {
      for (int64_t i = 0; i < shape_.context; ++i)
        own.values_of[i] += own.keys_of[s] * values[s * shape_.context + i];
    }
  }

  SourcesAttentionShape shape_;
  const Kernels& set_;
};

}  // namespace

std::unique_ptr<const SourcesAttention> make_attention(const SourcesAttentionShape& shape,
                                                       const Packer& packer, const Kernels& set) {
  switch (shape.combine) {
    case Combination::kOne:
      return std::make_unique<Single>(shape, packer, set);
    case Combination::kConcatenate:
      return std::make_unique<Concatenated>(shape, packer, set);
    case Combination::kAdd:
      return std::make_unique<Added>(shape, packer, set);
    case Combination::kHierarchical:
      return std::make_unique<Hierarchical>(shape, packer, set);
    case Combination::kOverAttention:
      return std::make_unique<OverAttention>(shape, set);
  }
  return nullptr;
}

}  // namespace heed
