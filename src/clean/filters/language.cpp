#include <algorithm>

#include "base/language_code.h"
#include "base/log.h"
#include "clean/filters/filters.h"
#include "text/language_detector.h"

namespace heed {

namespace {

// The language of a side.
struct ExpectedLanguage {
  std::string code;             // "": any
  bool is_that_of_most = true;  // of the lines
};
using Expected = std::array<ExpectedLanguage, 2>;

class LanguageFilter final : public SideFilter {
 public:
  LanguageFilter(const LanguageFilterConfig& config, Expected expected,
                 std::shared_ptr<const SideModels> models)
      : config_(config), expected_(std::move(expected)), models_(std::move(models)) {}

 private:
  // CLD2 takes one short line in a hundred for another language. Most of these are written as the side
  // usually is.
  std::string side_reason(const CorpusPair& pair, size_t side) const override {
    const SideLine& line = pair.sides[side];
    const auto& [expected, is_that_of_most] = expected_[side];
    if (expected.empty() || static_cast<int64_t>(line.letters) < config_.min_letters) return "";
    if (is_that_of_most && models_->is_usual(pair, side)) return "";
    const auto found = sure_languages(line.text);
    const bool has_expected = std::ranges::any_of(
        found, [&](const auto& one) { return are_close(one.language, expected); });
    if (found.empty() || has_expected || found.front().share < config_.min_share) return "";
    return fmt::format("language {} {:.2f}, expected {}", found.front().language,
                       found.front().share, expected);
  }

  LanguageFilterConfig config_;
  Expected expected_;
  std::shared_ptr<const SideModels> models_;
};

ExpectedLanguage expected_language(const std::optional<std::string>& given,
                                   const SideProfile& profile, const char* side) {
  constexpr double kLeast = 0.6;
  if (given) {
    const std::string code = language_code(*given);
    return {code, are_close(code, profile.language)};
  }
  if (profile.language_share >= kLeast) {
    spdlog::info("{}: {:.0f} % of the lines are in the language {}", side,
                 100 * profile.language_share, profile.language);
    return {profile.language};
  }
  spdlog::warn(
      "{0}: no language has {1:.0f} % of the lines, so the filter 'language' does not read this "
      "side; name it: --set language.{0}=CODE",
      side, 100 * kLeast);
  return {};
}

}  // namespace

PairFilterPtr make_language_filter(const LanguageFilterConfig& config, const CorpusProfile& profile,
                                   const std::shared_ptr<const SideModels>& models) {
  const Expected expected{expected_language(config.source, profile.sides[0], kSideNames[0]),
                          expected_language(config.target, profile.sides[1], kSideNames[1])};
  if (expected[0].code.empty() && expected[1].code.empty()) return nullptr;
  return std::make_shared<LanguageFilter>(config, expected, models);
}

}  // namespace heed
