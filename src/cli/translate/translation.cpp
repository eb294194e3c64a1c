#include "cli/translate/translation.h"

#include "base/address_space.h"
#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "cli/model_path.h"
#include "cli/translate/document_translation.h"
#include "cli/translate/interruption.h"
#include "cli/translate/prepared_translation.h"
#include "cli/translate/shard_job.h"
#include "cli/translate/translation_settings.h"
#include "translate/translation_outputs.h"

namespace heed {

namespace {

std::vector<NamedFile> files_of_shard(const LineShard& shard,
                                      const std::vector<NamedFile>& outputs) {
  std::vector<NamedFile> files = outputs;  // that `heed join` replaces
  for (const NamedFile& output : outputs) {
    for (const char* ending : {"", ".part", ".json"})
      files.push_back({output.option, shard.file(output.path).string() + ending});
  }
  return files;
}

void check_files(const TranslateOptions& options) {
  if (options.collect != nullptr) return;
  if (options.shard) refuse_standard_streams(options);
  std::vector<NamedFile> outputs = output_files(options);
  if (options.shard) outputs = files_of_shard(*options.shard, outputs);
  if (options.seconds) outputs.push_back({"--seconds", *options.seconds});
  std::vector<NamedFile> inputs = input_files("--input", options.inputs);
  if (options.shortlist) inputs.push_back({"--shortlist", *options.shortlist});
  if (options.glossary) inputs.push_back({"--glossary", *options.glossary});
  const std::vector<NamedFile> constraints = named_files(options.constraints);
  inputs.insert(inputs.end(), constraints.begin(), constraints.end());
  refuse_same_files(inputs, outputs);
  refuse_outputs_in_runs(outputs);
}

const char* last_words(const TranslateOptions& options) {
  return options.collect != nullptr ? "heed: interrupted\n"
         : options.shard            ? "heed: interrupted; the same command continues the shard\n"
         : writes_files(options)    ? "heed: interrupted; nothing was written\n"
                                    : "heed: interrupted; the output is incomplete\n";
}

void translate(const TranslateOptions& options) {
  if (options.document) return translate_document(options);
  if (!options.shard) return PreparedTranslation(options).translate_all();
  const TranslateOptions fixed = with_fixed_models(options);
  PreparedTranslation(fixed).translate_shard();
}

}  // namespace

int run_translate(const TranslateOptions& options) {
  if (options.collect == nullptr)
    refuse_texts(options.models, options.summarize ? "heed summarize" : "heed translate");
  check_files(options);
  exit_on_signals(last_words(options));
  try {
    translate(options);
  } catch (const std::bad_alloc&) {
    throw_error(ErrorKind::kFailure,
                "out of memory while translating; smaller batches (--batch), fewer --workers or a "
                "smaller --beam need less{}",
                address_space_advice());
  } catch (const Stopped& stopped) {
    return options.shard ? report_continuable(stopped) : report_unwritten(stopped);
  }
  return 0;
}

}  // namespace heed
