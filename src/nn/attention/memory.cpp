// `type: memory`: the read heads and the write head of a Neural Turing Machine, whose controller is
// the decoder (Graves, Wayne and Danihelka 2014, sections 3.1 and 3.2). The initial memory is the
// encoder output, a row for each position, M_0(i) = W [k_i; v_i]. At every query
//   read    r_t = Σ_i w_t(i) M_{t-1}(i) of each read head, concatenated              equation 2
//   write   M_t(i) = M_{t-1}(i) ⊙ (1 - w_t(i) e_t) + w_t(i) a_t of the write head    equations 3, 4
// with the weights of addressing.h: a query reads the memory that earlier queries have written, and
// then writes. It gives e_t, between 0 and 1, and a_t. Before the first query every head is at the
// first position. The only rows are those of the source, so that the weights are over its
// positions; those of the write head are a separate part of the result.
#include "nn/torch.h"

#include "base/error.h"
#include "nn/attention/addressing.h"
#include "nn/attention/builders.h"
#include "nn/attention/empty_rows.h"
#include "nn/attention/memory_config.h"
#include "nn/attention/unit.h"
#include "nn/linear.h"

namespace heed {

namespace {

// Erase and add vectors of one query.
struct Change {
  Tensor erase, add;  // e, a [R,1,M]
};

class WriteHead final : public Module {
 public:
  WriteHead(int64_t query, int64_t width)
      : erase_(*this, "erase", query, width), add_(*this, "add", query, width) {}
  // For each of the queries [R,T,W].
  std::vector<Change> changes(const Tensor& queries) {
    const auto erase = torch::sigmoid(erase_(queries)).split(1, 1), add = add_(queries).split(1, 1);
    std::vector<Change> list;
    for (size_t t = 0; t < erase.size(); ++t) list.push_back({erase[t], add[t]});
    return list;
  }
  // The memory [R,S,M] after writing with weights [R,S].
  static Tensor written(const Tensor& memory, const Tensor& weights, const Change& change) {
    const Tensor where = weights.unsqueeze(2);
    return memory * (1 - where * change.erase) + where * change.add;
  }

 private:
  Linear erase_, add_;
};

class MemoryAttention final : public Attention {
 public:
  MemoryAttention(const MemoryConfig& config, const AttentionDims& dims);
  void start(const Sources& sources, StateView state) override;
  Attended attend(const Tensor& query, const Tensor& positions, StateView state) override;

 private:
  const Tensor& state_of(const StateView& state) const {
    return writer_ ? state.get(written_) : state.get(rows_read_);
  }
  Attended attended(const std::vector<Tensor>& reads, const std::vector<Tensor>& weights,
                    const Pass& pass);

