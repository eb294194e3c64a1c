// The identity of a validation's scores: everything that they depend on besides the model.
#pragma once

#include <map>
#include <string>

namespace heed {

struct ValidationMetric;

// Scores of equal identity can be compared; others begin anew: the best one, patience, plateau.
struct ScoreIdentity {
  std::string set;  // hash of the validation text; "": unknown, earlier versions did not keep it
  // A hash for each metric of translations: of its settings and those of search.
  std::map<std::string, std::string> metrics{};

  bool is_known() const { return !set.empty(); }
  // True if scores by the metric can be compared with those of the other identity.
  bool fits(const ScoreIdentity& other, const ValidationMetric& metric) const;
  bool operator==(const ScoreIdentity&) const = default;
};

}  // namespace heed
