#include "cli/config/rehearsal.h"

#include "cli/tensors/entry.h"
#include "train/prepare.h"

namespace heed {

namespace {

class NetworkRehearsal final : public Rehearsal {
 public:
  void check_memory(const RunConfig& config, const VocabularySizes& sizes) override {
    take([&] { steps_.check_memory(config, sizes); });
  }
  std::shared_ptr<DataCache> begin(RunSpec& spec) override {
    std::shared_ptr<DataCache> cache;
    take([&] { cache = steps_.begin(spec); });
    return cache;
  }
  const ModelText* initial_model(const InitConfig& init) override {
    const ModelText* model = nullptr;
    take([&] { model = steps_.initial_model(init); });
    return model;
  }
  std::vector<std::string> build(const RunSpec& spec, const PreparedData& data) override {
    std::vector<std::string> notes;
    take([&] { notes = rehearse(spec, data, steps_)->notes(); });
    return notes;
  }

 private:
  static void take(const Step& step) {
    run_tensor_command(
        [&] {
          step();
          return 0;
        },
        "checking the config");
  }

  TrainingSteps steps_{TrainingSteps::Purpose::kRehearsal};
};

}  // namespace

}  // namespace heed

extern "C" void heed_open_rehearsal(std::unique_ptr<heed::Rehearsal>& rehearsal) {
  rehearsal = std::make_unique<heed::NetworkRehearsal>();
}
