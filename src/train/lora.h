// Low-rank adaptation (LoRA; Hu et al. 2021): matrices W of a network are W₀ + s B A, of which B
// [O,r] and A [r,I] alone are trained. All other parameters keep their values and get no gradient.
//
// The network computes with W itself. The gradients of A and B follow from G, that of W: s Bᵀ G and
// s G Aᵀ. They equal those of layers that compute W₀ x + s B (A x). So any matrix can be adapted,
// whatever its layer does with it, training and translation compute with the same numbers, and the
// model of a checkpoint is the merged one.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/safetensors.h"
#include "train/flat_parameters.h"
#include "train/lora_config.h"
#include "train/parts.h"

namespace heed {

class Lora {
 public:
  // Adapts the matrices that the config selects. B is zero, and A uniform in ±I^-1/2, as in the
  // authors' implementation. Parameters may move, but not change, before the first call of merge().
  // Throws Error(kUsage) if a pattern selects no matrix.
  Lora(const LoraConfig& config, torch::nn::Module& network, uint64_t seed);

  FlatParameters& parameters() const { return *parameters_; }  // NAME.lora_A and NAME.lora_B
  // Keeps a row of a matrix at its value before training. Any matrix that is not adapted is kept.
  void keep_row(const std::string& matrix, int64_t row);
  void take_gradient();  // from that of the matrices
  void merge();          // sets the matrices
  // "train.lora: rank 8, scale 2; 12 matrices, 49,152 parameters trained"
  std::string note() const;

  // The adapters, their scale and the hash of the model before training: enough to merge them.
  NamedTensors adapter() const;
  // The matrices before training, by name. A resumed run needs them: subtraction would round.
  NamedTensors frozen() const;
  // Continues from the files of a checkpoint, whose model is merged. Throws Error(kModel).
  void load(const std::filesystem::path& adapter, const std::filesystem::path& frozen);

 private:
  struct Matrix {
    std::string name;
    Tensor weight;  // [..,O,I] or [O,..]
    Tensor frozen;  // as weight
    Tensor a, b;    // [..,r,I], [..,O,r]
  };
  std::vector<Matrix> matrices_;
  std::unique_ptr<FlatParameters> parameters_;
  int64_t rank_;
  Tensor scale_;      // []
  std::string base_;  // hash of the model before training
};

class LoraStepper final : public Stepper {
 public:
  // stepper: of Lora::parameters()
  LoraStepper(Stepper& stepper, Lora& lora) : stepper_(stepper), lora_(lora) {}
  double gradient_norm() override {
    lora_.take_gradient();
    return stepper_.gradient_norm();
  }
  void step(double rate, double scale) override {
    stepper_.step(rate, scale);
    lora_.merge();
  }
  std::optional<std::string> not_finite() override { return stepper_.not_finite(); }

 private:
  Stepper& stepper_;
  Lora& lora_;
};

// Merges adapters (Lora::adapter()) into the model that they were trained for. Returns the number
// of changed matrices. Throws Error(kModel) if the file is no adapter, or that of another model, or
// damaged: with tensors that lack their pair, do not fit or are not finite, or without any.
int64_t merge_adapter(const std::filesystem::path& file, const torch::nn::Module& network);

}  // namespace heed
