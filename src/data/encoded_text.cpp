#include "data/encoded_text.h"

#include "base/error.h"

namespace heed {

void EncodedText::append(const std::vector<Ids>& pair) {
  if (!complete_) return;
  HEED_CHECK(pair.size() == sides_);
  for (const Ids& side : pair) {
    ids_.insert(ids_.end(), side.begin(), side.end());
    ends_.push_back(static_cast<uint32_t>(ids_.size()));
  }
  if (ids_.size() <= most_) return;
  complete_ = false;
  ids_ = {};
  ends_ = {};
}

Ids EncodedText::ids(PairId pair, size_t side) const {
  HEED_CHECK(complete_);
  const size_t i = size_t{pair} * sides_ + side;
  const auto from = [this](size_t at) {
    return ids_.begin() + (at == 0 ? 0 : static_cast<std::ptrdiff_t>(ends_.at(at - 1)));
  };
  return {from(i), from(i + 1)};
}

}  // namespace heed
