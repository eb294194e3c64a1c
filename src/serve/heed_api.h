// The API of heed itself: translations, attention maps, models, health and metrics as docs/serving.md
// lists them.
#pragma once

#include <vector>

#include "serve/api.h"
#include "serve/attention_service.h"

namespace heed {

class HeedApi final : public Api {
 public:
  // Both have to outlive it.
  HeedApi(ServedModels& models, const ServiceMetrics& metrics);
  const std::vector<ApiRoute>& routes() const override { return routes_; }

 private:
  void translate(const ApiCall& call);
  void attention(const ApiCall& call);

  ServedModels& models_;
  std::vector<ApiRoute> routes_;
  AttentionService attention_;
};

}  // namespace heed
