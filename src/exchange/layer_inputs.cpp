#include "exchange/layer_inputs.h"

#include <ATen/record_function.h>
#include "nn/torch.h"

#include <algorithm>
#include <cmath>

#include "data/example.h"

namespace heed {

namespace {

// The weights by the address of their numbers, and the largest magnitude of an input of each.
class Recorder {
 public:
  explicit Recorder(const Seq2Seq& network) {
    for (const auto& [name, tensor] : tensors_of(network)) {
      if (tensor.dim() == 2) names_[tensor.const_data_ptr()] = name;
    }
    current() = this;
    handle_ = at::addThreadLocalCallback(
        at::RecordFunctionCallback(&record).needsInputs(true).scopes({at::RecordScope::FUNCTION}));
  }
  ~Recorder() {
    at::removeCallback(handle_);
    current() = nullptr;
  }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Largest inputs since the last call.
  std::map<std::string, double> take() { return std::exchange(largest_, {}); }

 private:
  static Recorder*& current() {
    thread_local Recorder* recorder = nullptr;
    return recorder;
  }

  // The second factor of a product may be a weight; the first one is its input then.
  static std::unique_ptr<at::ObserverContext> record(const at::RecordFunction& call) {
    const std::string_view operation = call.name();
    const bool is_product =
        operation == "aten::linear" || operation == "aten::mm" || operation == "aten::addmm";
    if (!is_product) return nullptr;
    const size_t input = operation == "aten::addmm" ? 1 : 0;
    const auto values = call.inputs();
    if (values.size() > input + 1 && values[input].isTensor() && values[input + 1].isTensor())
      current()->add(values[input].toTensor(), values[input + 1].toTensor());
    return nullptr;
  }

  void add(const Tensor& input, const Tensor& weight) {
    const auto found = names_.find(weight.const_data_ptr());
    if (found == names_.end() || input.numel() == 0) return;
    double& largest = largest_[found->second];
    // Without operations of libtorch, which would be recorded.
    const Tensor numbers = input.contiguous();
    const auto* values = numbers.const_data_ptr<float>();
    for (int64_t i = 0; i < numbers.numel(); ++i)
      largest = std::max<double>(largest, std::abs(values[i]));
  }

  std::map<const void*, std::string> names_;
  std::map<std::string, double> largest_;
  at::CallbackHandle handle_ = 0;
};

void translate_greedily(Seq2Seq& network, const std::string& source, const Ids& ids) {
  constexpr int64_t kRatio = 2, kExtra = 10;
  const SourceBatches sources = {{{source, source_batch({ids}, torch::kCPU)}}};
  State state = network.start(sources, Pass());
  int64_t token = kBegin;
  for (int64_t i = 0; i < kRatio * std::ssize(ids) + kExtra && token != kEnd; ++i) {
    const Step step = network.advance(torch::full({1, 1}, token, torch::kLong), state);
    token = network.log_probs(step, state).flatten().argmax().item<int64_t>();
  }
}

}  // namespace

std::map<std::string, InputMagnitude> measure_inputs(const LoadedModel& model,
                                                     const std::string& source,
                                                     const std::vector<std::string>& lines) {
  const torch::NoGradGuard no_grad;
  std::map<std::string, std::vector<double>> found;
  Recorder recorder(*model.network);
  for (const std::string& line : lines) {
    translate_greedily(*model.network, source, model.codecs.at(source)->encode(line));
    for (const auto& [name, largest] : recorder.take()) found[name].push_back(largest);
  }
  std::map<std::string, InputMagnitude> result;
  for (const auto& [name, values] : found) {
    InputMagnitude& one = result[name];
    const auto count = static_cast<double>(values.size());
    for (const double value : values) one.mean += value / count;
    for (const double value : values)
      one.deviation += (value - one.mean) * (value - one.mean) / count;
    one.deviation = std::sqrt(one.deviation);
  }
  return result;
}

}  // namespace heed
