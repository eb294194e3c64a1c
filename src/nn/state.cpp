#include "nn/state.h"

#include "nn/torch.h"

#include "base/error.h"

namespace heed {

State::State(int64_t rows, const Pass& p, torch::Device device)
    : positions(torch::zeros({rows}, torch::TensorOptions().dtype(torch::kLong).device(device))),
      pass(p) {}

void State::put(const std::string& name, Tensor value) {
  HEED_CHECK(value.dim() > 0 && value.size(0) == rows(),
             "{}: a tensor of the state has a row for each hypothesis", name);
  HEED_CHECK(!shared_.contains(name), "{} is shared", name);
  own_.insert_or_assign(name, std::move(value));
}

void State::put_shared(const std::string& name, Tensor value) {
  HEED_CHECK(value.dim() > 0 && value.size(0) == rows(),
             "{}: a tensor of the state has a row for each hypothesis", name);
  HEED_CHECK(!own_.contains(name), "{} is not shared", name);
  shared_.insert_or_assign(name, std::move(value));
}

bool State::has(const std::string& name) const {
  return own_.contains(name) || shared_.contains(name);
}

const Tensor& State::get(const std::string& name) const {
  if (const auto found = own_.find(name); found != own_.end()) return found->second;
  const auto found = shared_.find(name);
  HEED_CHECK(found != shared_.end(), "the state holds no {}", name);
  return found->second;
}

std::map<std::string, Tensor> State::below(const std::string& prefix) const {
  std::map<std::string, Tensor> found;
  for (const auto* tensors : {&own_, &shared_}) {
    for (auto it = tensors->lower_bound(prefix);
         it != tensors->end() && it->first.starts_with(prefix); ++it) {
      found.emplace(it->first.substr(prefix.size()), it->second);
    }
  }
  return found;
}

void State::expand(int64_t copies) {
  positions = positions.repeat_interleave(copies, 0);
  for (auto& [name, value] : own_) value = value.repeat_interleave(copies, 0);
  for (auto& [name, value] : shared_) value = value.repeat_interleave(copies, 0);
}

void State::reorder(const Tensor& rows_taken) {
  HEED_CHECK(rows_taken.size(0) == rows(), "reorder keeps the number of rows");
  positions = positions.index_select(0, rows_taken);
  for (auto& [name, value] : own_) value = value.index_select(0, rows_taken);
}

void State::keep(const Tensor& rows_taken) {
  positions = positions.index_select(0, rows_taken);
  for (auto& [name, value] : own_) value = value.index_select(0, rows_taken);
  for (auto& [name, value] : shared_) value = value.index_select(0, rows_taken);
}

StateView State::view(const std::string& name) { return {*this, name + "."}; }

}  // namespace heed
