#include <unicode/uscript.h>

#include <algorithm>
#include <set>

#include "clean/filters/filters.h"

namespace heed {

namespace {

const char* name_of_script(int script) { return uscript_getName(static_cast<UScriptCode>(script)); }

class ScriptFilter final : public SideFilter {
 public:
  ScriptFilter(const ScriptFilterConfig& config, const CorpusProfile& profile) : config_(config) {
    constexpr double kLeast = 0.05;
    for (size_t side = 0; side < expected_.size(); ++side) {
      for (const auto& [script, share] : profile.sides[side].scripts) {
        if (share >= kLeast) expected_[side].insert(script);
      }
      const bool is_japanese =
          expected_[side].contains(USCRIPT_HIRAGANA) || expected_[side].contains(USCRIPT_KATAKANA);
      if (is_japanese) expected_[side].insert({USCRIPT_HIRAGANA, USCRIPT_KATAKANA, USCRIPT_HAN});
    }
  }

 private:
  std::string side_reason(const CorpusPair& pair, size_t side) const override {
    std::map<int, int64_t> others;
    int64_t letters = 0, foreign = 0;
    for (const char32_t c : pair.sides[side].characters) {
      const auto script = letter_script(c);
      if (!script) continue;
      ++letters;
      if (expected_[side].contains(*script)) continue;
      ++foreign;
      ++others[*script];
    }
    if (static_cast<double>(foreign) <= config_.max_share * static_cast<double>(letters)) return "";
    const auto most =
        std::ranges::max_element(others, {}, [](const auto& other) { return other.second; });
    std::vector<std::string> names;
    for (const int script : expected_[side]) names.emplace_back(name_of_script(script));
    return fmt::format("script {} {} %, expected {}", name_of_script(most->first),
                       100 * most->second / letters, fmt::join(names, ", "));
  }

  ScriptFilterConfig config_;
  std::array<std::set<int>, 2> expected_;
};

}  // namespace

PairFilterPtr make_script_filter(const ScriptFilterConfig& config, const CorpusProfile& profile) {
  return std::make_shared<ScriptFilter>(config, profile);
}

}  // namespace heed
