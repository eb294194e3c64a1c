// Source factors of a model: labels of the words of a source, such as parts of speech, each with an
// embedding of its own (Sennrich and Haddow 2016, section 2.1).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/fields.h"

namespace heed {

// Concatenated with the embedding of the token, or added to it.
enum class Combine { kConcatenate, kSum };

struct FactorConfig final : Settings {
  std::optional<std::string> source;  // whose words it labels; none: of the only one
  std::optional<int64_t> width;       // of a concatenated embedding
  Combine combine = Combine::kConcatenate;
  void fields(Fields& f) const override;
  void validate(Problems& problems) const override;
  bool is_of(const std::string& name) const { return source.value_or(name) == name; }
};

// By name.
using FactorConfigs = std::map<std::string, FactorConfig>;

std::vector<std::string> names_of(const FactorConfigs& factors);
// The sum of the widths of the concatenated factors of a source.
int64_t concatenated_width(const FactorConfigs& factors, const std::string& source);
// Whether each belongs to one of these sources, and has a name that no other input has.
void check_factors(const FactorConfigs& factors, const std::vector<std::string>& sources,
                   Problems& problems);

}  // namespace heed
