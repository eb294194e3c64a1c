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

int run_export(const ExportOptions& options) {
  if (is_there(options.folder))
    throw_error(ErrorKind::kUsage, "{}: exists already; name another folder", options.folder);
  refuse_outputs_in_runs({{"FOLDER", options.folder}});
  refuse_other_than_model(options.model);
  LoadedModel model;
  read_model(options.model,
             [&model](const fs::path& folder) { model = load_model(folder, torch::kCPU); });
  const bool is_int8 = packed_precision(model.folder) == Precision::kInt8;
  const Precision precision =
      options.precision.value_or(is_int8 ? Precision::kInt8 : Precision::kFloat);
  if (precision == Precision::kFloat) warn_of_rounded_weights(model.folder);
  AtomicDirectory output(options.folder);
  if (options.format == ExportOptions::Format::kHf)
    export_hf(model, output.temporary());
  else
    export_ctranslate2(model, output.temporary(), precision);
  output.commit();
  spdlog::info("exported {} to {}", options.model, options.folder);
  return 0;
}

}  // namespace

}  // namespace heed

extern "C" int heed_export(const heed::ExportOptions& options) {
  return heed::run_tensor_command([&] { return heed::run_export(options); }, "exporting a model");
}
