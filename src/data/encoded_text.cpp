#include "data/encoded_text.h"

#include "base/error.h"

namespace heed {

EncodedText::EncodedText(size_t sides, std::span<const int32_t> ids, std::span<const uint32_t> ends,
                         std::shared_ptr<const void> owner)
    : sides_(sides), ids_(ids), ends_(ends), owner_(std::move(owner)) {}

Ids EncodedText::ids(PairId pair, size_t side) const {
  const size_t i = size_t{pair} * sides_ + side;
  HEED_CHECK(i < ends_.size(), "pair {} of {}", pair, ends_.size());
  const size_t begin = i == 0 ? 0 : ends_[i - 1];
  const auto own = ids_.subspan(begin, ends_[i] - begin);
  return {own.begin(), own.end()};
}

void EncodedTextBuilder::append(const std::vector<Ids>& pair, const std::vector<int64_t>& lengths) {
  if (full_) return;
  HEED_CHECK(pair.size() == sides_ && lengths.size() == sides_);
  auto& [ids, ends] = storage_;
  for (size_t side = 0; side < sides_; ++side) {
    HEED_CHECK(lengths[side] <= std::ssize(pair[side]));
    ids.insert(ids.end(), pair[side].begin(), pair[side].begin() + lengths[side]);
    ends.push_back(static_cast<uint32_t>(ids.size()));
  }
  if (ids.size() <= most_) return;
  full_ = true;
  storage_ = {};
}

EncodedText EncodedTextBuilder::finish() {
  const auto storage = std::make_shared<const Storage>(std::move(storage_));
  return {sides_, storage->ids, storage->ends, storage};
}

}  // namespace heed
