#include "metric/numpy_generator.h"

#include <array>
#include <bit>
#include <cstddef>

namespace heed {

namespace {

// numpy's SeedSequence: a pool of four words, mixed from the seed, and hashes of it.
class SeedSequence {
 public:
  explicit SeedSequence(uint32_t seed) {
    for (uint32_t& word : pool_) word = hash(&word == pool_.data() ? seed : 0, 0x931e8875);
    for (const uint32_t& source : pool_) {
      for (uint32_t& word : pool_) {
        if (&word != &source) word = mix(word, hash(source, 0x931e8875));
      }
    }
    constant_ = 0x8b51f9dd;
  }

  uint64_t next64() {
    const uint64_t low = next32();
    return static_cast<uint64_t>(next32()) << 32 | low;
  }

 private:
  static uint32_t fold(uint32_t value) { return value ^ value >> 16; }
  static uint32_t mix(uint32_t a, uint32_t b) { return fold(0xca01f9dd * a - 0x4973f715 * b); }

  uint32_t hash(uint32_t value, uint32_t multiplier) {
    value ^= constant_;
    constant_ *= multiplier;
    return fold(value * constant_);
  }
  uint32_t next32() { return hash(pool_[at_++ % pool_.size()], 0x58f38ded); }

  std::array<uint32_t, 4> pool_{};
  uint32_t constant_ = 0x43b0d7e5;
  size_t at_ = 0;
};

}  // namespace

NumpyGenerator::NumpyGenerator(uint32_t seed) {
  SeedSequence words(seed);
  const auto next128 = [&] {
    const Uint128 high = words.next64();
    return high << 64 | words.next64();
  };
  const Uint128 start = next128();
  increment_ = next128() << 1 | 1;
  step();
  state_ += start;
  step();
}

void NumpyGenerator::step() {
  constexpr Uint128 kMultiplier =
      static_cast<Uint128>(0x2360ED051FC65DA4) << 64 | 0x4385DF649FCCF645;
  state_ = state_ * kMultiplier + increment_;
}

uint64_t NumpyGenerator::next64() {
  step();
  const auto high = static_cast<uint64_t>(state_ >> 64), low = static_cast<uint64_t>(state_);
  return std::rotr(high ^ low, static_cast<int>(high >> 58));
}

uint32_t NumpyGenerator::next32() {
  has_kept_ = !has_kept_;
  if (!has_kept_) return kept_;
  const uint64_t bits = next64();
  kept_ = static_cast<uint32_t>(bits >> 32);
  return static_cast<uint32_t>(bits);
}

// Lemire 2019, "Fast random integer generation in an interval".
uint32_t NumpyGenerator::below(uint32_t bound) {
  if (bound == 1) return 0;
  const uint32_t least = -bound % bound;
  uint64_t product = 0;
  do {
    product = static_cast<uint64_t>(next32()) * bound;
  } while (static_cast<uint32_t>(product) < least);
  return static_cast<uint32_t>(product >> 32);
}

bool NumpyGenerator::random_bit() {
  if (coins_left_ == 0) {
    coins_ = next32();
    coins_left_ = 32;
  }
  const bool result = coins_ & 1;
  coins_ >>= 1;
  --coins_left_;
  return result;
}

}  // namespace heed
