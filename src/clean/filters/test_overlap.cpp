#include <unordered_map>

#include "base/file.h"
#include "base/utf8.h"
#include "clean/filters/filters.h"
#include "data/sentence_groups.h"

namespace heed {

namespace {

class TestFilter final : public SideFilter {
 public:
  explicit TestFilter(const std::vector<std::string>& files) : files_(files) {
    for (size_t i = 0; i < files.size(); ++i) {
      LineReader reader(files[i]);
      for (std::string line; reader.next(line);) {
        const SideLine text(replace_malformed(line));
        if (text.letters > 0) file_of_.try_emplace(SentenceGroups::hash(normalized(text)), i);
      }
    }
  }

 private:
  std::string side_reason(const CorpusPair& pair, size_t side) const override {
    const auto found = file_of_.find(SentenceGroups::hash(normalized(pair.sides[side])));
    return found == file_of_.end() ? "" : fmt::format("is in {}", files_[found->second]);
  }

  std::vector<std::string> files_;
  std::unordered_map<uint64_t, size_t> file_of_;  // by the hash of a normalized line
};

}  // namespace

PairFilterPtr make_test_filter(const std::vector<std::string>& files) {
  return std::make_shared<TestFilter>(files);
}

}  // namespace heed
