// Compiled once and shared by every file that sees libtorch; holds nothing of this project but the
// list of libtorch's parts.
#pragma once
#include <spdlog/spdlog.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "nn/torch.h"
