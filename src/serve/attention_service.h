// Answers requests for attention maps, in a separate thread.
#pragma once

#include <memory>

#include "request/translate_request.h"
#include "serve/background.h"
#include "serve/served_models.h"
#include "serve/translate_reply.h"

namespace heed {

class AttentionService {
 public:
  using Model = std::shared_ptr<const ServedModel>;
  // Answers {"maps": [{"name", "rows", "columns", "source", "target", "weights"}, …]}. Throws
  // HttpError(kTooManyRequests).
  void answer(const AttentionRequest& request, const Model& model, ReplyTo to);

 private:
  static constexpr size_t kWaiting = 32;
  Background background_{kWaiting};
};

}  // namespace heed
