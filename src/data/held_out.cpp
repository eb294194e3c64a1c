#include "data/held_out.h"

#include <algorithm>

#include "base/random.h"
#include "data/permutation.h"

namespace heed {

namespace {

constexpr int64_t kFiftieth = 50;

struct DrawnSet {
  CorpusPart part;
  int64_t wanted, missing;
};

class Drawing {
 public:
  Drawing(const SentenceGroups& groups, const HeldOut& wanted)
      : groups_(groups),
        parts_(groups.pairs(), CorpusPart::kTrain),
        sets_{{CorpusPart::kValid, wanted.valid, wanted.valid},
              {CorpusPart::kTest, wanted.test, wanted.test}} {}

  // Takes pairs in this order, and with each its group.
  void draw(const Permutation& order, bool of_any_size) {
    for (size_t i = 0; i < groups_.pairs() && missing() > 0; ++i)
      take(groups_.group(order(i)), of_any_size);
  }

  std::vector<CorpusPart> parts() const {
    std::vector<CorpusPart> parts;
    for (size_t pair = 0; pair < groups_.pairs(); ++pair)
      parts.push_back(parts_[groups_.group(pair)]);
    return parts;
  }

 private:
  int64_t missing() const { return sets_[0].missing + sets_[1].missing; }
  void take(uint32_t group, bool of_any_size) {
    if (parts_[group] != CorpusPart::kTrain) return;
    const int64_t size = groups_.size(group);
    for (DrawnSet& set : sets_) {
      const int64_t most = of_any_size ? set.wanted : std::max<int64_t>(1, set.wanted / kFiftieth);
      if (size > std::min(most, set.missing)) continue;
      set.missing -= size;
      parts_[group] = set.part;
      return;
    }
  }

  const SentenceGroups& groups_;
  std::vector<CorpusPart> parts_;  // by the pair that stands for a group
  DrawnSet sets_[2];
};

}  // namespace

std::vector<CorpusPart> hold_out(const SentenceGroups& groups, const HeldOut& wanted,
                                 uint64_t seed) {
  const Permutation order(groups.pairs(), stream_key(seed, "split"));
  Drawing drawing(groups, wanted);
  drawing.draw(order, /*of_any_size=*/false);
  drawing.draw(order, /*of_any_size=*/true);
  return drawing.parts();
}

}  // namespace heed
