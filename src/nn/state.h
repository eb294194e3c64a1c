// The state of decoding: a value that the caller owns, of named tensors with rows first.
//
// put() is for what differs between the hypotheses of a sentence, put_shared() for what they have
// in common; a shared tensor has R rows too. Search moves a state by three verbs and looks at
// nothing in it. A name under both labels is an error.
#pragma once

#include <map>
#include <string>

#include "nn/pass.h"
#include "nn/tensor.h"

namespace heed {

class StateView;

class State {
 public:
  State() = default;
  State(int64_t rows, const Pass& pass, torch::Device device);

  Tensor positions;  // [R] of the next token of each row
  Pass pass;

  int64_t rows() const { return positions.size(0); }
  void put(const std::string& name, Tensor value);
  void put_shared(const std::string& name, Tensor value);
  bool has(const std::string& name) const;
  const Tensor& get(const std::string& name) const;
  // Those whose names begin with `prefix`, by the rest of the name.
  std::map<std::string, Tensor> below(const std::string& prefix) const;

  // Every row becomes `copies` rows that stand side by side.
  void expand(int64_t copies);
  // Row i becomes what row rows[i] was; only inside a sentence, so the shared part stays. rows [R].
  void reorder(const Tensor& rows);
  // Only these rows stay, in this order. rows [R'].
  void keep(const Tensor& rows);

  StateView view(const std::string& name);

 private:
  std::map<std::string, Tensor> own_, shared_;
};

// The part of a state under one name: what a module may see of it.
class StateView {
 public:
  StateView(State& state, std::string prefix) : state_(&state), prefix_(std::move(prefix)) {}
  void put(const std::string& name, Tensor value) { state_->put(prefix_ + name, std::move(value)); }
  void put_shared(const std::string& name, Tensor value) {
    state_->put_shared(prefix_ + name, std::move(value));
  }
  bool has(const std::string& name) const { return state_->has(prefix_ + name); }
  const Tensor& get(const std::string& name) const { return state_->get(prefix_ + name); }
  std::map<std::string, Tensor> below(const std::string& name) const {
    return state_->below(prefix_ + name + ".");
  }
  StateView view(const std::string& name) const { return {*state_, prefix_ + name + "."}; }
  const Pass& pass() const { return state_->pass; }
  int64_t rows() const { return state_->rows(); }

 private:
  State* state_;
  std::string prefix_;
};

}  // namespace heed
