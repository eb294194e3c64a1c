// Settings of the initial values of parameters (nn/initialize.h).
#pragma once

#include "config/fields.h"

namespace heed {

struct InitializerConfig final : Settings {
  enum class Method { kDefault, kXavierUniform, kXavierNormal, kUniform, kNormal, kOrthogonal };
  Method method = Method::kDefault;
  double scale = 0.1;  // half width of uniform, standard deviation of normal
  const char* shorthand() const override { return "method"; }
  void fields(Fields& f) override;
};

}  // namespace heed
