// Self-training: the runs of a setting, the teacher, label text without targets for the runs of
// another setting, the student.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sweep/sweep_plan.h"

namespace heed {

// The translation of a line that the most runs have among their best ones, if they are at least this
// fraction of the runs. nbests: of each run, best first. Ties go to the lower sum of places, then to
// the first. Empty translations do not count.
std::optional<std::string> agreed_translation(const std::vector<std::vector<std::string>>& nbests,
                                              double agreement);

// Files of the training pairs that a student gets.
struct AgreedFiles {
  std::filesystem::path source, target;
};
AgreedFiles agreed_files(const std::filesystem::path& student);

// Adds the students to the plan, one for each setting of the config and round, behind all others.
// tree_of: gives the config with the changes of a setting.
void add_students(SweepPlan& plan, const std::function<Node(const SweepSetting&)>& tree_of);

// Writes the training pairs of a student, unless they are there. Throws Interrupted after a signal,
// Error(kFailure) if a translation fails or no line is agreed on, and Error(kUsage) if the pairs
// were made by other models or from another text.
void label_text(const SweepPlan& plan, size_t student);

}  // namespace heed
