// The options that say which metrics are computed and how, of `evaluate` and `compare`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "metric/registry.h"

namespace heed {

enum class ScoreFormat { kText, kJson };

struct MetricChoice {
  std::vector<std::string> references;  // files
  std::vector<std::string> metrics{"bleu"};
  MetricOptions settings;
  ScoreFormat format = ScoreFormat::kText;
  int64_t digits = 1;
};

// Takes the name of a metric in any case of letters.
CLI::Validator spelled_as_a_metric();
// -r and -m, and the settings of the metrics; a list of the metrics below the help. add_values: add_list,
// or add_repeated for a command with positionals.
using AddValues = CLI::Option* (*)(CLI::App&, const char* names, std::vector<std::string>& values,
                                   const char* help);
void add_metric_options(CLI::App& command, MetricChoice& choice, AddValues add_values);
// Throws Error(kUsage) that lists the options of metrics of which none is chosen, and those without
// effect beside the others. Those in `also` are used besides by the command.
void refuse_idle_options(const CLI::App& command, const MetricChoice& choice,
                         const std::vector<std::string>& also = {});
inline constexpr const char* kSignificanceGroup = "Significance";
// --samples, --seed
std::vector<CLI::Option*> add_resampling(CLI::App& command, std::optional<int64_t>& samples,
                                         uint32_t& seed, const char* help_of_samples);
// --format, --digits
void add_score_output(CLI::App& command, MetricChoice& choice);

// A metric that is named twice, by itself and by its group, is made once.
std::vector<std::unique_ptr<Metric>> make_metrics(const MetricChoice& choice);

}  // namespace heed
