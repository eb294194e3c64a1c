// The API of DeepL, version 2: {"text": ["A man sleeps."], "target_lang": "DE"} is answered by
// {"translations": [{"detected_source_language": "EN", "text": "…"}]}. Models are found by their
// languages.
#pragma once

#include <atomic>
#include <vector>

#include "serve/api.h"
#include "serve/glossary_store.h"

namespace heed {

class DeeplApi final : public Api {
 public:
  // The models have to outlive it.
  explicit DeeplApi(ServedModels& models);
  const std::vector<ApiRoute>& routes() const override { return routes_; }
  // The token is that of the header Authorization: DeepL-Auth-Key, or the field auth_key.
  void check_token(const ApiCall& call) const override;

 private:
  void translate(const ApiCall& call);
  void add_glossary(const ApiCall& call);

  ServedModels& models_;
  GlossaryStore glossaries_;
  std::atomic<int64_t> characters_ = 0;  // of all texts so far
  std::vector<ApiRoute> routes_;
};

}  // namespace heed
