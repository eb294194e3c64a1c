#include "cli/translate/shard_job.h"

#include "base/model_folder.h"
#include "cli/model_path.h"
#include "cli/translate/options.h"
#include "cli/translate/translation_settings.h"

namespace heed {

namespace {

// True if random draws or the output depend on line numbers.
bool numbers_lines(const TranslateOptions& options) {
  return options.sampling || is_json(options.format) || options.attention ||
         (options.nbest && !options.risk_metric);
}

// Lines between two records: enough for batches of lines of about the same length, and few enough
// that little is lost when a process is killed.
int64_t window_of(const BatchTranslatorOptions& how) {
  constexpr int64_t kBatchesOfWorker = 16;
  return kBatchesOfWorker * how.batch * how.workers;
}

bool is_standard_stream(const std::string& file) { return file == "-" || file.ends_with("=-"); }

}  // namespace

void refuse_standard_streams(const TranslateOptions& options) {
  std::vector<NamedFile> inputs = named_files(options.constraints);
  for (const std::string& input : options.inputs) inputs.push_back({"--input", input});
  if (options.inputs.empty()) inputs.push_back({"--input", "-"});
  for (const NamedFile& input : inputs) {
    if (is_standard_stream(input.path.string()))
      throw_error(ErrorKind::kUsage,
                  "--shard: found standard input for {}, expected a file, of which each process "
                  "reads its own lines; save the text and give -i FILE",
                  input.option);
  }
  for (const NamedFile& output : output_files(options)) {
    if (output.path == "-")
      throw_error(ErrorKind::kUsage,
                  "--shard: found standard output for {}, expected a file to continue after an "
                  "interruption; give a FILE",
                  output.option);
  }
}

TranslateOptions with_fixed_models(TranslateOptions options) {
  for (std::string& model : options.models) {
    refuse_other_than_model(model);
    std::error_code unknown;
    const fs::path folder = fs::canonical(find_model(model), unknown);
    if (!unknown) model = folder.string();
  }
  return options;
}

ShardJob shard_job(const TranslateOptions& options, const BatchTranslatorOptions& how,
                   const SourceReader& reader, const ConstraintReader& constraints) {
  ShardJob job{.shard = *options.shard,
               .outputs = output_files(options),
               .settings = translation_settings(options, how.line.search),
               .lines = reader.files(),
               .others = {},
               .counted = numbers_lines(options),
               .window = window_of(how)};
  for (const LineFile& file : constraints.files()) job.lines.push_back(file);
  if (options.shortlist) job.others.push_back({"--shortlist", *options.shortlist});
  if (options.glossary) job.others.push_back({"--glossary", *options.glossary});
  return job;
}

}  // namespace heed
