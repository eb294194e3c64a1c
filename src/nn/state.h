// What a model keeps of the sentences that it decodes: a value that the caller owns. A module declares
// in its constructor what it keeps there (Module::keeps_):
//   carry   [R,…] a row for each hypothesis, replaced by each step: hidden states, sums
//   cache   [R,…] a row for each hypothesis, made longer by each step: keys and values of the past
//   memory  [N,…] a row for each sentence, put there before the first step: keys, values and masks of
//           the source
// The B hypotheses of a sentence stand side by side, R = N·B; before the first step B = 1. Search
// moves a state by gather() and join() and looks at nothing in it.
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

// Names of parts of a state, from the layout that they were declared in.
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
  size_t begin = 0;  // the first slot of what another module keeps
};

// What a module keeps. A name that was there already is an InternalError. Sentences that meet by
// join() may differ in their sizes: the smaller are padded with `fill`, which is also what a sentence
// has where nothing was put for it, so it is what a carry begins with.
class StateLayout {
 public:
  StateLayout() = default;
  StateLayout(const StateLayout&) = delete;
  StateLayout& operator=(const StateLayout&) = delete;
  CarrySlot carry(const std::string& name, double fill = 0) {
    return {add({name, Kind::kCarry, 0, fill})};
  }
  // Grows along this dimension: position i is what the row's token i appended.
  CacheSlot cache(const std::string& name, int64_t dim, double fill = 0) {
    return {add({name, Kind::kCache, dim, fill})};
  }
  MemorySlot memory(const std::string& name) { return {add({name, Kind::kMemory, 0, 0})}; }
  // Room for what another module keeps.
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

  // Shared with the states that were made of it.
  std::shared_ptr<std::vector<Slot>> slots_ = std::make_shared<std::vector<Slot>>();
  std::set<std::string> names_;  // of its own slots and of blocks
};

class State {
 public:
  State() = default;
  // Of N sentences with one row each, and nothing in it.
  State(const StateLayout& layout, int64_t sentences, const Pass& pass, torch::Device device);

  Tensor positions;  // [R] of the next token of each row
  Pass pass;

  int64_t rows() const { return positions.size(0); }          // R
  int64_t sentences() const { return rows() / hypotheses_; }  // N
  int64_t hypotheses() const { return hypotheses_; }          // B
  // Row i becomes what row rows[i] was; with so many hypotheses a sentence. Not checked: the rows of
  // a sentence are of one sentence before, and sentences keep their order.  rows [R']
  void gather(const Tensor& rows, int64_t hypotheses);
  // Sentences of the same layout, with as many hypotheses each, come behind these. Without gradients.
  void join(State more);

  StateView view();
  std::map<std::string, Tensor> contents()
      const;  // what is in it, by name: for a look at all of it

 private:
  friend class StateView;
  // What is in a slot; undefined: nothing was put. Of a cache the first `length` positions are in use,
  // the others are room for more. Where sentences have joined, each row has a length of its own, the
  // greatest is `length`, and all behind a row's own is fill, the room as well.
  struct Content {
    Tensor tensor;
    int64_t length = 0;
    std::vector<int64_t> lengths{};  // [R]; empty: all the same
  };
  Tensor used(size_t slot) const;
  void make_room(size_t slot, int64_t length, const Tensor& like);
  void append(size_t slot, const Tensor& x);
  void append_to_each(size_t slot, const Tensor& x);
  // host_rows: the same on the CPU, where rows have lengths of their own.
  void gather_cache(size_t slot, const Tensor& rows, const Tensor& host_rows);
  static void gather_lengths(Content& content, const Tensor& host_rows);
  void join_slot(size_t slot, Content more, int64_t own_rows, int64_t more_rows);

  std::shared_ptr<const std::vector<StateLayout::Slot>> slots_;
  std::vector<Content> contents_;
  int64_t hypotheses_ = 1;
};

// What one module sees of a state.
class StateView {
 public:
  StateView(State& state, size_t begin) : state_(&state), begin_(begin) {}

  bool has(CarrySlot part) const { return at(part.slot).defined(); }
  bool has(MemorySlot part) const { return at(part.slot).defined(); }
  // InternalError where nothing was put.
  const Tensor& get(CarrySlot part) const { return found(part.slot); }
  Tensor get(CacheSlot part) const { return found(part.slot), state_->used(begin_ + part.slot); }
  const Tensor& get(MemorySlot part) const { return found(part.slot); }
  // A memory with a row for each hypothesis: for what is small.  [R,…]
  Tensor by_row(MemorySlot part) const;
  void put(CarrySlot part, Tensor value) const;
  void put(MemorySlot part, Tensor value) const;
  // Makes it longer by x, without gradients in place; gives all of it.
  Tensor append(CacheSlot part, const Tensor& x) const;
  StateView operator[](StateBlock block) const { return {*state_, begin_ + block.begin}; }

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

// What is asked by the hypotheses of a sentence, as so many queries of the sentence, and back:
// [N·B,T,…] and [N,B·T,…].
Tensor by_sentence(const Tensor& x, int64_t hypotheses);
Tensor by_hypothesis(const Tensor& x, int64_t hypotheses);

}  // namespace heed
