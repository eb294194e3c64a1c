#include "inference/past_attention.h"

#include <algorithm>

#include "model/parameter_names_spec.h"
#include "nn/attention/staged_config.h"
#include "nn/attention/terms/directional_config.h"

namespace heed {

namespace {

// True if the states so far are read, or those before the current one, and nothing else is added.
bool are_supported(const std::vector<std::shared_ptr<TermConfig>>& terms) {
  if (terms.size() > 1) return false;
  if (terms.empty()) return true;
  const auto* directional = dynamic_cast<const DirectionalConfig*>(terms.front().get());
  return directional != nullptr && directional->direction == DirectionalConfig::Direction::kForward;
}

}  // namespace

std::optional<PastShape> past_shape(const PastConfig& config, int64_t width) {
  const auto* staged = dynamic_cast<const StagedConfig*>(config.attention.get());
  if (staged == nullptr || !are_supported(staged->terms)) return std::nullopt;
  StagedConfig without_terms = *staged;
  without_terms.terms.clear();
  const int64_t parts = PastConfig::count_of(config.parts), part = width / parts;
  const auto attention = state_attention_shape(without_terms, part, {.key = part, .value = part});
  if (!attention || attention->has_coverage) return std::nullopt;
  return PastShape{.parts = parts, .reads_itself = staged->terms.empty(), .attention = *attention};
}

PastAttention::PastAttention(const PastShape& shape, const Packer& packer, const Kernels& set)
    : shape_(shape),
      set_(set),
      attention_(shape.attention, names::kPastAttention, 0, packer, set) {}

TargetMemory PastAttention::start() const {
  return {{{.keys = shape_.attention.width, .values = shape_.attention.value}},
          NumberArray(false, set_)};
}

void PastAttention::copy_part(const AlignedFloats& states, int64_t number, int64_t rows,
                              AlignedFloats& to) const {
  const int64_t part = shape_.part();
  to.resize(static_cast<size_t>(rows * part));
  for (int64_t r = 0; r < rows; ++r)
    std::copy_n(states.data() + (r * shape_.parts + number) * part, part, to.data() + r * part);
}

// Keys and values of these slots.
void PastAttention::take_past(const TargetMemory& memory, std::span<const int32_t> slots,
                              Workspace& room) const {
  const int64_t width = shape_.attention.width, values = shape_.attention.value;
  const auto count = std::ssize(slots);
  room.projected_keys.resize(static_cast<size_t>(count * width));
  room.projected_values.resize(static_cast<size_t>(count * values));
  for (int64_t i = 0; i < count; ++i) {
    std::copy_n(memory.keys(0).floats + slots[i] * width, width,
                room.projected_keys.data() + i * width);
    std::copy_n(memory.values(0).floats + slots[i] * values, values,
                room.projected_values.data() + i * values);
  }
  attention_.set_source(room.projected_keys.data(), room.projected_values.data(), count, room.past);
}

void PastAttention::read(const AlignedFloats& states, TargetMemory& memory, Workspace& room,
                         AlignedFloats& to) const {
  const int64_t rows = memory.rows(), part = shape_.part(), width = shape_.attention.width,
                context = shape_.attention.context();
  copy_part(states, 0, rows, room.keys);
  copy_part(states, shape_.parts == 1 ? 0 : 1, rows, room.values);
  memory.extend();
  const float* keys = attention_.keys_of(room.keys.data(), rows, room.projected_keys);
  const float* values = attention_.values_of(room.values.data(), rows, room.projected_values);
  for (int64_t r = 0; r < rows; ++r)
    memory.write_last(0, r, keys + r * width, values + r * context);
  to.resize(static_cast<size_t>(rows * (part + context)));
  for (int64_t r = 0; r < rows; ++r) {
    const std::vector<int32_t>& path = memory.path(r);
    take_past(memory, std::span(path).first(path.size() - (shape_.reads_itself ? 0 : 1)), room);
    float* own = to.data() + r * (part + context);
    std::copy_n(states.data() + (r * shape_.parts + shape_.parts - 1) * part, part, own);
    attention_.attend_sentence(room.past, room.keys.data() + r * part, 1, room.attention,
                               own + part);
  }
}

}  // namespace heed
