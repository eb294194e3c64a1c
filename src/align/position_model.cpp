#include "align/position_model.h"

#include "align/diagonal_model.h"
#include "align/jump_model.h"
#include "align/word_pair_table.h"

namespace heed {

std::unique_ptr<PositionModel> make_position_model(const std::string& name,
                                                   const std::vector<double>& parameters) {
  if (name == DiagonalModel::kName && parameters.size() == 2)
    return std::make_unique<DiagonalModel>(parameters[0], parameters[1]);
  if (name == JumpModel::kName && parameters.size() == JumpModel::kJumps + 1) {
    const std::vector<float> weights(parameters.begin() + 1, parameters.end());
    return std::make_unique<JumpModel>(parameters[0], weights);
  }
  return nullptr;
}

std::pair<double, double> parameter_range(const std::string& name, size_t index) {
  constexpr double kLongestTension = 100, kLeastJump = 1e-15;
  if (index == 0) return {double{WordPairTable::kLeast}, 1};  // probability of NULL
  if (name == DiagonalModel::kName) return {0, kLongestTension};
  return {kLeastJump, 1};
}

}  // namespace heed
