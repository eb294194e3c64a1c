// The section `distill` of a config, for `heed distill`: a large model, the teacher, labels the text from
// which a small one learns, the student. The rest of the config is that of the student. The section is
// no part of a run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/fields.h"

namespace heed {

// A model that is there, or the config of one to train.
struct DistilledModelConfig final : Settings {
  std::optional<std::string> config;
  std::vector<std::string> set;              // KEY=VALUE for the config
  std::map<std::string, std::string> model;  // by name; several are an ensemble
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
  const char* example() const override { return "{config: FILE} or {model: FOLDER}"; }
  std::vector<std::string> settings() const;  // --set of the training
};

// Text without its translation, by name.
struct DistilledTextConfig final : Settings {
  std::map<std::string, std::string> source, target;
  void fields(Fields& f) override;
};

enum class BestTranslation { kScore, kBleu, kChrf };

// The metric that chooses; nullopt: the teacher's score does.
std::optional<std::string> metric_of(BestTranslation best);

// How the teacher translates.
struct TeachingConfig final : Settings {
  int64_t beam = 5;
  int64_t nbest = 1;
  BestTranslation best = BestTranslation::kScore;
  int64_t shards = 1;
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
};

// Guided alignment of the student (Chen 2016) by the alignment of words that `heed align` finds.
struct StudentAlignmentConfig final : Settings {
  double weight = 0.5;
  void fields(Fields& f) override;
};

enum class StudentPrecision { kInt8, kBf16, kFp32 };

// The word of --precision in `heed pack`.
std::string word_of(StudentPrecision precision);

// The packed student.
struct StudentPackConfig final : Settings {
  StudentPrecision precision = StudentPrecision::kInt8;
  bool shortlist = true;
  void fields(Fields& f) override;
};

struct DistillConfig final : Settings {
  std::optional<std::string> folder;
  DistilledModelConfig teacher;
  std::optional<DistilledModelConfig> reverse;
  DistilledTextConfig text;
  TeachingConfig translation;
  Node filters;  // the settings of `heed clean`
  std::optional<StudentAlignmentConfig> alignment;
  bool references = false;
  StudentPackConfig pack;
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
};

}  // namespace heed
