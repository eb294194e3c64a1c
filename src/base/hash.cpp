#include "base/hash.h"

#include <xxhash.h>

#include <memory>
#include <vector>

#include "base/descriptor.h"

namespace heed {

namespace {

std::string hexadecimal(XXH128_hash_t hash) {
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

std::string hash_bytes(std::string_view bytes) {
  return hexadecimal(XXH3_128bits(bytes.data(), bytes.size()));
}

std::string hash_file(const std::filesystem::path& path) {
  constexpr size_t kChunk = 1 << 20;
  const Descriptor file = Descriptor::open_regular(path);
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              XXH3_freeState);
  HEED_CHECK(state != nullptr);
  XXH3_128bits_reset(state.get());
  std::vector<char> chunk(kChunk);
  while (const size_t count = file.read(chunk.data(), chunk.size())) {
    XXH3_128bits_update(state.get(), chunk.data(), count);
  }
  return hexadecimal(XXH3_128bits_digest(state.get()));
}

}  // namespace heed
