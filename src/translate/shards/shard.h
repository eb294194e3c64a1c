// One of N parts of the lines of an input, each translated by a separate process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace heed {

struct LineShard {
  int64_t number = 1, count = 1;  // number: from 1
  bool is_last() const { return number == count; }
  // File of this shard for the output `whole`: OUT.2-of-4.
  std::filesystem::path file(const std::filesystem::path& whole) const;
  bool operator==(const LineShard&) const = default;
};

// Parses "2/4"; nullopt for anything else.
std::optional<LineShard> parse_shard(std::string_view text);

}  // namespace heed
