#include "nn/halting.h"

#include "nn/torch.h"

namespace heed {

Halting::Halting(Module& owner, const std::string& name, const HaltingSettings& settings,
                 int64_t width)
    : settings_(settings), unit_(owner, name, width, 1, {.first_bias = 1}) {}

Tensor HaltingRows::next(const Tensor& state) {
  const Tensor halts = torch::sigmoid(halting_.unit_(state).squeeze(-1));  // h_n [..]
  if (steps_++ == 0) {
    halted_ = ponder_ = torch::zeros_like(halts);
    active_ = torch::ones_like(halts, torch::kBool);
  }
  const Tensor last = steps_ == halting_.settings_.most
                          ? active_
                          : active_ & (halted_ + halts >= 1 - halting_.settings_.epsilon);
  const Tensor p = torch::where(last, 1 - halted_, halts) * active_;
  ponder_ = ponder_ + active_.to(ponder_.scalar_type()) + torch::where(last, p, 0 * p);
  halted_ = halted_ + p;
  active_ = active_ & ~last;
  return p;
}

bool HaltingRows::all_halted() const {
  return steps_ == halting_.settings_.most || !active_.any().item<bool>();
}

}  // namespace heed
