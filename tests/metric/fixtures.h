// Texts and figures of tests/metric/fixtures, made by the scripts of scripts/fixtures with
// sacreBLEU, rouge-score and NLTK.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "metric/registry.h"

namespace heed::test {

std::filesystem::path fixture(const std::string& name);
Lines read_lines(const std::filesystem::path& path);
nlohmann::json read_cases(const std::string& name);

struct Texts {
  Lines hypotheses;
  References references;
};
const Texts& generated();

// Selects the lines and references of a case: its number of lines from `first` on, and its number
// of references.
Texts select(const Texts& texts, const nlohmann::json& figures);

// Scores the texts as described by a case of a file of figures, and compares with its expected
// values.
void expect_figures(const Texts& texts, const nlohmann::json& figures);

}  // namespace heed::test
