// A model in words, as its config has it: a row for each part and for each attention.
#pragma once

#include <string>
#include <vector>

#include "model/model_config.h"

namespace heed {

// "decoder" with "rnn (cell gru, layers 2, width 64)". Rows of the attentions of a part are indented
// below it: "  attention" with "general score, 1 head, terms [gaussian]".
struct DescriptionRow {
  std::string name, value;
};

// Rows of different models differ: every setting that is not its default is in one of them.
std::vector<DescriptionRow> describe_model(const ModelConfig& model);

}  // namespace heed
