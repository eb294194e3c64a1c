#include "nn/state.h"

#include <algorithm>

#include "nn/torch.h"

#include "base/error.h"

namespace heed {

void StateLayout::take_name(const std::string& name) {
  HEED_CHECK(names_.insert(name).second, "two parts of a state named {}", name);
}

size_t StateLayout::add(Slot slot) {
  take_name(slot.name);
  slots_->push_back(std::move(slot));
  return slots_->size() - 1;
}

StateBlock StateLayout::block(const std::string& name, const StateLayout& inner) {
  take_name(name);
  const StateBlock block{slots_->size()};
  for (Slot slot : *inner.slots_) {
    slot.name = name + "." + slot.name;
    slots_->push_back(std::move(slot));
  }
  return block;
}

State::State(const StateLayout& layout, int64_t sentences, const Pass& p, torch::Device device)
    : positions(
          torch::zeros({sentences}, torch::TensorOptions().dtype(torch::kLong).device(device))),
      pass(p),
      slots_(layout.slots_),
      contents_(layout.slots_->size()) {}

Tensor State::used(size_t slot) const {
  const Content& content = contents_[slot];
  const int64_t dim = (*slots_)[slot].dim;
  return content.length == content.tensor.size(dim) ? content.tensor
                                                    : content.tensor.narrow(dim, 0, content.length);
}

// Reserves capacity for `length` positions and copies the content. like: tensor of the same kind.
void State::make_room(size_t slot, int64_t length, const Tensor& like) {
  constexpr int64_t kLeastRoom = 16;
  Content& content = contents_[slot];
  const auto& [name, kind, dim, fill] = (*slots_)[slot];
  // In place only if no copy of the state holds the tensor.
  if (length <= content.tensor.size(dim) && content.tensor.use_count() == 1) return;
  std::vector<int64_t> shape = like.sizes().vec();
  shape[static_cast<size_t>(dim)] = std::max(2 * content.length, length + kLeastRoom);
  const Tensor wider = content.lengths.empty() ? like.new_empty(shape) : like.new_full(shape, fill);
  wider.narrow(dim, 0, content.length).copy_(used(slot));
  content.tensor = wider;
}

void State::append(size_t slot, const Tensor& x) {
  Content& content = contents_[slot];
  if (!content.lengths.empty()) return append_to_each(slot, x);
  const int64_t dim = (*slots_)[slot].dim, more = x.size(dim), length = content.length + more;
  if (!content.tensor.defined()) {
    content.tensor = x;
  } else if (torch::GradMode::is_enabled()) {
    content.tensor = torch::cat({used(slot), x}, dim);
  } else {
    make_room(slot, length, x);
    content.tensor.narrow(dim, content.length, more).copy_(x);
  }
  content.length = length;
}

// Appends behind each row's own length.
void State::append_to_each(size_t slot, const Tensor& x) {
  Content& content = contents_[slot];
  const int64_t dim = (*slots_)[slot].dim, more = x.size(dim);
  const Tensor begins = torch::tensor(content.lengths, torch::kLong).to(x.device());  // [R]
  make_room(slot, content.length + more, x);
  const auto count = torch::TensorOptions().dtype(torch::kLong).device(x.device());
  const Tensor rows = torch::arange(x.size(0), count).unsqueeze(1),
               positions = begins.unsqueeze(1) + torch::arange(more, count);  // [R,T]
  content.tensor.transpose(1, dim).index_put_({rows, positions}, x.transpose(1, dim));
  for (int64_t& length : content.lengths) length += more;
  content.length += more;
}

void State::gather_cache(size_t slot, const Tensor& rows, const Tensor& host_rows) {
  Content& content = contents_[slot];
  const auto& [name, kind, dim, fill] = (*slots_)[slot];
  if (content.length == content.tensor.size(dim) && content.lengths.empty()) {
    content.tensor = content.tensor.index_select(0, rows);
    return;
  }
  std::vector<int64_t> shape = content.tensor.sizes().vec();
  shape[0] = rows.size(0);
  const Tensor gathered = content.tensor.new_empty(shape);
  Tensor into = gathered.narrow(dim, 0, content.length);
  at::index_select_out(into, used(slot), 0, rows);
  content.tensor = gathered;
  if (content.lengths.empty()) return;
  gathered.narrow(dim, content.length, shape[static_cast<size_t>(dim)] - content.length)
      .fill_(fill);
  gather_lengths(content, host_rows);
}

void State::gather_lengths(Content& content, const Tensor& host_rows) {
  std::vector<int64_t> lengths;
  for (int64_t i = 0; i < host_rows.numel(); ++i)
    lengths.push_back(content.lengths[host_rows.const_data_ptr<int64_t>()[i]]);
  content.length = *std::ranges::max_element(lengths);
  const bool all_same = std::ranges::count(lengths, content.length) == std::ssize(lengths);
  content.lengths = all_same ? std::vector<int64_t>() : std::move(lengths);
}

void State::gather(const Tensor& rows, int64_t hypotheses) {
  using Kind = StateLayout::Kind;
  HEED_CHECK(rows.size(0) % hypotheses == 0, "{} rows of {} hypotheses", rows.size(0), hypotheses);
  const bool all_stay = rows.size(0) / hypotheses == sentences();
  const Tensor stay =
      all_stay ? Tensor()
               : rows.view({-1, hypotheses}).select(1, 0).div(hypotheses_, "floor");  // [N']
  positions = positions.index_select(0, rows);
  const bool differ =
      std::ranges::any_of(contents_, [](const auto& c) { return !c.lengths.empty(); });
  const Tensor host_rows = differ ? rows.to(torch::kCPU).contiguous() : Tensor();
  for (size_t i = 0; i < contents_.size(); ++i) {
    Tensor& tensor = contents_[i].tensor;
    if (!tensor.defined()) continue;
    switch ((*slots_)[i].kind) {
      case Kind::kCarry:
        tensor = tensor.index_select(0, rows);
        break;
      case Kind::kCache:
        gather_cache(i, rows, host_rows);
        break;
      case Kind::kMemory:
        if (!all_stay) tensor = tensor.index_select(0, stay);
        break;
    }
  }
  hypotheses_ = hypotheses;
}

namespace {

// Concatenates the rows of x and y; the smaller one is padded, an undefined one has the given
// number of rows of fill.
Tensor behind(Tensor x, int64_t x_rows, Tensor y, int64_t y_rows, double fill) {
  std::vector<int64_t> shape = (x.defined() ? x : y).sizes().vec();
  for (size_t d = 1; d < shape.size() && x.defined() && y.defined(); ++d)
    shape[d] = std::max(x.size(static_cast<int64_t>(d)), y.size(static_cast<int64_t>(d)));
  shape[0] = x_rows + y_rows;
  const Tensor joined = (x.defined() ? x : y).new_full(shape, fill);
  const auto put = [&joined](const Tensor& part, int64_t begin) {
    if (!part.defined()) return;
    Tensor into = joined.narrow(0, begin, part.size(0));
    for (int64_t d = 1; d < part.dim(); ++d) into = into.narrow(d, 0, part.size(d));
    into.copy_(part);
  };
  put(x, 0);
  put(y, x_rows);
  return joined;
}

}  // namespace

void State::join_slot(size_t slot, Content more, int64_t own_rows, int64_t more_rows) {
  Content& own = contents_[slot];
  if (!own.tensor.defined() && !more.tensor.defined()) return;
  const auto& [name, kind, dim, fill] = (*slots_)[slot];
  if (kind != StateLayout::Kind::kCache) {
    own.tensor = behind(own.tensor, own_rows, more.tensor, more_rows, fill);
    return;
  }
  const auto used = [dim = dim](const Content& content) {
    return content.tensor.defined() ? content.tensor.narrow(dim, 0, content.length) : Tensor();
  };
  const auto lengths_of = [](const Content& content, int64_t rows) {
    return content.lengths.empty() ? std::vector<int64_t>(rows, content.length) : content.lengths;
  };
  own.tensor = behind(used(own), own_rows, used(more), more_rows, fill);
  std::vector<int64_t> lengths = lengths_of(own, own_rows);
  for (const int64_t length : lengths_of(more, more_rows)) lengths.push_back(length);
  const bool all_same = own.length == more.length && own.lengths.empty() && more.lengths.empty();
  own.length = std::max(own.length, more.length);
  own.lengths = all_same ? std::vector<int64_t>() : std::move(lengths);
}

void State::join(State more) {
  HEED_CHECK(!torch::GradMode::is_enabled() && slots_->size() == more.slots_->size() &&
                 hypotheses_ == more.hypotheses_,
             "{} hypotheses cannot join {}", more.hypotheses_, hypotheses_);
  for (size_t i = 0; i < contents_.size(); ++i) {
    const bool by_sentence = (*slots_)[i].kind == StateLayout::Kind::kMemory;
    join_slot(i, std::move(more.contents_[i]), by_sentence ? sentences() : rows(),
              by_sentence ? more.sentences() : more.rows());
  }
  positions = torch::cat({positions, more.positions});
}

std::vector<Tensor> State::trained() const {
  std::vector<Tensor> tensors;
  for (const Content& content : contents_) {
    if (content.tensor.defined() && content.tensor.requires_grad())
      tensors.push_back(content.tensor);
  }
  return tensors;
}

State State::with_trained(const std::vector<Tensor>& tensors) const {
  State other = *this;
  size_t next = 0;
  for (Content& content : other.contents_) {
    if (content.tensor.defined() && content.tensor.requires_grad())
      content.tensor = tensors.at(next++);
  }
  HEED_CHECK(next == tensors.size(), "{} of {} tensors", next, tensors.size());
  return other;
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
