// The texts and figures of tests/metric/fixtures, which the scripts of scripts/fixtures made
// with sacreBLEU, rouge-score and NLTK.
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

// As many lines from `first` on, and as many references, as the case says.
Texts select(const Texts& texts, const nlohmann::json& figures);

// Scores the texts as a case of a figures' file says and compares with what it expects.
void expect_figures(const Texts& texts, const nlohmann::json& figures);

}  // namespace heed::test
