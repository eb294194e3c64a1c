#include "exchange/position_table.h"

#include "nn/torch.h"

#include "nn/positions.h"

namespace heed {

namespace {

// Error of a number, and of the angle of each further row: a few times that of float32.
constexpr double kRounding = 1e-6, kRoundingOfRow = 3e-7;

}  // namespace

std::optional<std::string> sinusoid_layout_of(const Tensor& table) {
  const int64_t rows = table.size(0), width = table.size(1);
  const Tensor exact = table.to(torch::kDouble),
               limits = (torch::arange(rows, torch::kDouble) * kRoundingOfRow + kRounding)
                            .unsqueeze(1);  // [P,1]
  for (const auto& [name, layout] : {std::pair{"interleaved", SinusoidLayout::kInterleaved},
                                     {"halves", SinusoidLayout::kHalves},
                                     {"fairseq", SinusoidLayout::kFairseq},
                                     {"opennmt_tf", SinusoidLayout::kOpennmtTf}}) {
    const Tensor difference = (exact - sinusoids(rows, width, torch::kDouble, layout)).abs();
    if ((difference <= limits).all().item<bool>()) return name;
  }
  return std::nullopt;
}

}  // namespace heed
