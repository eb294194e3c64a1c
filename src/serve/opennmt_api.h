// The API of OpenNMT-py's server: [{"src": "A man sleeps.", "id": "en-de", "n_best": 2}, …] is answered by
// [[{"src", "tgt", "n_best", "pred_score"}, …]], with a list for each rank up to n_best.
#pragma once

#include <vector>

#include "serve/api.h"

namespace heed {

class OpennmtApi final : public Api {
 public:
  // The models have to outlive it.
  explicit OpennmtApi(ServedModels& models);
  const std::vector<ApiRoute>& routes() const override { return routes_; }

 private:
  std::vector<ApiRoute> routes_;
};

}  // namespace heed
