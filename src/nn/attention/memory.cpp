// `type: memory`: the read heads and the write head of a Neural Turing Machine, whose controller is
// the decoder (Graves, Wayne and Danihelka 2014, sections 3.1 and 3.2). At every query t
//   read    r_t = Σ_i w_t(i) M(i) of each read head, concatenated                    equation 2
//   write   M_t(i) = M_{t-1}(i) ⊙ (1 - w_t(i) e_t) + w_t(i) a_t of the write head    equations 3, 4
// with the weights of addressing.h, and e_t, between 0 and 1, and a_t of the query.
//   order: read_first   all heads address M_{t-1}, of which r_t is read; then the write head writes
//   order: write_first  the write head addresses M_{t-1} and writes, then the read heads address and
//                       read M_t, as in equations 2 and 5
//   initial: source     M_0 is the encoder output, a row for each position, M_0(i) = W [k_i; v_i]
//   initial: learned    M_0 is a parameter; constant: its numbers are 1e-6
// Before the first query every head is at the first row. Rows of the source have the only weights
// that are over its positions; those of a memory of its own and of the write head are parts of the
// result.
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

constexpr double kConstant = 1e-6;  // of a constant initial memory

class MemoryAttention final : public Attention {
 public:
  MemoryAttention(const MemoryConfig& config, const AttentionDims& dims);
  void start(const Sources& sources, StateView state) override;
  Attended attend(const Tensor& query, const Tensor& positions, StateView state) override;

 private:
  const Tensor& state_of(const StateView& state) const {
    return writer_ ? state.get(written_) : state.get(rows_read_);
  }
  Tensor first_memory(const Sources& sources, const StateView& state);
  // Weights [R,H,S] of all heads; with write_first changes the memory [R,S,M].
  Tensor address_and_write(const Address& address, const Change& change, const Tensor& previous,
                           const Circle& circle, Tensor& memory) const;
  Attended attended(const std::vector<Tensor>& reads, const std::vector<Tensor>& weights,
                    const Pass& pass);

