// Upper and lower case, for metrics that compare words or lines.
#pragma once

#include <string>
#include <string_view>

#include "base/utf8.h"

namespace heed {

struct LetterCase {
  bool ignored = false;
  // A text as it is compared.
  std::string apply(std::string_view text) const {
    return ignored ? lower_case(text) : std::string(text);
  }
  // In signatures: "case:lc".
  std::string signature() const { return ignored ? "case:lc" : "case:mixed"; }
};

}  // namespace heed
