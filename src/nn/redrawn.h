// Modules whose random numbers are part of the model, but not learned.
#pragma once

#include <cstdint>

#include <torch/nn/module.h>

namespace heed {

class Redrawn {
 public:
  virtual ~Redrawn() = default;
  // Draws new numbers, in place; a pure function of the key.
  virtual void draw(uint64_t key) = 0;
  // Number of updates between two draws; 0: drawn only once.
  virtual int64_t interval() const = 0;
};

// Makes the first draw of every such module inside, each from a separate stream selected by its
// name.
void draw_all(torch::nn::Module& module, uint64_t seed);
// Called before each update (1, 2, …): draws again for modules whose interval is over. The numbers
// depend on seed, name and update only, so a resumed run draws the same ones.
void redraw_due(torch::nn::Module& module, uint64_t seed, int64_t update);

}  // namespace heed
