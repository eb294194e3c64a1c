// The profile of Admin (Liu et al. 2020, section 4.2), whose residual connections are
// LayerNorm(x ∘ ω + f(x)): variances in forward passes with ω = 1.
#pragma once

#include <map>
#include <optional>

#include "nn/tensor.h"

namespace heed {

class Residual;

// While it lives, residual connections with `norm: admin` report their x and f(x) in the forward
// passes of this thread.
class AdminProfile {
 public:
  AdminProfile();
  ~AdminProfile();
  AdminProfile(const AdminProfile&) = delete;
  AdminProfile& operator=(const AdminProfile&) = delete;

  static AdminProfile* current();  // of this thread; nullptr without one
  void add(const Residual& connection, const Tensor& x, const Tensor& f);

  // Variances over all numbers of all passes; nullopt if the connection was not used.
  struct Variances {
    double x, f;
  };
  std::optional<Variances> of(const Residual& connection) const;

 private:
  struct Moments {
    double count = 0, sum = 0, squares = 0;
    void add(const Tensor& x);
    double variance() const;
  };
  struct Sums {
    Moments x, f;
  };
  std::map<const Residual*, Sums> sums_;
  AdminProfile* outer_;
};

}  // namespace heed
