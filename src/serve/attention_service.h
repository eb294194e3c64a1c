// Answers requests for attention maps, in a separate thread.
#pragma once

#include <map>
#include <memory>
#include <string>

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
  // The maps of a model, which is loaded for the first request.
  const AttentionMapsSource& source_of(const Model& model);
  // Parts of the reply's body.
  std::vector<std::string> body(const AttentionRequest& request, const Model& model,
                                HttpReply& reply);

  static constexpr size_t kWaiting = 32;
  struct Source {
    std::weak_ptr<const ServedModel> model;
    std::unique_ptr<AttentionMapsSource> maps;
  };
  std::map<std::string, Source> sources_;  // by the name of the model
  Background background_{kWaiting};        // last: its thread uses the others
};

}  // namespace heed
