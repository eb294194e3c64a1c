// The card of a packed model: its languages, licence, training and scores, as YAML.
#pragma once

#include <optional>
#include <string>

namespace heed {

// model: as the user named it. licence: of the model, if it was given. The scores are those of its
// run, if it is one or a checkpoint of one.
std::string model_card(const std::string& model, const std::optional<std::string>& licence);

}  // namespace heed
