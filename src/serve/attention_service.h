// Answers requests for attention maps, in a thread of their own.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "serve/background.h"
#include "serve/translate_reply.h"

namespace heed {

class AttentionService {
 public:
  // {"maps": [{"name", "rows", "columns", "source", "target", "weights"}, …]}. Throws
  // HttpError(kTooManyRequests).
  void answer(const AttentionRequest& request, ReplyTo to);

 private:
  // Loaded when it is first wanted.
  const AttentionMapsSource& source_of(const ServedModel& model);
  // Its parts.
  std::vector<std::string> body(const AttentionRequest& request, HttpReply& reply);

  static constexpr size_t kWaiting = 32;
  std::map<std::string, std::unique_ptr<AttentionMapsSource>> sources_;  // by model
  Background background_{kWaiting};  // last: its thread uses the others
};

}  // namespace heed
