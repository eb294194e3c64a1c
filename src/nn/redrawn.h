// Modules whose random numbers are part of the model, but not learned.
#pragma once

#include <cstdint>

#include <torch/nn/module.h>

namespace heed {

class Redrawn {
 public:
  virtual ~Redrawn() = default;
  // Draws anew, in place: a pure function of the key.
  virtual void draw(uint64_t key) = 0;
  // Updates from one draw to the next; 0: it is never drawn anew.
  virtual int64_t interval() const = 0;
};

// The first draw of every such module inside, each from the stream of its own name.
void draw_all(torch::nn::Module& module, uint64_t seed);
// Before an update (1, 2, …): a new draw where one is due. It follows from seed, name and update
// alone, so that it does not matter whether a run was interrupted.
void redraw_due(torch::nn::Module& module, uint64_t seed, int64_t update);

}  // namespace heed
