// `type: one_source` (multi_source.h).
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/one_source_config.h"

namespace heed {

namespace {

class OneSource final : public Attention {
 public:
  OneSource(std::string name, std::shared_ptr<Attention> attention)
      : name_(std::move(name)), attention_(register_module("attention", std::move(attention))) {
    own_ = layout_.block("attention", attention_->layout());
  }
  void start(const Sources& sources, StateView state) override {
    attention_->start({*sources.find(name_)}, state[own_]);
  }
  Attended attend(const Tensor& query, const Tensor& positions, StateView state) override {
    Attended attended = attention_->attend(query, positions, state[own_]);
    name_source(attended, name_);
    return attended;
  }

 private:
  std::string name_;
  std::shared_ptr<Attention> attention_;
  StateBlock own_;
};

}  // namespace

std::shared_ptr<Attention> builders::one_source(const AttentionConfig& config,
                                                const AttentionDims& dims) {
  const auto& settings = settings_as<OneSourceConfig>(config);
  const std::string& name = settings.name;
  return std::make_shared<OneSource>(name.empty() ? dims.sources.begin()->first : name,
                                     build(*settings.attention, settings.own_dims(dims)));
}

}  // namespace heed
