#include "data/encoded_text.h"

#include "base/error.h"

namespace heed {

void EncodedText::append(const std::vector<Ids>& pair, const std::vector<int64_t>& lengths) {
  if (!complete_) return;
  HEED_CHECK(pair.size() == sides_ && lengths.size() == sides_);
  for (size_t side = 0; side < sides_; ++side) {
    const Ids& ids = pair[side];
    HEED_CHECK(lengths[side] <= std::ssize(ids));
    ids_.insert(ids_.end(), ids.begin(), ids.begin() + lengths[side]);
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
