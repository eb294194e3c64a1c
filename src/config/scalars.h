// From the text of a scalar in a file to the canonical text that a field takes, and the words for
// what a field allows.
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
  std::string complaint{};  // if it cannot be used: what was found, what is expected, what to write
};
Scalar read_scalar(const ScalarField& field, const Node& node);

// The canonical text as a file has it: durations with their unit.
std::string write_scalar(const ScalarField& field, const std::string& canonical);

}  // namespace heed
