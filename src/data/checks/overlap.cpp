// Pairs of a validation or test set that are training pairs too: what the model knows by heart says
// nothing about what it can do.
#include <limits>
#include <unordered_map>

#include "base/log.h"
#include "base/random.h"
#include "data/checks/pair_check.h"

namespace heed {

namespace {

uint64_t hash_of(const Lines& lines) {
  uint64_t hash = 0;
  for (const std::string& line : lines) hash = mix64(hash ^ std::hash<std::string>()(line));
  return hash;
}

class OverlapCheck final : public PairCheck {
 public:
  explicit OverlapCheck(const std::vector<ComparedSet>& sets) {
    for (const ComparedSet& set : sets) {
      Compared& compared = sets_.emplace_back();
      compared.name = set.name;
      constexpr auto kAll = std::numeric_limits<int64_t>::max();
      compared.pairs = read_set(set.files, kAll, [&](int64_t number, const Lines& lines) {
        const uint64_t hash = hash_of(lines);
        ++compared.count[hash];
        compared.line.try_emplace(hash, number);
      });
    }
  }

  void see(size_t part, int64_t number, const Lines& lines) override {
    if (sets_.empty()) return;
    const uint64_t hash = hash_of(lines);
    for (Compared& set : sets_) {
      const auto known = set.count.find(hash);
      if (known == set.count.end()) continue;
      set.shared += known->second;
      if (set.part < 0) {
        set.part = static_cast<int64_t>(part);
        set.set_line = set.line.at(hash);
        set.train_line = number;
      }
      set.count.erase(known);
    }
  }

  void report(const std::vector<TextPart>& parts, Lines& found) const override {
    for (const Compared& set : sets_) {
      if (set.shared == 0 || set.shared * 100 < set.pairs) continue;
      found.push_back(fmt::format(
          "data.{}: {} of {} pairs are training pairs too, line {} is line {} of {}; scores on it "
          "say little about new text: take them out of one of the two",
          set.name, format_count(set.shared), format_count(set.pairs), set.set_line,
          format_count(set.train_line), parts[static_cast<size_t>(set.part)].name));
    }
  }

 private:
  struct Compared {
    std::string name;
    int64_t pairs = 0, shared = 0;
    std::unordered_map<uint64_t, int64_t> count, line;  // of what was not met in training yet
    int64_t part = -1, set_line = 0, train_line = 0;    // the first one met
  };
  std::vector<Compared> sets_;
};

}  // namespace

std::unique_ptr<PairCheck> overlap_check(const std::vector<ComparedSet>& sets) {
  return std::make_unique<OverlapCheck>(sets);
}

}  // namespace heed
