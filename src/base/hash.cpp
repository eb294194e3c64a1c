#include "base/hash.h"

#include <xxhash.h>
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>  // the functions for the instruction set of the processor
#endif

#include <memory>
#include <vector>

#include "base/descriptor.h"
#include "base/packed_file.h"

namespace heed {

namespace {

std::string hexadecimal(XXH128_hash_t hash) {
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

std::string hash_bytes(std::string_view bytes) {
  return hexadecimal(XXH3_128bits(bytes.data(), bytes.size()));
}

struct ContentHash::State {
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> own{XXH3_createState(),
                                                                      XXH3_freeState};
};

ContentHash::ContentHash() : state_(std::make_unique<State>()) {
  HEED_CHECK(state_->own != nullptr);
  XXH3_128bits_reset(state_->own.get());
}

ContentHash::~ContentHash() = default;

void ContentHash::add(std::string_view bytes) {
  XXH3_128bits_update(state_->own.get(), bytes.data(), bytes.size());
}

std::string ContentHash::digest() const {
  return hexadecimal(XXH3_128bits_digest(state_->own.get()));
}

std::string hash_file(const std::filesystem::path& path) {
  constexpr size_t kChunk = 1 << 20;
  if (const auto packed = find_packed(path)) return hash_bytes(*packed);
  const Descriptor file = Descriptor::open_regular(path);
  ContentHash hash;
  std::vector<char> chunk(kChunk);
  while (const size_t count = file.read(chunk.data(), chunk.size()))
    hash.add({chunk.data(), count});
  return hash.digest();
}

}  // namespace heed
