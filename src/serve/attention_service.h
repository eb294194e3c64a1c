// Answers requests for attention maps, in a separate thread.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "serve/background.h"
#include "serve/served_models.h"
#include "serve/translate_reply.h"

namespace heed {

class AttentionService {
 public:
  // Answers {"maps": [{"name", "rows", "columns", "source", "target", "weights"}, …]}. Throws
  // HttpError(kTooManyRequests).
  void answer(const AttentionRequest& request, const ServedModel& model, ReplyTo to);

 private:
  // The maps of a model, which is loaded for the first request.
  const AttentionMapsSource& source_of(const ServedModel& model);
  // Parts of the reply's body.
  std::vector<std::string> body(const AttentionRequest& request, const ServedModel& model,
                                HttpReply& reply);

  static constexpr size_t kWaiting = 32;
  std::map<std::string, std::unique_ptr<AttentionMapsSource>> sources_;  // by model
  Background background_{kWaiting};  // last: its thread uses the others
};

}  // namespace heed
