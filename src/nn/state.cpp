#include "nn/state.h"

#include <algorithm>

#include "nn/torch.h"

#include "base/error.h"

namespace heed {

void StateLayout::take_name(const std::string& name) {
  HEED_CHECK(names_.insert(name).second, "two parts of a state named {}", name);
}

size_t StateLayout::add(const std::string& name, Kind kind, int64_t dim) {
  take_name(name);
  slots_.push_back({name, kind, dim});
  return slots_.size() - 1;
}

StateBlock StateLayout::block(const std::string& name, const StateLayout& inner) {
  take_name(name);
  const StateBlock block{slots_.size()};
  for (const Slot& slot : inner.slots_)
    slots_.push_back({name + "." + slot.name, slot.kind, slot.dim});
  return block;
}

State::State(const StateLayout& layout, int64_t sentences, const Pass& p, torch::Device device)
    : positions(
          torch::zeros({sentences}, torch::TensorOptions().dtype(torch::kLong).device(device))),
      pass(p),
      slots_(std::make_shared<const std::vector<StateLayout::Slot>>(layout.slots_)),
      contents_(layout.slots_.size()) {}

Tensor State::used(size_t slot) const {
  const Content& content = contents_[slot];
  const int64_t dim = (*slots_)[slot].dim;
  return content.length == content.tensor.size(dim) ? content.tensor
                                                    : content.tensor.narrow(dim, 0, content.length);
}

namespace {

// Like x, but with room for `capacity` places along a dimension.
Tensor with_room(const Tensor& x, int64_t dim, int64_t capacity) {
  std::vector<int64_t> shape = x.sizes().vec();
  shape[static_cast<size_t>(dim)] = capacity;
  return x.new_empty(shape);
}

}  // namespace

// In place where nothing else holds the tensor: a copy of the state may.
void State::append(size_t slot, const Tensor& x) {
  constexpr int64_t kLeastRoom = 16;
  Content& content = contents_[slot];
  const int64_t dim = (*slots_)[slot].dim, more = x.size(dim), length = content.length + more;
  if (!content.tensor.defined()) {
    content.tensor = x;
  } else if (torch::GradMode::is_enabled()) {
    content.tensor = torch::cat({used(slot), x}, dim);
  } else {
    if (length > content.tensor.size(dim) || content.tensor.use_count() > 1) {
      const Tensor wider = with_room(x, dim, std::max(2 * content.length, length + kLeastRoom));
      wider.narrow(dim, 0, content.length).copy_(used(slot));
      content.tensor = wider;
    }
    content.tensor.narrow(dim, content.length, more).copy_(x);
  }
  content.length = length;
}

void State::gather_cache(size_t slot, const Tensor& rows) {
  Content& content = contents_[slot];
  const int64_t dim = (*slots_)[slot].dim, capacity = content.tensor.size(dim);
  if (content.length == capacity) {
    content.tensor = content.tensor.index_select(0, rows);
    return;
  }
  std::vector<int64_t> shape = content.tensor.sizes().vec();
  shape[0] = rows.size(0);
  const Tensor gathered = content.tensor.new_empty(shape);
  Tensor into = gathered.narrow(dim, 0, content.length);
  at::index_select_out(into, used(slot), 0, rows);
  content.tensor = gathered;
}

void State::gather(const Tensor& rows, int64_t hypotheses) {
  using Kind = StateLayout::Kind;
  HEED_CHECK(rows.size(0) % hypotheses == 0, "{} rows of {} hypotheses", rows.size(0), hypotheses);
  const bool all_stay = rows.size(0) / hypotheses == sentences();
  const Tensor stay =
      all_stay ? Tensor()
               : rows.view({-1, hypotheses}).select(1, 0).div(hypotheses_, "floor");  // [N']
  positions = positions.index_select(0, rows);
  for (size_t i = 0; i < contents_.size(); ++i) {
    Tensor& tensor = contents_[i].tensor;
    if (!tensor.defined()) continue;
    switch ((*slots_)[i].kind) {
      case Kind::kCarry:
        tensor = tensor.index_select(0, rows);
        break;
      case Kind::kCache:
        gather_cache(i, rows);
        break;
      case Kind::kMemory:
        if (!all_stay) tensor = tensor.index_select(0, stay);
        break;
    }
  }
  hypotheses_ = hypotheses;
}

StateView State::view() { return {*this, 0}; }

std::map<std::string, Tensor> State::contents() const {
  std::map<std::string, Tensor> contents;
  for (size_t i = 0; i < contents_.size(); ++i) {
    if (!contents_[i].tensor.defined()) continue;
    const bool grows = (*slots_)[i].kind == StateLayout::Kind::kCache;
    contents[(*slots_)[i].name] = grows ? used(i) : contents_[i].tensor;
  }
  return contents;
}

const Tensor& StateView::found(size_t slot) const {
  HEED_CHECK(at(slot).defined(), "the state holds no {}", this->slot(slot).name);
  return at(slot);
}

Tensor StateView::by_row(MemorySlot part) const {
  return hypotheses() == 1 ? get(part) : get(part).repeat_interleave(hypotheses(), 0);
}

namespace {

void check_rows(const Tensor& value, int64_t rows, const std::string& name) {
  HEED_CHECK(value.dim() > 0 && value.size(0) == rows, "{}: found {} numbers, expected {} rows",
             name, value.numel(), rows);
}

}  // namespace

void StateView::put(CarrySlot part, Tensor value) const {
  check_rows(value, rows(), slot(part.slot).name);
  at(part.slot) = std::move(value);
}

void StateView::put(MemorySlot part, Tensor value) const {
  check_rows(value, sentences(), slot(part.slot).name);
  at(part.slot) = std::move(value);
}

Tensor StateView::append(CacheSlot part, const Tensor& x) const {
  state_->append(begin_ + part.slot, x);
  return get(part);
}

Tensor by_sentence(const Tensor& x, int64_t hypotheses) {
  if (hypotheses == 1) return x;
  return x.unflatten(0, {-1, hypotheses}).flatten(1, 2);
}

Tensor by_hypothesis(const Tensor& x, int64_t hypotheses) {
  if (hypotheses == 1) return x;
  return x.unflatten(1, {hypotheses, -1}).flatten(0, 1);
}

}  // namespace heed
