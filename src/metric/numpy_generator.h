// Random numbers of numpy.random.default_rng(seed), from which sacreBLEU draws its samples: PCG64
// (O'Neill 2014, "PCG: a family of simple fast space-efficient statistically good algorithms for
// random number generation") with numpy's seeding and bounded integers. Used only for samples that
// equal sacreBLEU's; all other random numbers come from base/random.h.
#pragma once

#include <cstdint>

namespace heed {

class NumpyGenerator {
 public:
  explicit NumpyGenerator(uint32_t seed);

  // Uniform number in [0, bound), bound > 0, as `integers` and `choice` draw it.
  uint32_t below(uint32_t bound);
  // Random bit, as `integers(2, dtype=bool)` draws it. Use a separate generator for these bits:
  // numpy discards unused bits at the end of an array.
  bool random_bit();

 private:
  __extension__ using Uint128 = unsigned __int128;

  void step();
  uint64_t next64();
  uint32_t next32();

  Uint128 state_ = 0, increment_ = 0;
  uint32_t kept_ = 0;  // upper half of the last 64 bits, if still unused
  bool has_kept_ = false;
  uint32_t coins_ = 0;
  int coins_left_ = 0;
};

}  // namespace heed
