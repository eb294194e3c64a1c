// The API of LibreTranslate: {"q": "A man sleeps.", "source": "en", "target": "de"} is answered by
// {"translatedText": "…"}. Models are found by their languages.
#pragma once

#include <vector>

#include "serve/api.h"

namespace heed {

class LibreTranslateApi final : public Api {
 public:
  // The models have to outlive it.
  explicit LibreTranslateApi(ServedModels& models);
  const std::vector<ApiRoute>& routes() const override { return routes_; }
  // POST /translate is heed's unless it is a form or has the field q.
  bool reads(const ApiCall& call) const override;
  // The token is the field api_key, or that of the header Authorization: Bearer. GET /languages and
  // GET /frontend/settings need none.
  void check_token(const ApiCall& call) const override;

 private:
  std::vector<ApiRoute> routes_;
};

}  // namespace heed
