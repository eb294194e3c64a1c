// Named random streams: every draw of the program comes from a stream keyed by what it is for,
// never from a process-wide generator. So a draw depends on (seed, name, counters) alone and not on
// what was drawn before it elsewhere.
//
//   RandomStream stream(stream_key(seed, "shuffle", epoch));
//   shuffle(order.begin(), order.end(), stream);
//
// Own code because the distributions and std::shuffle of the standard library differ between its
// implementations, and an exact rerun must not depend on one. The generator is SplitMix64 (Steele
// et al. 2014).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string_view>
#include <utility>

namespace heed {

constexpr uint64_t mix64(uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// A key from a seed, the name of a use and any counters (epoch, update, micro-batch, …), whose
// order matters.
template <class... Counters>
constexpr uint64_t stream_key(uint64_t seed, std::string_view name, Counters... counters) {
  uint64_t key = mix64(seed);
  for (char c : name) key = mix64(key ^ static_cast<unsigned char>(c));
  ((key = mix64(key ^ static_cast<uint64_t>(counters))), ...);
  return key;
}

class RandomStream {
 public:
  explicit RandomStream(uint64_t key) : state_(key) {}
  uint64_t next() {
    const uint64_t value = mix64(state_);
    state_ += 0x9e3779b97f4a7c15ULL;
    return value;
  }
  // Uniform in [0, 1), 53 bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  // Normal, mean 0 and deviation 1 (Box and Muller 1958).
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }
  // Uniform in [0, bound), bound > 0; without modulo bias.
  uint64_t below(uint64_t bound) {
    const uint64_t limit = -bound % bound;
    uint64_t value = next();
    while (value < limit) value = next();
    return value % bound;
  }
  uint64_t state() const { return state_; }

 private:
  uint64_t state_;
};

// Index of an item drawn in proportion to weight(item), by a uniform number in [0, 1). Items are not
// empty.
template <class Items, class Weight>
size_t draw_index(const Items& items, Weight weight, double uniform) {
  double sum = 0;
  for (const auto& item : items) sum += weight(item);
  double rest = uniform * sum;
  for (size_t i = 0; i < items.size(); ++i) {
    rest -= weight(items[i]);
    if (rest < 0) return i;
  }
  return items.size() - 1;
}

// Fisher and Yates.
template <class Iterator>
void shuffle(Iterator first, Iterator last, RandomStream& stream) {
  for (auto n = last - first; n > 1; --n) {
    std::swap(first[n - 1],
              first[static_cast<decltype(n)>(stream.below(static_cast<uint64_t>(n)))]);
  }
}

}  // namespace heed
