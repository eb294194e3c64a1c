#include "base/file.h"
#include "base/log.h"
#include "cli/commands/run.h"
#include "cli/tensors/data_warnings.h"
#include "cli/tensors/idle_validation.h"
#include "cli/tensors/run_config.h"
#include "cli/tensors/training_memory.h"
#include "config/notes.h"
#include "config/reference.h"
#include "config/writer.h"
#include "train/initial_model.h"

namespace heed {

namespace {

// Throws where what the parameters start with cannot be read.
void check_start(const InitConfig& init) {
  load_initial_model(init);
  for (const auto& [side, file] : init.embeddings) LineReader reader(file);
}

std::string answer(const ConfigOptions& options) {
  using What = ConfigOptions::What;
  RunConfig defaults;
  switch (options.what) {
    case What::kCheck: {
      const RunConfig config = read_run_config(options.argument, options.set);
      check_training_memory(config);
      for (const std::string& warning : idle_validation(config)) spdlog::warn("{}", warning);
      DataCache cache;
      const CorpusReport report =
          warn_of_data(config, TrainingText(find_training_files(config.data, {}), cache), cache);
      for (const CorpusCount& count : report.corpora) {
        if (count.kept < count.pairs) spdlog::info("{}", count.text());
      }
      check_evaluation_sets(config);
      check_start(config.init);
      for (const std::string& note : notes_on(config.model, "model")) spdlog::info("{}", note);
      return options.argument + ": no mistakes\n";
    }
    case What::kShow: {
      RunConfig config = read_run_config(options.argument, options.set);
      return write_config(config);
    }
    case What::kExplain:
      return options.argument.empty() ? explain_all(defaults)
                                      : explain_key(defaults, options.argument);
    case What::kReference:
      return config_reference(defaults);
  }
  return "";
}

}  // namespace

int run_config_command(const ConfigOptions& options) {
  AtomicFile out("-");
  out.write(answer(options));
  out.commit();
  return 0;
}

}  // namespace heed
