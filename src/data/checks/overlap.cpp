// Pairs, sources and targets of a validation or test set that the training data have too. A model may
// know them by heart, so they do not measure its quality.
#include <limits>
#include <unordered_map>

#include "base/log.h"
#include "base/random.h"
#include "data/checks/pair_check.h"

namespace heed {

namespace {

using Hashes = std::vector<uint64_t>;

uint64_t hash_of(uint64_t hash, const std::string& line) {
  return mix64(hash ^ std::hash<std::string>()(line));
}

constexpr const char* kNames[] = {"pairs", "sources", "targets"};

// Hashes of the pair, of all its sources and of its target; of a language model the first alone.
Hashes hashes_of(const Lines& lines) {
  uint64_t sources = 0;
  for (size_t side = 0; side + 1 < lines.size(); ++side) sources = hash_of(sources, lines[side]);
  Hashes hashes{hash_of(sources, lines.back())};
  if (lines.size() > 1) hashes.insert(hashes.end(), {sources, hash_of(0, lines.back())});
  return hashes;
}

// The first line of a set that the training data have, and its place there.
struct FirstMet {
  int64_t set_line = 0, train_line = 0;
  size_t part = 0;
};

// One kind of text of a set: its pairs, its sources or its targets.
class TextOverlap {
 public:
  void add(uint64_t hash, int64_t number) {
    ++pairs_;
    ++count_[hash];
    line_.try_emplace(hash, number);
  }
  void meet(uint64_t hash, size_t part, int64_t number) {
    const auto known = count_.find(hash);
    if (known == count_.end()) return;
    if (shared_ == 0) first_ = {line_.at(hash), number, part};
    shared_ += known->second;
    count_.erase(known);
  }
  int64_t pairs() const { return pairs_; }
  int64_t shared() const { return shared_; }
  const FirstMet& first() const { return first_; }
  // True for sentences. Labels are few, and the same in all data.
  bool differ() const { return 2 * std::ssize(line_) >= pairs_; }
  bool is_worth_a_warning() const { return shared_ > 0 && 100 * shared_ >= pairs_ && differ(); }

 private:
  int64_t pairs_ = 0, shared_ = 0;
  std::unordered_map<uint64_t, int64_t> count_;  // of what was not met in training yet
  std::unordered_map<uint64_t, int64_t> line_;   // the first of each
  FirstMet first_;
};

struct SetOverlap {
  std::string name;
  std::vector<TextOverlap> kinds;  // in the order of kNames
};

class OverlapCheck final : public PairCheck {
 public:
  explicit OverlapCheck(const std::vector<ComparedSet>& sets) {
    for (const ComparedSet& set : sets) {
      SetOverlap& own = sets_.emplace_back(SetOverlap{set.name, {}});
      own.kinds.resize(set.files.sides.size() > 1 ? std::size(kNames) : 1);
      constexpr auto kAll = std::numeric_limits<int64_t>::max();
      read_set(set.files, kAll, [&](int64_t number, const Lines& lines) {
        const Hashes hashes = hashes_of(lines);
        for (size_t kind = 0; kind < hashes.size(); ++kind)
          own.kinds[kind].add(hashes[kind], number);
      });
    }
  }

  void see(size_t part, int64_t number, const Lines& lines) override {
    if (sets_.empty()) return;
    const Hashes hashes = hashes_of(lines);
    for (SetOverlap& set : sets_) {
      for (size_t kind = 0; kind < hashes.size(); ++kind)
        set.kinds[kind].meet(hashes[kind], part, number);
    }
  }

  void report(const std::vector<TextPart>& parts, Lines& found) const override {
    for (const SetOverlap& set : sets_) {
      std::vector<std::string> shared;
      const TextOverlap* first = nullptr;
      for (size_t kind = 0; kind < set.kinds.size(); ++kind) {
        const TextOverlap& own = set.kinds[kind];
        if (!own.is_worth_a_warning()) continue;
        if (first == nullptr) first = &own;
        shared.push_back(fmt::format("{} {}", format_count(own.shared()), kNames[kind]));
      }
      if (first == nullptr) continue;
      const auto& [set_line, train_line, part] = first->first();
      found.push_back(
          fmt::format("data.{}: has {} pairs; {} are in the training data too, line {} is line {} "
                      "of {}; scores on it say little about new text: `heed split` divides a "
                      "corpus without that",
                      set.name, format_count(first->pairs()), fmt::join(shared, ", "),
                      format_count(set_line), format_count(train_line), parts[part].name));
    }
  }

 private:
  std::vector<SetOverlap> sets_;
};

}  // namespace

std::unique_ptr<PairCheck> overlap_check(const std::vector<ComparedSet>& sets) {
  return std::make_unique<OverlapCheck>(sets);
}

}  // namespace heed