  int64_t heads_, radius_;
  bool writes_first_, has_own_rows_;
  Linear rows_;                             // W
  int64_t own_rows_, width_;                // of a memory without rows of the source; M
  Tensor initial_;                          // learned M_0 [S,M]
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
      writes_first_(config.order == MemoryConfig::Order::kWriteFirst),
      has_own_rows_(config.has_own_rows()),
      own_rows_(config.rows),
      width_(config.row_width(dims)) {
  if (!has_own_rows_)
    rows_ = Linear(*this, "rows", dims.source.key + dims.source.value, width_, kNoBias);
  if (config.initial == MemoryConfig::Initial::kLearned)
    initial_ = add_parameter("initial", {own_rows_, width_}, Init::matrix());
  addressing_ = register_module(
      "addressing",
      std::make_shared<Addressing>(dims.query, heads_ + (config.write ? 1 : 0), width_, radius_));
  if (config.write)
    writer_ = register_module("writer", std::make_shared<WriteHead>(dims.query, width_));
  if (dims.block > 0) output_ = Linear(*this, "output", heads_ * width_, dims.block);
}

// Also stores the number of rows.  [N,S,M]
Tensor MemoryAttention::first_memory(const Sources& sources, const StateView& state) {
  if (has_own_rows_) {
    const Tensor like = addressing_->parameters().front().detach();
    state.put(lengths_,
              torch::full({state.sentences()}, own_rows_, like.options().dtype(torch::kLong)));
    const Tensor one =
        initial_.defined() ? initial_ : torch::full({own_rows_, width_}, kConstant, like.options());
    return one.unsqueeze(0).expand({state.sentences(), -1, -1});
  }
  HEED_CHECK(sources.size() == 1, "this attention reads one source, not {}", sources.size());
  const Source& source = sources.begin()->second;
  state.put(lengths_, source.lengths);
  empty_.put(source, state);
  return rows_(torch::cat({source.keys, source.values}, 2));
}

void MemoryAttention::start(const Sources& sources, StateView state) {
  const Tensor memory = first_memory(sources, state);
  const Tensor first = length_mask(state.get(lengths_).clamp_max(1), memory.size(1));
  state.put(previous_,
            first.to(memory.scalar_type()).unsqueeze(1).repeat({1, heads_ + (writer_ ? 1 : 0), 1}));
  if (writer_) {
    state.put(written_, memory);
  } else {
    state.put(rows_read_, memory);
    state.put(directions_, unit(memory));
  }
}

// [R,H,…] of hypotheses as [N,B·H,…] of their sentences, and back.
Tensor in_rows(const Tensor& x, int64_t rows) {
  return x.defined() ? x.reshape({rows, -1, x.size(2)}) : x;
}
Address in_rows(const Address& address, int64_t rows) {
  return {in_rows(address.key, rows), in_rows(address.strength, rows), in_rows(address.gate, rows),
          in_rows(address.sharpness, rows), in_rows(address.shift, rows)};
}

// Heads begin … begin+count-1.
Address of_heads(const Address& address, int64_t begin, int64_t count) {
  const auto part = [&](const Tensor& x) { return x.defined() ? x.narrow(1, begin, count) : x; };
  return {part(address.key), part(address.strength), part(address.gate), part(address.sharpness),
          part(address.shift)};
}

Tensor MemoryAttention::address_and_write(const Address& address, const Change& change,
                                          const Tensor& previous, const Circle& circle,
                                          Tensor& memory) const {
  if (!writes_first_) return Addressing::weights(address, unit(memory), previous, circle);
  const Tensor write = Addressing::weights(of_heads(address, heads_, 1), unit(memory),
                                           previous.narrow(1, heads_, 1), circle);
  memory = WriteHead::written(memory, write.squeeze(1), change);
  const Tensor read = Addressing::weights(of_heads(address, 0, heads_), unit(memory),
                                          previous.narrow(1, 0, heads_), circle);
  return torch::cat({read, write}, 1);
}

// A memory without a write head is stored once per sentence, whose hypotheses are treated as more
// heads.
Attended MemoryAttention::attend(const Tensor& query, const Tensor&, StateView state) {
  const int64_t hypotheses = state.hypotheses();
  Tensor memory = state_of(state);  // [R|N,S,M]
  Tensor weights = in_rows(state.get(previous_), memory.size(0));
  const Circle circle(writer_ ? state.by_row(lengths_) : state.get(lengths_), memory.size(1),
                      radius_);
  const Tensor queries = by_hypothesis(query, hypotheses);  // [R,T,W]
  const std::vector<Address> addresses = addressing_->addresses(queries);
  const std::vector<Change> changes = writer_ ? writer_->changes(queries) : std::vector<Change>();
  std::vector<Tensor> reads, all;
  for (size_t t = 0; t < addresses.size(); ++t) {
    weights = writer_ ? address_and_write(addresses[t], changes[t], weights, circle, memory)
                      : Addressing::weights(in_rows(addresses[t], memory.size(0)),
                                            state.get(directions_), weights, circle);
    const Tensor read = writer_ ? weights.narrow(1, 0, heads_) : weights;
    all.push_back(in_rows(weights, state.rows()));                        // [R,H,S]
    reads.push_back(in_rows(torch::matmul(read, memory), state.rows()));  // r [R,H,M]
    if (writer_ && !writes_first_)
      memory = WriteHead::written(memory, weights.select(1, heads_), changes[t]);
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
  const auto add_part = [&](Part part, int64_t begin, int64_t count) {
    Attended& added = result.parts.emplace_back();
    added.weights = all.narrow(1, begin, count);
    added.part = part;
  };
  if (has_own_rows_) {
    add_part(Part::kRead, 0, heads_);
  } else {
    result.weights = all.narrow(1, 0, heads_);
  }
  if (writer_) add_part(Part::kWrite, heads_, 1);
  return result;
}

}  // namespace

std::shared_ptr<Attention> builders::memory(const AttentionConfig& config,
                                            const AttentionDims& dims) {
  return std::make_shared<MemoryAttention>(settings_as<MemoryConfig>(config), dims);
}

}  // namespace heed
