// Converts the text of a scalar in a file to the canonical text of a field, and describes the
// allowed values of a field.
#pragma once

#include <optional>
#include <string>

#include "config/bindings.h"
#include "config/tree.h"

namespace heed {

// "a whole number, at least 1", "above 0", "`drop`, `truncate` or `error`".
std::string expected_text(const ScalarField& field);

struct Scalar {
  std::optional<std::string> text{};  // canonical, see ScalarField
  std::string complaint{};  // if the value is invalid: found and expected value, what to write
};
Scalar read_scalar(const ScalarField& field, const Node& node);

// Canonical text as it is written in a file: durations get their unit.
std::string write_scalar(const ScalarField& field, const std::string& canonical);

}  // namespace heed
