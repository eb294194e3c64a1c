#include "nn/admin_profile.h"

#include <utility>

#include "nn/torch.h"

namespace heed {

namespace {
thread_local AdminProfile* profile = nullptr;
}  // namespace

AdminProfile::AdminProfile() : outer_(std::exchange(profile, this)) {}
AdminProfile::~AdminProfile() { profile = outer_; }

AdminProfile* AdminProfile::current() { return profile; }

void AdminProfile::Moments::add(const Tensor& x) {
  const Tensor values = x.detach().to(torch::kDouble);
  count += static_cast<double>(values.numel());
  sum += values.sum().item<double>();
  squares += values.square().sum().item<double>();
}

double AdminProfile::Moments::variance() const {
  const double mean = sum / count;
  return std::max(0.0, squares / count - mean * mean);
}

void AdminProfile::add(const Residual& connection, const Tensor& x, const Tensor& f) {
  Sums& sums = sums_[&connection];
  sums.x.add(x);
  sums.f.add(f);
}

std::optional<AdminProfile::Variances> AdminProfile::of(const Residual& connection) const {
  const auto found = sums_.find(&connection);
  if (found == sums_.end()) return std::nullopt;
  return Variances{.x = found->second.x.variance(), .f = found->second.f.variance()};
}

}  // namespace heed
