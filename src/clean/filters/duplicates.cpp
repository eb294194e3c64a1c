#include "base/random.h"
#include "clean/filters/filters.h"
#include "data/sentence_groups.h"

namespace heed {

namespace {

uint64_t key_of(const char* what, const std::string& text) {
  return stream_key(SentenceGroups::hash(text), what);
}

uint64_t pair_key(const std::string& source, const std::string& target) {
  return mix64(key_of("source", source) + 3 * key_of("target", target));
}

class DuplicatesFilter final : public MemoryFilter {
 public:
  explicit DuplicatesFilter(const DuplicatesFilterConfig& config) : config_(config) {}

  std::vector<uint64_t> keys(const CorpusPair& pair) const override {
    const std::string &source = pair.sides[0].text, &target = pair.sides[1].text;
    std::vector<uint64_t> keys;
    if (config_.source) keys.push_back(key_of("source", source));
    if (config_.target) keys.push_back(key_of("target", target));
    if (keys.empty()) keys.push_back(pair_key(source, target));
    return keys;
  }
  std::string reason() const override {
    if (config_.source && config_.target) return "source or target came before";
    return config_.source   ? "source came before"
           : config_.target ? "target came before"
                            : "pair came before";
  }

 private:
  DuplicatesFilterConfig config_;
};

class NearDuplicatesFilter final : public MemoryFilter {
 public:
  explicit NearDuplicatesFilter(const NearDuplicatesFilterConfig& config) : config_(config) {}

  std::vector<uint64_t> keys(const CorpusPair& pair) const override {
    return {pair_key(normalized(pair.sides[0], config_.ignore_digits),
                     normalized(pair.sides[1], config_.ignore_digits))};
  }
  std::string reason() const override {
    return config_.ignore_digits ? "pair came before with other case, digits, punctuation or spaces"
                                 : "pair came before with other case, punctuation or spaces";
  }

 private:
  NearDuplicatesFilterConfig config_;
};

}  // namespace

MemoryFilterPtr make_duplicates_filter(const DuplicatesFilterConfig& config) {
  return std::make_shared<DuplicatesFilter>(config);
}

MemoryFilterPtr make_near_duplicates_filter(const NearDuplicatesFilterConfig& config) {
  return std::make_shared<NearDuplicatesFilter>(config);
}

}  // namespace heed
