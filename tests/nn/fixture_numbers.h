// Tensors of tests/nn/fixtures, by name.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "nn/torch.h"

namespace heed {

inline std::map<std::string, Tensor> read_numbers(const std::string& name_of_file) {
  const char* root = std::getenv("HEED_SOURCE");
  std::ifstream file(std::string(root ? root : ".") + "/tests/nn/fixtures/" + name_of_file);
  EXPECT_TRUE(file.is_open()) << "run from the root of the sources, or set HEED_SOURCE";
  std::map<std::string, Tensor> numbers;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    std::string name;
    size_t sides = 0;
    words >> name >> sides;
    std::vector<int64_t> shape(sides);
    for (int64_t& size : shape) words >> size;
    std::vector<double> values;
    for (double value = 0; words >> value;) values.push_back(value);
    numbers[name] = torch::tensor(values, torch::kDouble).view(shape);
  }
  return numbers;
}

}  // namespace heed
