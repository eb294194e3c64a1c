#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/export/options.h"
#include "cli/model_path.h"
#include "cli/tensors/entry.h"
#include "exchange/exports.h"
#include "packed/stored_tensors.h"

namespace heed {

namespace {

// The package is made in a folder beside it, which disappears.
void write_package(const LoadedModel& model, const ExportOptions& options, const fs::path& beside) {
  const fs::path content = beside / "content", archive = beside / "package";
  fs::create_directory(content);
  export_argos(model, content, archive,
               {.source_language = options.source_language,
                .target_language = options.target_language,
                .precision = options.precision.value_or(Precision::kInt8)});
  fs::rename(archive, options.output);
}

int run_export(const ExportOptions& options) {
  if (is_there(options.output))
    throw_error(ErrorKind::kUsage, "{}: exists already; name another {}", options.output,
                options.format == ExportOptions::Format::kArgos ? "file" : "folder");
  refuse_outputs_in_runs({{"the output", options.output}});
  refuse_other_than_model(options.model);
  LoadedModel model;
  read_model(options.model,
             [&model](const fs::path& folder) { model = load_model(folder, torch::kCPU); });
  const bool is_int8 = packed_precision(model.folder) == Precision::kInt8;
  const Precision precision =
      options.precision.value_or(is_int8 ? Precision::kInt8 : Precision::kFloat);
  if (precision == Precision::kFloat) warn_of_rounded_weights(model.folder);
  AtomicDirectory output(options.output);
  switch (options.format) {
    case ExportOptions::Format::kHf:
      export_hf(model, output.temporary());
      break;
    case ExportOptions::Format::kCTranslate2:
      export_ctranslate2(model, output.temporary(), precision);
      break;
    case ExportOptions::Format::kArgos:
      write_package(model, options, output.temporary());
      break;
  }
  if (options.format != ExportOptions::Format::kArgos) output.commit();
  spdlog::info("exported {} to {}", options.model, options.output);
  return 0;
}

}  // namespace

}  // namespace heed

extern "C" int heed_export(const heed::ExportOptions& options) {
  return heed::run_tensor_command([&] { return heed::run_export(options); }, "exporting a model");
}
