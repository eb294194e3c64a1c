// Compiled once and shared by every file that sees libtorch; holds nothing of this project.
#pragma once
#include <torch/torch.h>

#include <spdlog/spdlog.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>
