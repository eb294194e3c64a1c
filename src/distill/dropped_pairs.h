// Pairs that the filters of a distillation have dropped.
#pragma once

#include <filesystem>

namespace heed {

// Throws Error(kData) with the number of pairs that each filter drops if no pair is left. kept: source
// lines of the pairs that are left; rejected: as `heed clean --rejected` writes it.
void expect_pairs(const std::filesystem::path& kept, const std::filesystem::path& rejected);

}  // namespace heed