  int64_t heads_, radius_;
  Linear rows_;
  std::shared_ptr<Addressing> addressing_;  // of the read heads and, behind them, the write head
  std::shared_ptr<WriteHead> writer_;       // none where nothing is written
  Linear output_;                           // inside a block
  CarrySlot previous_ = layout_.carry("previous");        // [R,H,S] weights
  CarrySlot written_ = layout_.carry("written");          // M [R,S,M], where it is written
  MemorySlot rows_read_ = layout_.memory("rows");         // M [N,S,M], where it is not,
  MemorySlot directions_ = layout_.memory("directions");  // and each row of length 1
  MemorySlot lengths_ = layout_.memory("lengths");        // [N]
  EmptyRows empty_{layout_};
};

MemoryAttention::MemoryAttention(const MemoryConfig& config, const AttentionDims& dims)
    : heads_(config.heads),
      radius_(config.shift),
      rows_(*this, "rows", dims.source.key + dims.source.value, config.row_width(dims), kNoBias) {
  const int64_t width = config.row_width(dims);
  addressing_ = register_module(
      "addressing",
      std::make_shared<Addressing>(dims.query, heads_ + (config.write ? 1 : 0), width, radius_));
  if (config.write)
    writer_ = register_module("writer", std::make_shared<WriteHead>(dims.query, width));
  if (dims.block > 0) output_ = Linear(*this, "output", heads_ * width, dims.block);
}

void MemoryAttention::start(const Sources& sources, StateView state) {
  HEED_CHECK(sources.size() == 1, "this attention reads one source, not {}", sources.size());
  const Source& source = sources.begin()->second;
  const Tensor memory = rows_(torch::cat({source.keys, source.values}, 2));  // [R,S,M]
  const Tensor first = length_mask(source.lengths.clamp_max(1), memory.size(1));
  state.put(previous_,
            first.to(memory.scalar_type()).unsqueeze(1).repeat({1, heads_ + (writer_ ? 1 : 0), 1}));
  state.put(lengths_, source.lengths);
  if (writer_) {
    state.put(written_, memory);
  } else {
    state.put(rows_read_, memory);
    state.put(directions_, unit(memory));
  }
  empty_.put(source, state);
}

// [R,H,…] of hypotheses as [N,B·H,…] of their sentences, and back.
Tensor in_rows(const Tensor& x, int64_t rows) {
  return x.defined() ? x.reshape({rows, -1, x.size(2)}) : x;
}
Address in_rows(const Address& address, int64_t rows) {
  return {in_rows(address.key, rows), in_rows(address.strength, rows), in_rows(address.gate, rows),
          in_rows(address.sharpness, rows), in_rows(address.shift, rows)};
}

// A memory without a write head is stored once per sentence, whose hypotheses are treated as more
// heads.
Attended MemoryAttention::attend(const Tensor& query, const Tensor&, StateView state) {
  const int64_t hypotheses = state.hypotheses();
  Tensor memory = state_of(state);  // [R|N,S,M]
  Tensor directions = writer_ ? Tensor() : state.get(directions_);
  Tensor weights = in_rows(state.get(previous_), memory.size(0));
  const Circle circle(writer_ ? state.by_row(lengths_) : state.get(lengths_), memory.size(1),
                      radius_);
  const Tensor queries = by_hypothesis(query, hypotheses);  // [R,T,W]
  const std::vector<Address> addresses = addressing_->addresses(queries);
  const std::vector<Change> changes = writer_ ? writer_->changes(queries) : std::vector<Change>();
  std::vector<Tensor> reads, all;
  for (size_t t = 0; t < addresses.size(); ++t) {
    if (writer_) directions = unit(memory);
    weights =
        Addressing::weights(in_rows(addresses[t], memory.size(0)), directions, weights, circle);
    const Tensor read = writer_ ? weights.narrow(1, 0, heads_) : weights;
    all.push_back(in_rows(weights, state.rows()));                        // [R,H,S]
    reads.push_back(in_rows(torch::matmul(read, memory), state.rows()));  // r [R,H,M]
    if (writer_) memory = WriteHead::written(memory, weights.select(1, heads_), changes[t]);
  }
  state.put(previous_, all.back());
  if (writer_) state.put(written_, memory);
  Attended result = by_sentence(attended(reads, all, state.pass()), hypotheses);
  result.context = empty_.without(result.context, state);
  return result;
}

Attended MemoryAttention::attended(const std::vector<Tensor>& reads,
                                   const std::vector<Tensor>& weights, const Pass& pass) {
  Attended result;
  const Tensor context = torch::stack(reads, 1).flatten(2);  // [R,T,H·M]
  result.context = output_ ? output_(context) : context;
  if (!pass.keep_weights) return result;
  const Tensor all = torch::stack(weights, 2);  // [R,H,T,S]
  result.weights = all.narrow(1, 0, heads_);
  if (!writer_) return result;
  Attended& part = result.parts.emplace_back();
  part.weights = all.narrow(1, heads_, 1);
  part.part = Part::kWrite;
  return result;
}

}  // namespace

std::shared_ptr<Attention> builders::memory(const AttentionConfig& config,
                                            const AttentionDims& dims) {
  return std::make_shared<MemoryAttention>(settings_as<MemoryConfig>(config), dims);
}

}  // namespace heed
