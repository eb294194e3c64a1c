#include "nn/attention/addressing.h"

#include "nn/torch.h"

#include "nn/attention/normalizers/masked_softmax.h"
#include "nn/attention/unit.h"
#include "nn/sources.h"

namespace heed {

namespace {

constexpr int64_t kNumbers = 3;  // β, g, γ

// w~(i) = Σ_j w(i - j) s(j).
Tensor shifted(const Tensor& weights, const Tensor& shift, const Tensor& neighbours) {
  const int64_t heads = weights.size(1);
  const Tensor from = neighbours.flatten(1).unsqueeze(1).expand({-1, heads, -1});
  const Tensor moved =
      weights.gather(2, from).view({-1, heads, neighbours.size(1), weights.size(2)});
  return (moved * shift.unsqueeze(3)).sum(2);  // [R,H,S]
}

// Log space avoids underflow; weights of zero get no gradient.
Tensor sharpened(const Tensor& weights, const Tensor& sharpness, const Tensor& mask) {
  constexpr double kSmallest = 1e-30;
  return masked_softmax(sharpness * weights.clamp_min(kSmallest).log(), mask);
}

}  // namespace

Circle::Circle(const Tensor& lengths, int64_t positions, int64_t radius)
    : mask(length_mask(lengths, positions).unsqueeze(1)) {
  const Tensor shifts = torch::arange(-radius, radius + 1, lengths.options()).view({1, -1, 1});
  neighbours = torch::remainder(positions_of(lengths, positions).unsqueeze(1) - shifts,
                                lengths.clamp_min(1).view({-1, 1, 1}));
}

Addressing::Addressing(int64_t query, int64_t heads, int64_t width, int64_t radius)
    : heads_(heads),
      shifts_(radius > 0 ? 2 * radius + 1 : 0),
      key_(*this, "key", query, heads * width),
      how_(*this, "how", query, heads * (kNumbers + shifts_), kNoBias) {
  constexpr double kFirst = 5;  // of β: cosines are at most 1, and their softmax is nearly uniform
  gain_ = add_parameter("gain", {heads, kNumbers + shifts_}, Init::all(0));
  const torch::NoGradGuard no_grad;
  gain_.select(1, 0).fill_(kFirst);
}

std::vector<Address> Addressing::addresses(const Tensor& queries) {
  const auto by_head = [this](const Tensor& x) {
    return x.view({x.size(0), x.size(1), heads_, -1});  // [R,T,H,…]
  };
  const auto keys = unit(by_head(key_(queries))).unbind(1),
             how = (by_head(how_(queries)) + gain_).unbind(1);
  std::vector<Address> list;
  for (size_t t = 0; t < keys.size(); ++t) {
    Address& address = list.emplace_back();
    address.key = keys[t];
    address.strength = torch::softplus(how[t].narrow(2, 0, 1));
    address.gate = torch::sigmoid(how[t].narrow(2, 1, 1));
    address.sharpness = 1 + torch::softplus(how[t].narrow(2, 2, 1));
    if (shifts_ > 0) address.shift = torch::softmax(how[t].narrow(2, kNumbers, shifts_), 2);
  }
  return list;
}

Tensor Addressing::weights(const Address& address, const Tensor& directions, const Tensor& previous,
                           const Circle& circle) {
  const Tensor alike = torch::matmul(address.key, directions.transpose(1, 2));  // K [R,H,S]
  const Tensor content = masked_softmax(address.strength * alike, circle.mask);
  Tensor weights = address.gate * content + (1 - address.gate) * previous;
  if (address.shift.defined()) weights = shifted(weights, address.shift, circle.neighbours);
  return sharpened(weights, address.sharpness, circle.mask);
}

}  // namespace heed
