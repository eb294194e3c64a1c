#include "train/flat_parameters.h"

#include "nn/torch.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/error.h"

namespace heed {

namespace {

// Every parameter begins at a multiple of 64 bytes, as separate tensors do: kernels of matrix
// products round differently at other addresses.
constexpr int64_t kAlignment = 16;

int64_t aligned(int64_t size) { return (size + kAlignment - 1) / kAlignment * kAlignment; }

// Elements of a block, of which the four buffers of Adam are 1 MB in float32.
constexpr int64_t kBlock = 1 << 16;

// Sums of few squares in single precision, and these in double: exact enough, and fast on any
// machine.
template <class T>
double sum_of_squares(const T* values, int64_t count) {
  constexpr int64_t kLanes = 16, kExact = 1024;
  double total = 0;
  for (int64_t begin = 0; begin < count; begin += kExact) {
    const int64_t end = std::min(count, begin + kExact);
    T lanes[kLanes] = {};
    int64_t i = begin;
    for (; i + kLanes <= end; i += kLanes) {
      for (int64_t lane = 0; lane < kLanes; ++lane)
        lanes[lane] += values[i + lane] * values[i + lane];
    }
    for (; i < end; ++i) lanes[0] += values[i] * values[i];
    const double part = std::accumulate(lanes, lanes + kLanes, 0.0);
    total +=
        std::isfinite(part)
            ? part
            : std::inner_product(values + begin, values + end, values + begin, 0.0, std::plus<>(),
                                 [](T a, T b) { return double(a) * double(b); });
  }
  return total;
}

double sum_of_squares(const Tensor& x) {
  return x.scalar_type() == torch::kDouble ? sum_of_squares(x.const_data_ptr<double>(), x.numel())
                                           : sum_of_squares(x.const_data_ptr<float>(), x.numel());
}

}  // namespace

std::vector<std::pair<std::string, Tensor>> unique_parameters(const torch::nn::Module& network) {
  std::vector<std::pair<std::string, Tensor>> parameters;
  std::set<const c10::TensorImpl*> known;
  for (const auto& item : network.named_parameters()) {
    if (known.insert(item.value().unsafeGetTensorImpl()).second) {
      parameters.emplace_back(item.key(), item.value());
    }
  }
  return parameters;
}

std::vector<std::pair<std::string, Tensor>> trained_parameters(const torch::nn::Module& network) {
  auto parameters = unique_parameters(network);
  std::erase_if(parameters, [](const auto& item) { return !item.second.requires_grad(); });
  return parameters;
}

FlatParameters::FlatParameters(torch::nn::Module& network)
    : FlatParameters(trained_parameters(network)) {}

FlatParameters::FlatParameters(const std::vector<std::pair<std::string, Tensor>>& parameters) {
  HEED_CHECK(!parameters.empty(), "a network without parameters");
  int64_t size = 0;
  for (const auto& [name, tensor] : parameters) {
    parts_.push_back({name, size, tensor.sizes().vec()});
    size += aligned(tensor.numel());
    count_ += tensor.numel();
  }
  const torch::NoGradGuard no_grad;
  values_ = torch::zeros({size}, parameters.front().second.options().requires_grad(false));
  for (size_t i = 0; i < parts_.size(); ++i) {
    Tensor parameter = parameters[i].second;
    HEED_CHECK(parameter.scalar_type() == values_.scalar_type(), "{}", parts_[i].name);
    Tensor slice = view(values_, parts_[i]);
    slice.copy_(parameter);
    parameter.set_data(slice);
  }
  gradient_ = torch::zeros_like(values_);
  attach(parameters, gradient_);
}

std::vector<int64_t> FlatParameters::begins() const {
  std::vector<int64_t> begins;
  for (const Part& part : parts_) begins.push_back(part.offset);
  return begins;
}

Tensor FlatParameters::attach_gradient(torch::nn::Module& replica) const {
  const Tensor gradient = torch::zeros_like(values_);
  attach(replica, gradient);
  return gradient;
}

void FlatParameters::attach(torch::nn::Module& replica, const Tensor& gradient) const {
  attach(trained_parameters(replica), gradient);
}

void FlatParameters::attach(const std::vector<std::pair<std::string, Tensor>>& parameters,
                            const Tensor& gradient) const {
  HEED_CHECK(parameters.size() == parts_.size());
  for (size_t i = 0; i < parts_.size(); ++i) {
    Tensor parameter = parameters[i].second;
    HEED_CHECK(parameters[i].first == parts_[i].name, "{}", parts_[i].name);
    HEED_CHECK(parameter.data_ptr() == view(values_, parts_[i]).data_ptr(), "{}", parts_[i].name);
    parameter.mutable_grad() = view(gradient, parts_[i]);
  }
}

void FlatParameters::freeze(const std::set<std::string>& names) {
  frozen_.clear();
  for (const Part& part : parts_) {
    if (names.contains(part.name)) frozen_.push_back({part, view(values_, part).clone()});
  }
}

void FlatParameters::keep_zeros(const std::string& name, int64_t row) {
  const auto part = std::ranges::find(parts_, name, &Part::name);
  HEED_CHECK(part != parts_.end() && part->shape.size() == 2, "{} is no table", name);
  const int64_t width = part->shape[1];
  zeros_.push_back({name, part->offset + row * width, {width}});
  view(values_, zeros_.back()).zero_();
}

void FlatParameters::clear_frozen_gradient() {
  for (const Frozen& frozen : frozen_) view(gradient_, frozen.part).zero_();
  for (const Part& part : zeros_) view(gradient_, part).zero_();
}

void FlatParameters::restore_frozen() {
  for (const Frozen& frozen : frozen_) view(values_, frozen.part).copy_(frozen.values);
  for (const Part& part : zeros_) view(values_, part).zero_();
}

std::vector<std::string> FlatParameters::names() const {
  std::vector<std::string> names;
  for (const Part& part : parts_) names.push_back(part.name);
  return names;
}

NamedTensors FlatParameters::named(const Tensor& buffer, const std::string& prefix) const {
  NamedTensors named;
  for (const Part& part : parts_) named[prefix + part.name] = view(buffer, part);
  return named;
}

Tensor FlatParameters::view(const Tensor& buffer, const Part& part) const {
  const int64_t size =
      std::accumulate(part.shape.begin(), part.shape.end(), int64_t{1}, std::multiplies<>());
  return buffer.narrow(0, part.offset, size).view(part.shape);
}

void FlatParameters::use_threads(int64_t count) {
  if (team_->size() != count) team_ = std::make_unique<WorkerTeam>(count);
}

void FlatParameters::in_blocks(int64_t size, const BlockPass& pass) const {
  if (!values_.device().is_cpu()) {
    const torch::NoGradGuard no_grad;
    return pass({0, size});
  }
  const int64_t blocks = (size + kBlock - 1) / kBlock, threads = team_->size();
  team_->run([&](size_t thread) {
    const torch::NoGradGuard no_grad;
    const auto first = [&](int64_t i) { return i * blocks / threads; };
    const auto own = static_cast<int64_t>(thread);
    for (int64_t i = first(own); i < first(own + 1); ++i)
      pass({i * kBlock, std::min(kBlock, size - i * kBlock)});
  });
}

double FlatParameters::norm(const Tensor& buffer) const {
  if (!buffer.device().is_cpu()) return norm_of(buffer);
  std::vector<double> sums(static_cast<size_t>((buffer.numel() + kBlock - 1) / kBlock));
  in_blocks(buffer.numel(), [&](const BufferPart& block) {
    sums[static_cast<size_t>(block.begin / kBlock)] = sum_of_squares(slice_of(buffer, block));
  });
  return std::sqrt(std::accumulate(sums.begin(), sums.end(), 0.0));
}

Tensor slice_of(const Tensor& buffer, const BufferPart& part) {
  return buffer.narrow(0, part.begin, part.size);
}

void set_sum(Tensor total, const std::vector<Tensor>& terms) {
  torch::add_out(total, terms.at(0), terms.at(1));
  for (size_t i = 2; i < terms.size(); ++i) total.add_(terms[i]);
}

double norm_of(const Tensor& buffer) {
  if (!buffer.device().is_cpu()) return buffer.to(torch::kDouble).norm().item<double>();
  return std::sqrt(sum_of_squares(buffer));
}

}  // namespace heed
