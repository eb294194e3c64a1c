#include "translate/shards/shard.h"

#include <algorithm>
#include <charconv>

#include <spdlog/fmt/fmt.h>

namespace heed {

namespace {

// Decimal digits without zeros before them.
std::optional<int64_t> parse_positive(std::string_view text) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < 1 || text.front() == '0') return std::nullopt;
  return value;
}

}  // namespace

std::filesystem::path LineShard::file(const std::filesystem::path& whole) const {
  return fmt::format("{}.{}-of-{}", whole.string(), number, count);
}

std::optional<LineShard> parse_shard(std::string_view text) {
  const size_t slash = std::min(text.find('/'), text.size());
  const auto number = parse_positive(text.substr(0, slash));
  const auto count = parse_positive(text.substr(std::min(slash + 1, text.size())));
  constexpr int64_t kMost = 1'000'000;
  if (!number || !count || *number > *count || *count > kMost) return std::nullopt;
  return LineShard{*number, *count};
}

}  // namespace heed
