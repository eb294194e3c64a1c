#include "align/position_model.h"

#include "align/diagonal_model.h"
#include "align/jump_model.h"

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

}  // namespace heed
