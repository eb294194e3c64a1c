// The base of all modules with parameters. The code that makes a parameter also states its
// initialization; initialize() (nn/initialize.h) draws the values.
#pragma once

#include <functional>
#include <map>
#include <string>

#include <torch/nn/module.h>

#include "nn/state.h"
#include "nn/tensor.h"

namespace heed {

// Initial values of a parameter.
struct Init {
  enum class Draw {
    kNone,       // constant `value`
    kVector,     // uniform in ±n^-1/2 for n numbers
    kMatrix,     // by the method of the config
    kRecurrent,  // by the method of the config; by default orthogonal
    kEmbedding,  // by the method of the config; by default normal, standard deviation E^-power
  };
  Draw draw = Draw::kNone;
  double value = 0;      // kNone
  double power = 0.5;    // kEmbedding
  bool stacked = false;  // [..,O,I]: one matrix per leading index; else [O,..] is one matrix

  static Init all(double value) { return {.value = value}; }
  static Init vector() { return {.draw = Draw::kVector}; }
  static Init matrix() { return {.draw = Draw::kMatrix}; }
  static Init matrices() { return {.draw = Draw::kMatrix, .stacked = true}; }
  static Init recurrent() { return {.draw = Draw::kRecurrent, .stacked = true}; }
  static Init embedding(double power = 0.5) { return {.draw = Draw::kEmbedding, .power = power}; }
};

class Module : public torch::nn::Module {
 public:
  Tensor add_parameter(const std::string& name, c10::IntArrayRef shape, const Init& init);

  const std::map<std::string, Init>& inits() const { return inits_; }  // by the parameter

  // Called when parameters no longer change or move: values derived from them may be cached.
  virtual void freeze() {}

  // State entries of this module and of the modules inside it.
  const StateLayout& layout() const { return layout_; }

 protected:
  StateLayout layout_;

 private:
  using torch::nn::Module::register_parameter;  // use add_parameter() instead

  std::map<std::string, Init> inits_;
};

// `root` and all modules inside it; prefix: the name of the module with a dot behind it, "" for the
// root.
void for_each_module(torch::nn::Module& root,
                     const std::function<void(Module& module, const std::string& prefix)>& visit);

}  // namespace heed
