#include "clean/filters/filters.h"

namespace heed {

namespace {

class IdenticalFilter final : public PairFilter {
 public:
  std::string reason(const CorpusPair& pair) const override {
    const auto& [source, target] = pair.sides;
    if (source.text == target.text) return "source and target are the same";
    return normalized(source) == normalized(target)
               ? "source and target differ only in case, punctuation and spaces"
               : "";
  }
};

}  // namespace

PairFilterPtr make_identical_filter() { return std::make_shared<IdenticalFilter>(); }

}  // namespace heed
