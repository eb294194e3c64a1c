// Source factors of a model: labels of the words of a source, such as parts of speech, each factor
// with a separate embedding (Sennrich and Haddow 2016, section 2.1).
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
  std::optional<std::string> source;  // the labelled source; nullopt: the only one
  bool whole_line = false;            // one label for all words
  std::optional<int64_t> width;       // of a concatenated embedding
  Combine combine = Combine::kConcatenate;
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
  bool is_of(const std::string& name) const { return source.value_or(name) == name; }
};

// Configs by name of the factor.
using FactorConfigs = std::map<std::string, FactorConfig>;

std::vector<std::string> names_of(const FactorConfigs& factors);
// The sum of the widths of the concatenated factors of a source.
int64_t concatenated_width(const FactorConfigs& factors, const std::string& source);
// Checks that each factor belongs to one of these sources and that no other input has its name.
void check_factors(const FactorConfigs& factors, const std::vector<std::string>& sources,
                   Problems& problems);

}  // namespace heed
