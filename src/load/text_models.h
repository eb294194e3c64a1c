// The TextModel of one model, or of several that are an ensemble.
#pragma once

#include <vector>

#include "model/saved_model_config.h"
#include "translate/text_model.h"

namespace heed {

// Without an engine. Error(kModel) if the models of an ensemble differ in sources or vocabularies.
TextModel text_model(const std::vector<const ModelText*>& models);

}  // namespace heed
