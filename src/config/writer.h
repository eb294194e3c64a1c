// Writes settings with every default as YAML that the reader takes back unchanged, and lists them
// as a flat table.
#pragma once

#include <map>
#include <string>

#include "config/fields.h"

namespace heed {

// Block style, two spaces a level, fields in their order; small structs of scalars on one line:
// {type: lstm, layers: 2}.
std::string write_config(const Visited& settings);
// The same on one line: {beam: 5, length_penalty: 1.0}.
std::string write_inline(const Visited& settings);

// Values by key: model.decoder.width → 512.
using FlatConfig = std::map<std::string, std::string>;

// For comparing two configs field by field (train --resume) and for `heed config explain`.
FlatConfig flatten_config(const Visited& settings);

}  // namespace heed
