#include "base/sealed_json.h"

#include <spdlog/fmt/fmt.h>

#include "base/hash.h"

namespace heed {

namespace {

constexpr std::string_view kHead = "{\"hash\":\"";
constexpr size_t kHashDigits = 32;

}  // namespace

std::string seal_json(std::string_view members) {
  const std::string tail = fmt::format("\",\n{}}}\n", members);
  return fmt::format("{}{}{}", kHead, hash_bytes(tail), tail);
}

bool has_seal(std::string_view text) {
  constexpr size_t kTail = kHead.size() + kHashDigits;
  return text.size() >= kTail && text.starts_with(kHead) &&
         text.substr(kHead.size(), kHashDigits) == hash_bytes(text.substr(kTail));
}

}  // namespace heed
