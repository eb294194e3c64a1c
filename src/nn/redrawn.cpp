#include "nn/redrawn.h"

#include "nn/torch.h"

#include "base/random.h"

namespace heed {

namespace {

template <class Visit>
void for_each_redrawn(torch::nn::Module& module, const Visit& visit) {
  for (const auto& item : module.named_modules("", /*include_self=*/false)) {
    if (auto* redrawn = dynamic_cast<Redrawn*>(item.value().get())) visit(item.key(), *redrawn);
  }
}

uint64_t key_of(uint64_t seed, const std::string& name, int64_t number) {
  return stream_key(seed, "drawn/" + name, number);
}

}  // namespace

void draw_all(torch::nn::Module& module, uint64_t seed) {
  for_each_redrawn(module, [&](const std::string& name, Redrawn& redrawn) {
    redrawn.draw(key_of(seed, name, 0));
  });
}

void redraw_due(torch::nn::Module& module, uint64_t seed, int64_t update) {
  for_each_redrawn(module, [&](const std::string& name, Redrawn& redrawn) {
    const int64_t before = update - 1, interval = redrawn.interval();  // updates that are done
    if (interval > 0 && before > 0 && before % interval == 0)
      redrawn.draw(key_of(seed, name, before / interval));
  });
}

}  // namespace heed
