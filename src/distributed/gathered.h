// Values of all processes, of any type that nlohmann::json takes; strings may hold any bytes.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "distributed/reducer.h"

namespace heed {

// Collects the values of all processes, in the order of their ranks.
template <class T>
std::vector<T> gathered(Reducer& processes, const T& own) {
  if (processes.processes() == 1) return {own};
  const std::vector<uint8_t> bytes = nlohmann::json::to_msgpack(own);
  std::vector<T> all;
  for (const std::string& other : processes.gather({bytes.begin(), bytes.end()}))
    all.push_back(nlohmann::json::from_msgpack(other).get<T>());
  return all;
}

}  // namespace heed
