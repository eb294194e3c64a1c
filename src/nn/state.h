// State of the sentences that are being decoded: a value that the caller owns. Each module declares
// its entries in its constructor (Module::layout_):
//   carry   [R,…] a row for each hypothesis, replaced by each step: hidden states, sums
//   cache   [R,…] a row for each hypothesis, extended by each step: keys and values of the past
//   memory  [N,…] a row for each sentence, stored before the first step: keys, values and masks of
//           the source
// The B hypotheses of a sentence are adjacent rows, R = N·B; before the first step B = 1. Search
// reorders a state by gather() and join() without access to its entries.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "nn/pass.h"
#include "nn/tensor.h"

namespace heed {

class StateView;

// Handles of the entries of a state, returned by the layout that declares them.
struct CarrySlot {
  size_t slot = 0;
};
struct CacheSlot {
  size_t slot = 0;
};
struct MemorySlot {
  size_t slot = 0;
};
struct StateBlock {
  size_t begin = 0;  // first slot of another module's entries
};

// State entries of a module. A duplicate name is an InternalError. Sentences that are joined may
// differ in size: the smaller ones are padded with `fill`. An entry that only one side of join()
// has stored is `fill` for the sentences of the other side. get() of an entry that was never stored
// is an InternalError.
class StateLayout {
 public:
  StateLayout() = default;
  StateLayout(const StateLayout&) = delete;
  StateLayout& operator=(const StateLayout&) = delete;
  CarrySlot carry(const std::string& name, double fill = 0) {
    return {add({name, Kind::kCarry, 0, fill})};
  }
  // Declares a cache that grows along dimension `dim`: position i belongs to token i of the row.
  CacheSlot cache(const std::string& name, int64_t dim, double fill = 0) {
    return {add({name, Kind::kCache, dim, fill})};
  }
  MemorySlot memory(const std::string& name) { return {add({name, Kind::kMemory, 0, 0})}; }
  // Reserves slots for the entries of another module.
  StateBlock block(const std::string& name, const StateLayout& inner);

 private:
  friend class State;
  friend class StateView;
  enum class Kind { kCarry, kCache, kMemory };
  struct Slot {
    std::string name;
    Kind kind;
    int64_t dim;
    double fill;
  };
  void take_name(const std::string& name);
  size_t add(Slot slot);

  // Shared with the states that are made from this layout.
  std::shared_ptr<std::vector<Slot>> slots_ = std::make_shared<std::vector<Slot>>();
  std::set<std::string> names_;  // of slots and of blocks
};

class State {
 public:
  State() = default;
  // N sentences with one row each; all entries empty.
  State(const StateLayout& layout, int64_t sentences, const Pass& pass, torch::Device device);

  Tensor positions;  // [R] of the next token of each row
  Pass pass;

  int64_t rows() const { return positions.size(0); }          // R
  int64_t sentences() const { return rows() / hypotheses_; }  // N
  int64_t hypotheses() const { return hypotheses_; }          // B
  // Replaces row i by row rows[i]; hypotheses: their new number per sentence. Not checked: the new
  // rows of a sentence come from one sentence, and sentences keep their order.  rows [R']
  void gather(const Tensor& rows, int64_t hypotheses);
  // Appends sentences of the same layout and number of hypotheses. Without gradients.
  void join(State more);

  // The tensors that need a gradient; and a copy of the state with other tensors in their place, in
  // the same order. For layers that are computed again in the backward pass (nn/recompute.h).
  std::vector<Tensor> trained() const;
  State with_trained(const std::vector<Tensor>& tensors) const;

  StateView view();
  // All entries by name, for inspection.
  std::map<std::string, Tensor> contents() const;

 private:
  friend class StateView;
  // Content of a slot; undefined: never stored. In a cache the first `length` positions are in use,
  // the others are spare capacity. After join() each row has a separate length, `length` is the
  // maximum, and all positions after a row's length contain `fill`, including spare capacity.
  struct Content {
    Tensor tensor;
    int64_t length = 0;
    std::vector<int64_t> lengths{};  // [R]; empty: all the same
  };
  Tensor used(size_t slot) const;
  void make_room(size_t slot, int64_t length, const Tensor& like);
  void append(size_t slot, const Tensor& x);
  void append_to_each(size_t slot, const Tensor& x);
  // host_rows: the same on the CPU, for rows with separate lengths.
  void gather_cache(size_t slot, const Tensor& rows, const Tensor& host_rows);
  static void gather_lengths(Content& content, const Tensor& host_rows);
  void join_slot(size_t slot, Content more, int64_t own_rows, int64_t more_rows);

  std::shared_ptr<const std::vector<StateLayout::Slot>> slots_;
  std::vector<Content> contents_;
  int64_t hypotheses_ = 1;
};

// Access of one module to its entries of a state.
class StateView {
 public:
  StateView(State& state, size_t begin) : state_(&state), begin_(begin) {}

  bool has(CarrySlot part) const { return at(part.slot).defined(); }
  bool has(MemorySlot part) const { return at(part.slot).defined(); }
  // InternalError if the entry was never stored.
  const Tensor& get(CarrySlot part) const { return found(part.slot); }
  Tensor get(CacheSlot part) const { return found(part.slot), state_->used(begin_ + part.slot); }
  const Tensor& get(MemorySlot part) const { return found(part.slot); }
  // A memory, repeated for each hypothesis; for small tensors.  [R,…]
  Tensor by_row(MemorySlot part) const;
  void put(CarrySlot part, Tensor value) const;
  void put(MemorySlot part, Tensor value) const;
  // Appends x, in place without gradients; returns the whole cache.
  Tensor append(CacheSlot part, const Tensor& x) const;
  StateView operator[](StateBlock block) const { return {*state_, begin_ + block.begin}; }

  // The whole state, and a view of the same entries in another state of this layout.
  const State& whole() const { return *state_; }
  StateView in(State& other) const { return {other, begin_}; }

  Pass& pass() const { return state_->pass; }
  Tensor& positions() const { return state_->positions; }
  int64_t rows() const { return state_->rows(); }
  int64_t sentences() const { return state_->sentences(); }
  int64_t hypotheses() const { return state_->hypotheses(); }

 private:
  Tensor& at(size_t slot) const { return state_->contents_[begin_ + slot].tensor; }
  const StateLayout::Slot& slot(size_t slot) const { return (*state_->slots_)[begin_ + slot]; }
  const Tensor& found(size_t slot) const;

  State* state_;
  size_t begin_;
};

// Converts queries of the hypotheses of a sentence [N·B,T,…] to queries of the sentence [N,B·T,…],
// and back.
Tensor by_sentence(const Tensor& x, int64_t hypotheses);
Tensor by_hypothesis(const Tensor& x, int64_t hypotheses);

}  // namespace heed
