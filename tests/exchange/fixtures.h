// Models of other toolkits with random weights, and what these compute by them
// (scripts/fixtures/marian_models.py, joeynmt_models.py, opennmt_models.py).
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace heed {

inline std::filesystem::path exchange_fixture(const std::string& name) {
  const char* source = std::getenv("HEED_SOURCE");
  return std::filesystem::absolute(source == nullptr ? "." : source) / "tests/exchange/fixtures" /
         name;
}

// "tokens" by id of the target side, and "cases".
inline nlohmann::json expected_by_toolkit(const std::string& name) {
  std::ifstream file(exchange_fixture(name) / "expected.json");
  return nlohmann::json::parse(file);
}

}  // namespace heed
