#include "model/outputs/copying.h"

#include <algorithm>

#include "nn/torch.h"

#include "base/error.h"

namespace heed {

const EncodedSource& KeptCopies::put(const EncoderOutput& sources, const StateView& state) const {
  for (const auto& [name, source] : sources.sources) {
    if (!source.copies.defined()) continue;
    state.put(ids_, source.copies);
    return source;
  }
  throw InternalError("a batch without ids to copy");
}

CopiedIds KeptCopies::get(const StateView& state, int64_t vocabulary) const {
  return {state.by_row(ids_), std::max(vocabulary, state.get(ids_).max().item<int64_t>() + 1)};
}

Tensor CopiedIds::gather(const Tensor& log_mass) const {
  const Tensor ids = ids_.unsqueeze(1).expand(log_mass.sizes());  // [R,T,S]
  const std::vector<int64_t> shape = {log_mass.size(0), log_mass.size(1), size_};
  const Tensor lowest = torch::full(shape, kNever, log_mass.options().requires_grad(false));
  const Tensor greatest = lowest.scatter_reduce(2, ids, log_mass.detach(), "amax");  // [R,T,V+X]
  const Tensor base = greatest.masked_fill(greatest == kNever, 0);
  const Tensor above = (log_mass - base.gather(2, ids)).exp();
  const Tensor mass = torch::zeros_like(lowest).scatter_add(2, ids, above);
  return log_of_mass(mass) + base;
}

Tensor CopiedIds::occurrences_of(const Tensor& tokens) const {
  return ids_.unsqueeze(1) == tokens.unsqueeze(2);
}

Tensor CopiedIds::closed(const Tensor& scores, bool copy_end) const {
  Tensor shut = ids_ == kPad;  // [R,S]
  if (!copy_end) shut = shut | (ids_ == kEnd);
  return scores.masked_fill(shut.unsqueeze(1), kNever);
}

Tensor CopiedIds::without_end(const Tensor& weights) const {
  return weights.masked_fill((ids_ == kEnd).unsqueeze(1), 0);
}

const Tensor& state_read(const Step& step, CopyState state) {
  const Tensor& read = state == CopyState::kDecoder ? step.state : step.hidden;
  HEED_CHECK(read.defined(), "an output that reads the decoder state, and none");
  return read;
}

Tensor embed_known(Embedding& embedding, const Tensor& tokens, const Pass& pass) {
  return embedding.embed(tokens.masked_fill(tokens >= embedding.size(), kUnknown), pass);
}

Tensor log_of_mass(const Tensor& x) {
  const Tensor none = x <= 0;
  return x.masked_fill(none, 1).log().masked_fill(none, kNever);
}

Tensor distribution_of(const Tensor& weights) {
  const Tensor mass = torch::relu(weights), whole = mass.sum(-1, true);
  return mass / whole.masked_fill(whole == 0, 1);
}

Tensor end_alone(const Tensor& like) {
  Tensor end = torch::full({1, 1, like.size(2)}, kNever, like.options().requires_grad(false));
  end.select(2, kEnd).fill_(0);
  return end;
}

Tensor log_sum(const Tensor& x) { return x.masked_fill(x == kNever, kNever).logsumexp(-1, true); }

}  // namespace heed
