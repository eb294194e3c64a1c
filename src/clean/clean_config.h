// Settings of the filters of `heed clean`, a section each. `numbers: false` turns a filter off.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "config/fields.h"

namespace heed {

struct FilterConfig : Settings {
  bool enabled = true;
  const char* shorthand() const override { return "enabled"; }
  void fields(Fields& f) override;
};

struct LengthFilterConfig final : FilterConfig {
  int64_t min_words = 1, max_words = 200;
  int64_t min_characters = 1, max_characters = 2000;
  int64_t max_word_characters = 60;
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
};

struct RatioFilterConfig final : FilterConfig {
  double max_ratio = 2.5;
  int64_t slack = 20;
  void fields(Fields& f) override;
};

struct CharactersFilterConfig final : FilterConfig {
  double min_letters = 0.3;
  void fields(Fields& f) override;
};

struct ScriptFilterConfig final : FilterConfig {
  double max_share = 0.4;
  void fields(Fields& f) override;
};

struct LanguageFilterConfig final : FilterConfig {
  std::optional<std::string> source, target;
  int64_t min_letters = 15;
  double min_share = 0.6;
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
};

struct SidesFilterConfig final : FilterConfig {
  double threshold = 5;
  void fields(Fields& f) override;
};

struct RepetitionFilterConfig final : FilterConfig {
  int64_t times = 4;
  void fields(Fields& f) override;
};

struct PunctuationFilterConfig final : FilterConfig {
  PunctuationFilterConfig() { enabled = false; }
};

struct ScoresFilterConfig final : FilterConfig {
  std::optional<double> best, max;
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
};

struct DuplicatesFilterConfig final : FilterConfig {
  bool source = false, target = false;
  void fields(Fields& f) override;
};

struct NearDuplicatesFilterConfig final : FilterConfig {
  bool ignore_digits = false;
  void fields(Fields& f) override;
};

struct CleanConfig final : Settings {
  LengthFilterConfig length;
  RatioFilterConfig ratio;
  FilterConfig identical;
  CharactersFilterConfig characters;
  ScriptFilterConfig script;
  LanguageFilterConfig language;
  SidesFilterConfig sides;
  FilterConfig numbers, markup, links;
  RepetitionFilterConfig repetition;
  PunctuationFilterConfig punctuation;
  FilterConfig test;
  ScoresFilterConfig scores;
  DuplicatesFilterConfig duplicates;
  NearDuplicatesFilterConfig near_duplicates;
  void fields(Fields& f) override;
};

}  // namespace heed
